/**
 * The process manager of merges: carries to its end what a crash interrupted. It looks for merges under way when the server
 * starts, and gives one that the feed tells of time to end by itself before it steps in, be it begun by this process or
 * another. A merge that the rules stop (both have a result in a round since) stays under way until somebody has settled the
 * rounds and gives the command again.
 */
import { randomUUID } from 'node:crypto';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RejectedError } from '../domain/rejections.js';
import { EventFeed } from '../eventstore/event-feed.js';
import { EVENT_STORE, type EventStore, type RecordedEvent } from '../eventstore/event-store.js';
import { StreamNames } from '../eventstore/streams.js';
import { READ_MODELS, type ReadModels } from '../projections/read-models.js';
import { ListMergingPersons } from './person.queries.js';
import { PersonMerges } from './person-merges.js';

/** A merge waits for the read models at times; one that takes this long was left behind. */
const GRACE_MS = 45_000;
/** How long one wait for the read models lasts before it is begun again. */
const WAIT_MS = 10_000;

@Injectable()
export class PersonMergeProcess implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(PersonMergeProcess.name);
  /** By the person who is being merged. */
  readonly #timers = new Map<number, NodeJS.Timeout>();
  #unlisten: () => void = () => undefined;
  #stopped = false;

  constructor(
    @Inject(PersonMerges) private readonly merges: PersonMerges,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(EventFeed) private readonly feed: EventFeed,
    @Inject(StreamNames) private readonly names: StreamNames,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {}

  /** Does not hold up the start: what was left behind is completed while the server is already serving. */
  onApplicationBootstrap(): void {
    this.#unlisten = this.feed.listen((event) => this.#hear(event));
    void this.completeLeftBehind().catch((error: unknown) => {
      if (!this.#stopped) this.#logger.error('looking for unfinished merges failed', error);
    });
  }

  onApplicationShutdown(): void {
    this.#stopped = true;
    this.#unlisten();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Completes every merge that was begun before now, as soon as the read models know of it. */
  async completeLeftBehind(): Promise<void> {
    const head = await this.store.head();
    while (!(await this.readModels.waitFor(head, WAIT_MS))) if (this.#stopped) return;
    for (const personId of await this.queries.execute(new ListMergingPersons()))
      await this.#complete(personId);
  }

  #hear({ type, stream, data }: RecordedEvent): void {
    const subject = this.names.parse(stream);
    if (subject.kind !== 'person') return;
    if (type === 'PersonMerging') this.#completeLater(subject.personId);
    else if (type === 'PersonMergeCancelled') this.#forget(subject.personId);
    else if (type === 'PersonAbsorbed') this.#forget(Number(Object(data).personId));
  }

  #forget(personId: number): void {
    clearTimeout(this.#timers.get(personId));
    this.#timers.delete(personId);
  }

  #completeLater(personId: number): void {
    if (this.#stopped) return;
    this.#forget(personId);
    const complete = (): void => {
      this.#timers.delete(personId);
      void this.#complete(personId);
    };
    this.#timers.set(personId, setTimeout(complete, GRACE_MS).unref());
  }

  /** Tried again later where it fails, but not where the rules refuse it. */
  async #complete(personId: number): Promise<void> {
    try {
      await this.merges.complete(personId, { actor: 'system', correlationId: randomUUID() });
    } catch (error) {
      if (this.#stopped) return;
      if (error instanceof RejectedError) {
        this.#logger.warn(`the merge of person ${personId} stays under way: ${error.message}`);
        return;
      }
      this.#logger.error(`the merge of person ${personId} failed and will be tried again`, error);
      this.#completeLater(personId);
    }
  }
}

export const personProcesses = [PersonMergeProcess];
