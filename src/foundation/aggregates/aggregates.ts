/**
 * The runtime of all aggregates: finds the stream of each id (src/foundation/aggregates/aggregate-stream.ts has its state and
 * its commands), keeps folded states within a budget, and tells them of the events of other processes that the feed brings.
 */
import { randomFillSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { v7 } from 'uuid';
import type { DomainEvent } from '../../domain/decider.js';
import type { StreamNames } from '../../domain/streams.js';
import type { EventMetadata, EventStore, NewEvent, RecordedEvent } from '../event-store/event-store.js';
import { UPCASTERS, type Upcasters } from '../event-store/upcasters.js';
import type { StateSnapshots } from '../read-models/state-snapshots.js';
import type {
  Aggregate,
  AggregateRuntime,
  CommandContext,
  Loaded,
  LoadOptions,
  Outcome,
  StreamServices,
} from './aggregate.js';
import { AggregateStream } from './aggregate-stream.js';
import { CommandMetrics } from './command-metrics.js';

export interface AggregatesOptions {
  readonly store: EventStore;
  readonly names: StreamNames;
  readonly upcasters?: Upcasters;
  /** Where long streams have their snapshots. Default: they have none. */
  readonly snapshots?: StateSnapshots;
  /** Between two snapshots of a stream, unless its state is large. Default 1,000. */
  readonly snapshotEvents?: number;
  /** Estimated bytes of the states that are kept. Default 200 MB. */
  readonly keptBytes?: number;
}

/** What is common to the streams of all aggregates. */
interface AnyStream {
  readonly size: number;
  observeRevision(revision: number): void;
  forget(): void;
}

/** Commands that the store begins to write while the rest of the turn are being decided. Fewer would cost more than they save. */
const FLUSH_SIZE = 8;

/** A folded state that has grown or shrunk by this factor is weighed again. */
const CHANGE = 1.1;

export class Aggregates implements AggregateRuntime {
  readonly metrics = new CommandMetrics();
  readonly #names: StreamNames;
  readonly #services: StreamServices;
  /** Streams with commands under way: there must never be two of one name. */
  readonly #busy = new Map<string, AnyStream>();
  readonly #kept: LRUCache<string, AnyStream>;
  /** The size of each kept stream when it was last weighed. */
  readonly #weighed = new WeakMap<AnyStream, number>();
  readonly #toFlush = new Set<{ flush(): void }>();
  /** Commands decided since the last flush. */
  #decided = 0;
  #feedStarts = 0;
  #followed = false;

  constructor(options: AggregatesOptions) {
    const { store, names, upcasters = UPCASTERS, keptBytes = 200e6 } = options;
    const { snapshots = null, snapshotEvents = 1_000 } = options;
    this.#names = names;
    // One that is larger than all of the room is kept alone: without it, each of its commands would read its stream.
    const sizeCalculation = ({ size }: AnyStream): number => Math.min(Math.ceil(size), keptBytes);
    this.#kept = new LRUCache({ maxSize: keptBytes, sizeCalculation });
    this.#services = {
      store,
      upcasters,
      snapshots,
      snapshotEvents,
      newEvents,
      scheduleFlush: (stream) => this.#scheduleFlush(stream),
      feedStarts: () => this.#feedStarts,
    };
  }

  async load<Id, S, C, E extends DomainEvent>(
    aggregate: Aggregate<Id, S, C, E>,
    id: Id,
    options: LoadOptions = {},
  ): Promise<Loaded<S>> {
    const name = this.#names.of(aggregate.stream, id);
    const stream = this.#streamOf(name, aggregate);
    const isKept = !options.fresh && this.#followed;
    if (isKept && stream.isCurrent) return stream.loaded();
    if (isKept) await stream.catchUp();
    else await stream.refresh();
    if (this.#kept.peek(name) === stream) this.#keep(name, stream);
    return stream.loaded();
  }

  peek<Id, S, C, E extends DomainEvent>(aggregate: Aggregate<Id, S, C, E>, id: Id): S | undefined {
    if (!this.#followed) return undefined;
    const stream = this.#knownStream<Id, S, C, E>(this.#names.of(aggregate.stream, id));
    return stream?.isCurrent ? stream.loaded().state : undefined;
  }

  execute<Id, S, C, E extends DomainEvent>(
    aggregate: Aggregate<Id, S, C, E>,
    id: Id,
    command: C | (() => Promise<C>),
    context: CommandContext,
  ): Promise<Outcome<S, E>> {
    const name = this.#names.of(aggregate.stream, id);
    const stream = this.#streamOf(name, aggregate);
    this.#busy.set(name, stream);
    return stream.execute(command, context);
  }

  async following<Id, S, C, E extends DomainEvent>(
    aggregate: Aggregate<Id, S, C, E>,
    id: Id,
    type: E['type'],
    context: CommandContext,
  ): Promise<CommandContext> {
    const events = await this.#services.store.readStream(this.#names.of(aggregate.stream, id));
    const cause = events?.findLast((event) => event.type === type);
    if (!cause) return context;
    const { correlationId, accountId } = cause.metadata;
    return {
      ...context,
      correlationId,
      causationId: cause.id,
      ...(accountId !== undefined && { accountId }),
    };
  }

  /**
   * The feed begins to tell of every event that other processes append; states from before are read up once. `isContinued`: it has told
   * of every event since it stopped, so they need not be.
   */
  startFollowing({ isContinued = false }: { readonly isContinued?: boolean } = {}): void {
    if (!isContinued) this.#feedStarts += 1;
    this.#followed = true;
  }

  /** The feed is down: until it is back, `load` looks at the stream each time. */
  stopFollowing(): void {
    this.#followed = false;
  }

  /** An event seen by the feed: a kept state that is behind it is read up before it is next used. */
  observeRevision({ stream, revision }: RecordedEvent): void {
    (this.#busy.get(stream) ?? this.#kept.peek(stream))?.observeRevision(revision);
  }

  /** Events are missing, or are there again: no state may rest on what the streams held before. */
  forgetStates(): void {
    for (const stream of [...this.#busy.values(), ...this.#kept.values()]) stream.forget();
  }

  #streamOf<Id, S, C, E extends DomainEvent>(
    name: string,
    aggregate: Aggregate<Id, S, C, E>,
  ): AggregateStream<Id, S, C, E> {
    const known = this.#knownStream<Id, S, C, E>(name);
    if (known) return known;
    const stream: AggregateStream<Id, S, C, E> = new AggregateStream(name, aggregate, {
      ...this.#services,
      metrics: this.metrics.of(aggregate.stream.name),
      whenIdle: () => {
        this.#busy.delete(name);
        this.#keep(name, stream);
      },
    });
    this.#kept.set(name, stream);
    return stream;
  }

  /** A stream belongs to one aggregate, so it was made for these types. */
  #knownStream<Id, S, C, E extends DomainEvent>(name: string): AggregateStream<Id, S, C, E> | undefined {
    const known = this.#busy.get(name) ?? this.#kept.get(name);
    return known as AggregateStream<Id, S, C, E> | undefined;
  }

  /** The cache weighs a stream when it is set, and again once its state has another size. */
  #keep(name: string, stream: AnyStream): void {
    const weighed = this.#weighed.get(stream) ?? 0;
    const { size } = stream;
    const isRight = size <= weighed * CHANGE && weighed <= size * CHANGE;
    if (isRight && this.#kept.get(name) === stream) return;
    this.#kept.delete(name);
    this.#kept.set(name, stream);
    this.#weighed.set(stream, size);
  }

  #scheduleFlush(stream: { flush(): void }): void {
    this.#toFlush.add(stream);
    this.#decided += 1;
    if (this.#decided === 1) setImmediate(() => this.#flush());
    else if (this.#decided === FLUSH_SIZE) this.#flush();
  }

  #flush(): void {
    const streams = [...this.#toFlush];
    this.#toFlush.clear();
    this.#decided = 0;
    for (const stream of streams) stream.flush();
  }
}

// --- new events ------------------------------------------------------------------------------------------------------

const ID_BYTES = 16;
/** Random bytes are drawn for 256 ids at once, because one draw costs several times the rest of an id. */
const pool = new Uint8Array(ID_BYTES * 256);
let used = pool.length;

/** UUIDs of version 7. They grow with time, so they land at one end of the store's index. */
const newEventId = (): string => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + ID_BYTES);
  used += ID_BYTES;
  return v7({ random });
};

/** The events of one command share their metadata: of its context, what events record. */
const newEvents = (
  decided: readonly Pick<NewEvent, 'type' | 'data'>[],
  { actor, keyId, accountId, correlationId, causationId }: CommandContext,
  schema: number,
): NewEvent[] => {
  const metadata: EventMetadata = {
    actor,
    ...(keyId !== undefined && { keyId }),
    ...(accountId !== undefined && { accountId }),
    correlationId,
    ...(causationId !== undefined && { causationId }),
    schema,
  };
  return decided.map(({ type, data }) => ({ id: newEventId(), type, data, metadata }));
};
