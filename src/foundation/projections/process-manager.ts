/**
 * The base of process managers. Each completes one kind of work that takes several appends, when a crash interrupted
 * it. It looks for such work when the server starts. Work that begins later, in this process or another, gets a grace
 * period to end by itself.
 */
import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Query } from '@nestjs/cqrs';
import { RejectedError } from '../../domain/rejections.js';
import type { StreamNames } from '../../domain/streams.js';
import type { AggregateRuntime, CommandContext } from '../aggregates/aggregate.js';
import { messageOf } from '../basics/error-message.js';
import type { RecordedEvent } from '../event-store/event-store.js';
import { ProcessServices } from './process-services.js';

/** Whether an event begins or ends the work on a subject. */
export interface WorkChange<Subject> {
  readonly subject: Subject;
  readonly is: 'begun' | 'ended';
}

/** Timeout of one wait for the read models; the wait is then repeated. */
const WAIT_MS = 10_000;

@Injectable()
export abstract class ProcessManager<Subject> implements OnApplicationBootstrap, OnApplicationShutdown {
  protected readonly names: StreamNames;
  protected readonly aggregates: AggregateRuntime;
  readonly #logger = new Logger(this.constructor.name);
  readonly #services: ProcessServices;
  /** Cancels the grace period of each subject that has one. */
  readonly #graces = new Map<string, () => void>();
  /** Cancels the next search, when one has failed. */
  #endSearch: () => void = () => undefined;
  #unlisten: () => void = () => undefined;
  #stopped = false;

  constructor(services: ProcessServices) {
    this.names = services.names;
    this.aggregates = services.aggregates;
    this.#services = services;
  }

  /** Work that takes longer was interrupted. */
  protected abstract readonly graceMs: number;

  /** Runs `work` after the grace period. Returns a function that cancels it. Tests replace this. */
  startGrace = (work: () => void): (() => void) => {
    const timer = setTimeout(work, this.graceMs).unref();
    return () => clearTimeout(timer);
  };

  /** A unique key for each subject. */
  protected abstract keyOf(subject: Subject): string;

  /** Null: the event neither begins nor ends such work. */
  protected abstract workChangeIn(event: RecordedEvent): WorkChange<Subject> | null;

  /** The subjects whose work has begun and not ended, by the read models. */
  protected abstract readonly underWay: Query<readonly Subject[]>;

  /** Does what is left to do; idempotent. When it throws, it is retried after another grace period. */
  protected abstract complete(subject: Subject, context: CommandContext): Promise<unknown>;

  /** What a rule of the contest may leave undone for good, for the log. Null: a rejection is a failure as any other. */
  protected leftUndone(_subject: Subject): string | null {
    return null;
  }

  /** Does not delay the start: interrupted work is completed while the server serves. */
  onApplicationBootstrap(): void {
    this.#unlisten = this.#services.feed.listen((event) => this.#observe(event));
    this.#search();
  }

  onApplicationShutdown(): void {
    this.#stopped = true;
    this.#unlisten();
    this.#endSearch();
    for (const end of this.#graces.values()) end();
    this.#graces.clear();
  }

  /** Completes all work that was begun before now and has no grace period, once the read models show it. */
  async completeLeftBehind(): Promise<void> {
    const { store, readModels, queries } = this.#services;
    const head = await store.head();
    while (!(await readModels.waitFor(head, WAIT_MS))) if (this.#stopped) return;
    for (const subject of await queries.execute(this.underWay))
      if (!this.#graces.has(this.keyOf(subject))) await this.#tryToComplete(subject);
  }

  /** No event tells again of what was begun before the start, so a search that fails is repeated. */
  #search(): void {
    void this.completeLeftBehind().catch((error: unknown) => {
      if (this.#stopped) return;
      this.#logger.warn(
        `the search for interrupted work failed and will be tried again: ${messageOf(error)}`,
      );
      this.#endSearch = this.startGrace(() => this.#search());
    });
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
      await this.complete(subject, { actor: 'system', correlationId: randomUUID() });
    } catch (error) {
      const undone = error instanceof RejectedError ? this.leftUndone(subject) : null;
      if (undone !== null) return this.#logger.warn(`${undone}: ${messageOf(error)}`);
      if (this.#stopped) return;
      this.#logger.error(`${this.keyOf(subject)} could not be completed and will be tried again`, error);
      this.#completeLater(subject);
    }
  }
}
