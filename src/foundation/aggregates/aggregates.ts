/**
 * The runtime of all aggregates: gives each stream's commands their turn (src/foundation/aggregates/stream-command-queue.ts), keeps folded
 * states within a budget, and knows from the feed which of them another process has moved past.
 */
import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '../../domain/decider.js';
import type { StreamNames } from '../../domain/streams.js';
import type { EventStore, RecordedEvent } from '../event-store/event-store.js';
import { UPCASTERS, type Upcasters } from '../event-store/upcasters.js';
import type { Aggregate, AggregateRuntime, CommandContext, Loaded, Outcome } from './aggregate.js';
import { CommandMetrics } from './command-metrics.js';
import { type QueueServices, StreamCommandQueue } from './stream-command-queue.js';

export interface AggregatesOptions {
  readonly store: EventStore;
  readonly names: StreamNames;
  readonly upcasters?: Upcasters;
  /**
   * The most events folded into the states that are kept, a proxy for their memory (about 200 bytes each in a round).
   * Default 400,000.
   */
  readonly keptEvents?: number;
}

/** A read that others began may miss what the feed has told of since; the next one has it. */
const CATCH_UPS = 2;

const catchUp = async (folded: { readonly isCurrent: boolean; catchUp(): Promise<void> }): Promise<void> => {
  for (let time = 0; time < CATCH_UPS && !folded.isCurrent; time += 1) await folded.catchUp();
};

/** What is common to the queues of all aggregates. */
interface AnyQueue {
  readonly folded: { readonly length: number; observeRevision(revision: number): void };
}

/** Commands that the store begins to write while the rest of the turn are being decided. Fewer would cost more than they save. */
const FLUSH_SIZE = 8;

/** A folded state that has grown beyond this factor is weighed again. */
const GROWTH = 1.1;

export class Aggregates implements AggregateRuntime {
  readonly metrics = new CommandMetrics();
  readonly #names: StreamNames;
  readonly #services: QueueServices;
  /** Queues with commands in them: a stream must never have two. */
  readonly #busy = new Map<string, AnyQueue>();
  readonly #kept: LRUCache<string, AnyQueue>;
  /** What each kept queue counted when it was last weighed. */
  readonly #weighed = new WeakMap<AnyQueue, number>();
  readonly #toFlush = new Set<{ flush(): void }>();
  /** Commands decided since the last flush. */
  #decided = 0;
  #feedStarts = 0;
  #followed = false;

  constructor({ store, names, upcasters = UPCASTERS, keptEvents = 400_000 }: AggregatesOptions) {
    this.#names = names;
    this.#kept = new LRUCache({ maxSize: keptEvents, sizeCalculation: ({ folded }) => folded.length + 1 });
    this.#services = {
      store,
      upcasters,
      scheduleFlush: (queue) => this.#scheduleFlush(queue),
      feedStarts: () => this.#feedStarts,
    };
  }

  async load<Id, S, C, E extends DomainEvent>(
    aggregate: Aggregate<Id, S, C, E>,
    id: Id,
    options: { readonly fresh?: boolean } = {},
  ): Promise<Loaded<S>> {
    const stream = this.#names.of(aggregate.stream, id);
    const queue = this.#queueOf(stream, aggregate);
    const isKept = !options.fresh && this.#followed;
    const { folded } = queue;
    if (isKept && folded.isCurrent) return folded.loaded();
    if (isKept) await catchUp(folded);
    else await folded.refresh();
    if (this.#kept.peek(stream) === queue) this.#keep(stream, queue);
    return folded.loaded();
  }

  peek<Id, S, C, E extends DomainEvent>(aggregate: Aggregate<Id, S, C, E>, id: Id): S | undefined {
    if (!this.#followed) return undefined;
    const folded = this.#knownQueue<Id, S, C, E>(this.#names.of(aggregate.stream, id))?.folded;
    return folded?.isCurrent ? folded.known.state : undefined;
  }

  execute<Id, S, C, E extends DomainEvent>(
    aggregate: Aggregate<Id, S, C, E>,
    id: Id,
    command: C | (() => Promise<C>),
    context: CommandContext,
  ): Promise<Outcome<S, E>> {
    const stream = this.#names.of(aggregate.stream, id);
    const queue = this.#queueOf(stream, aggregate);
    this.#busy.set(stream, queue);
    return queue.execute(command, context);
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
    return { ...context, correlationId: cause.metadata.correlationId, causationId: cause.id };
  }

  /** The feed begins to tell of every event that other processes append; states from before are read up once. */
  startFollowing(): void {
    this.#feedStarts += 1;
    this.#followed = true;
  }

  /** The feed is down: until it is back, `load` looks at the stream each time. */
  stopFollowing(): void {
    this.#followed = false;
  }

  /** An event seen by the feed: a kept state that is behind it is read up before it is next used. */
  observeRevision({ stream, revision }: RecordedEvent): void {
    (this.#busy.get(stream) ?? this.#kept.peek(stream))?.folded.observeRevision(revision);
  }

  #queueOf<Id, S, C, E extends DomainEvent>(
    stream: string,
    aggregate: Aggregate<Id, S, C, E>,
  ): StreamCommandQueue<Id, S, C, E> {
    const known = this.#knownQueue<Id, S, C, E>(stream);
    if (known) return known;
    const queue: StreamCommandQueue<Id, S, C, E> = new StreamCommandQueue(stream, aggregate, {
      ...this.#services,
      metrics: this.metrics.of(aggregate.name),
      whenIdle: () => {
        this.#busy.delete(stream);
        this.#keep(stream, queue);
      },
    });
    this.#kept.set(stream, queue);
    return queue;
  }

  /** A stream belongs to one aggregate, so its queue was made for these types. */
  #knownQueue<Id, S, C, E extends DomainEvent>(stream: string): StreamCommandQueue<Id, S, C, E> | undefined {
    const known = this.#busy.get(stream) ?? this.#kept.get(stream);
    return known as StreamCommandQueue<Id, S, C, E> | undefined;
  }

  /** The cache weighs a queue when it is set. A folded state grows: once it has grown by a tenth, it is weighed again. */
  #keep(stream: string, queue: AnyQueue): void {
    const weighed = this.#weighed.get(queue) ?? 0;
    if (this.#kept.get(stream) === queue && queue.folded.length <= weighed * GROWTH) return;
    this.#kept.delete(stream);
    this.#kept.set(stream, queue);
    this.#weighed.set(queue, queue.folded.length + 1);
  }

  #scheduleFlush(queue: { flush(): void }): void {
    this.#toFlush.add(queue);
    this.#decided += 1;
    if (this.#decided === 1) setImmediate(() => this.#flush());
    else if (this.#decided === FLUSH_SIZE) this.#flush();
  }

  #flush(): void {
    const queues = [...this.#toFlush];
    this.#toFlush.clear();
    this.#decided = 0;
    for (const queue of queues) queue.flush();
  }
}
