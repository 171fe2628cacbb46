/**
 * What process managers have in common: each carries one kind of work, which takes several appends, to its end where a crash
 * interrupted it. It looks for such work when the server starts, and gives work that the feed tells of time to end by itself
 * before it steps in, be it begun by this process or another.
 */
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { EventFeed } from '../aggregates/event-feed.js';
import type { EventStore, RecordedEvent } from '../event-store/event-store.js';
import type { ReadModels } from './read-models.js';

export interface ProcessManagerServices {
  readonly store: Pick<EventStore, 'head'>;
  readonly feed: Pick<EventFeed, 'listen'>;
  readonly readModels: Pick<ReadModels, 'waitFor'>;
}

/** What an event says of the work on a subject. */
export interface WorkChange<Subject> {
  readonly subject: Subject;
  readonly is: 'begun' | 'ended';
}

/** How long one wait for the read models lasts before it is begun again. */
const WAIT_MS = 10_000;

export abstract class ProcessManager<Subject> implements OnApplicationBootstrap, OnApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  readonly #services: ProcessManagerServices;
  /** How to end the time of grace of each subject that is given one. */
  readonly #graces = new Map<string, () => void>();
  #unlisten: () => void = () => undefined;
  #stopped = false;

  constructor(services: ProcessManagerServices) {
    this.#services = services;
  }

  /** Work that takes this long was left behind. */
  protected abstract readonly graceMs: number;

  /** Does the work when the time of grace is over, unless what it returns is called before. Tests put in their own. */
  startGrace = (work: () => void): (() => void) => {
    const timer = setTimeout(work, this.graceMs).unref();
    return () => clearTimeout(timer);
  };

  /** The same for the same subject, and for no other. */
  protected abstract keyOf(subject: Subject): string;

  /** Null: nothing. */
  protected abstract workChangeIn(event: RecordedEvent): WorkChange<Subject> | null;

  /** The work that the read models know to have begun and not ended. */
  protected abstract underWay(): Promise<readonly Subject[]>;

  /** Does what is left to do; tried again after as long as it is given where it throws. */
  protected abstract complete(subject: Subject): Promise<void>;

  /** Does not hold up the start: what was left behind is completed while the server is already serving. */
  onApplicationBootstrap(): void {
    this.#unlisten = this.#services.feed.listen((event) => this.#observe(event));
    void this.completeLeftBehind().catch((error: unknown) => {
      if (!this.#stopped) this.logger.error('looking for what was left behind failed', error);
    });
  }

  onApplicationShutdown(): void {
    this.#stopped = true;
    this.#unlisten();
    for (const end of this.#graces.values()) end();
    this.#graces.clear();
  }

  /** Completes all that was begun before now, as soon as the read models know of it. */
  async completeLeftBehind(): Promise<void> {
    const { store, readModels } = this.#services;
    const head = await store.head();
    while (!(await readModels.waitFor(head, WAIT_MS))) if (this.#stopped) return;
    for (const subject of await this.underWay()) await this.#tryToComplete(subject);
  }

  #observe(event: RecordedEvent): void {
    const change = this.workChangeIn(event);
    if (change?.is === 'begun') this.#completeLater(change.subject);
    else if (change) this.#forget(this.keyOf(change.subject));
  }

  #forget(key: string): void {
    this.#graces.get(key)?.();
    this.#graces.delete(key);
  }

  #completeLater(subject: Subject): void {
    if (this.#stopped) return;
    const key = this.keyOf(subject);
    this.#forget(key);
    const complete = (): void => {
      this.#graces.delete(key);
      void this.#tryToComplete(subject);
    };
    this.#graces.set(key, this.startGrace(complete));
  }

  async #tryToComplete(subject: Subject): Promise<void> {
    try {
      await this.complete(subject);
    } catch (error) {
      if (this.#stopped) return;
      this.logger.error(`${this.keyOf(subject)} could not be completed and will be tried again`, error);
      this.#completeLater(subject);
    }
  }
}
