/**
 * The process manager of endings: carries to its end what a crash interrupted. It looks for unfinished endings when the server
 * starts, and gives one that the feed tells of a few seconds before it steps in, be it begun by this process or another.
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
import { AGGREGATES, type AggregateRuntime } from '../eventstore/aggregate.js';
import { EventFeed } from '../eventstore/event-feed.js';
import { EVENT_STORE, type EventStore, type RecordedEvent } from '../eventstore/event-store.js';
import { type ContestRef, StreamNames } from '../eventstore/streams.js';
import { READ_MODELS, type ReadModels } from '../projections/read-models.js';
import { ListEndingContests } from './contest.queries.js';
import { completeEnding } from './contest-ending.js';

/** An ending takes milliseconds; one that takes this long was left behind. */
const GRACE_MS = 5_000;
/** How long one wait for the read models lasts before it is begun again. */
const WAIT_MS = 10_000;

const ENDED: ReadonlySet<string> = new Set(['ContestFinished', 'ContestDeleted']);

@Injectable()
export class ContestEndingProcess implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(ContestEndingProcess.name);
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #aggregates: AggregateRuntime;
  readonly #store: EventStore;
  readonly #feed: EventFeed;
  readonly #names: StreamNames;
  readonly #readModels: ReadModels;
  readonly #queries: QueryBus;
  #unlisten: () => void = () => undefined;
  #stopped = false;

  constructor(
    @Inject(AGGREGATES) aggregates: AggregateRuntime,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(EventFeed) feed: EventFeed,
    @Inject(StreamNames) names: StreamNames,
    @Inject(READ_MODELS) readModels: ReadModels,
    @Inject(QueryBus) queries: QueryBus,
  ) {
    this.#aggregates = aggregates;
    this.#store = store;
    this.#feed = feed;
    this.#names = names;
    this.#readModels = readModels;
    this.#queries = queries;
  }

  /** Does not hold up the start: what was left behind is completed while the server is already serving. */
  onApplicationBootstrap(): void {
    this.#unlisten = this.#feed.listen((event) => this.#hear(event));
    void this.completeLeftBehind().catch((error: unknown) => {
      if (!this.#stopped) this.#logger.error('looking for unfinished endings failed', error);
    });
  }

  onApplicationShutdown(): void {
    this.#stopped = true;
    this.#unlisten();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Completes every ending that was begun before now, as soon as the read models know of it. */
  async completeLeftBehind(): Promise<void> {
    const head = await this.#store.head();
    while (!(await this.#readModels.waitFor(head, WAIT_MS))) if (this.#stopped) return;
    for (const contest of await this.#queries.execute(new ListEndingContests()))
      await this.#complete(contest);
  }

  #hear({ type, stream }: RecordedEvent): void {
    if (type === 'ContestEnding') {
      const subject = this.#names.parse(stream);
      if (subject.kind === 'contest') this.#completeLater(subject);
    } else if (ENDED.has(type)) {
      clearTimeout(this.#timers.get(stream));
      this.#timers.delete(stream);
    }
  }

  #completeLater(contest: ContestRef): void {
    if (this.#stopped) return;
    const stream = this.#names.contest(contest);
    clearTimeout(this.#timers.get(stream));
    const complete = (): void => {
      this.#timers.delete(stream);
      this.#complete(contest).catch((error: unknown) => this.#tryAgain(contest, error));
    };
    this.#timers.set(stream, setTimeout(complete, GRACE_MS).unref());
  }

  #tryAgain(contest: ContestRef, error: unknown): void {
    if (this.#stopped) return;
    this.#logger.error(`ending contest ${contest.competitionId} failed and will be tried again`, error);
    this.#completeLater(contest);
  }

  async #complete({ spaceId, competitionId }: ContestRef): Promise<void> {
    const context = { actor: 'system', correlationId: randomUUID() };
    await completeEnding(this.#aggregates, { spaceId, competitionId }, context);
  }
}

export const contestProcesses = [ContestEndingProcess];
