/**
 * The runtime of all aggregates: gives each stream's commands their turn (src/foundation/aggregates/stream-lane.ts), keeps folded
 * states within a budget, and knows from the feed which of them another process has moved past.
 */
import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '../../domain/decider.js';
import type { EventStore, RecordedEvent } from '../event-store/event-store.js';
import type { StreamNames } from '../event-store/streams.js';
import { UPCASTERS, type Upcasters } from '../event-store/upcasters.js';
import type { Aggregate, AggregateRuntime, CommandContext, Loaded, Outcome } from './aggregate.js';
import { type LaneServices, StreamLane } from './stream-lane.js';

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

const catchUp = async (lane: { readonly isCurrent: boolean; catchUp(): Promise<void> }): Promise<void> => {
  for (let time = 0; time < CATCH_UPS && !lane.isCurrent; time += 1) await lane.catchUp();
};

/** What is common to the lanes of all aggregates. */
interface AnyLane {
  readonly length: number;
  hear(revision: number): void;
}

/** Commands that the store begins to write while the rest of the turn are being decided. Fewer would cost more than they save. */
const WORTH_SENDING = 8;

/** A lane that has grown beyond this is weighed again. */
const GROWTH = 1.1;

export class Aggregates implements AggregateRuntime {
  readonly #names: StreamNames;
  readonly #services: LaneServices;
  /** Lanes with commands in them: they must not be made twice. */
  readonly #busy = new Map<string, AnyLane>();
  readonly #kept: LRUCache<string, AnyLane>;
  /** What each kept lane counted when it was last weighed. */
  readonly #weighed = new WeakMap<AnyLane, number>();
  readonly #toSend = new Set<{ send(): void }>();
  /** Commands decided since the last sending. */
  #decided = 0;
  #feedStarts = 0;
  #followed = false;

  constructor({ store, names, upcasters = UPCASTERS, keptEvents = 400_000 }: AggregatesOptions) {
    this.#names = names;
    this.#kept = new LRUCache({ maxSize: keptEvents, sizeCalculation: ({ length }) => length + 1 });
    this.#services = {
      store,
      upcasters,
      sendSoon: (lane) => this.#sendSoon(lane),
      feedStarts: () => this.#feedStarts,
    };
  }

  async load<Id, S, C, E extends DomainEvent>(
    aggregate: Aggregate<Id, S, C, E>,
    id: Id,
    options: { readonly fresh?: boolean } = {},
  ): Promise<Loaded<S>> {
    const stream = this.#names.of(aggregate.stream, id);
    const lane = this.#lane(stream, aggregate);
    const isKept = !options.fresh && this.#followed;
    if (isKept && lane.isCurrent) return lane.loaded();
    if (isKept) await catchUp(lane);
    else await lane.refresh();
    if (this.#kept.peek(stream) === lane) this.#keep(stream, lane);
    return lane.loaded();
  }

  peek<Id, S, C, E extends DomainEvent>(aggregate: Aggregate<Id, S, C, E>, id: Id): S | undefined {
    if (!this.#followed) return undefined;
    const lane = this.#knownLane<Id, S, C, E>(this.#names.of(aggregate.stream, id));
    return lane?.isCurrent ? lane.loaded().state : undefined;
  }

  execute<Id, S, C, E extends DomainEvent>(
    aggregate: Aggregate<Id, S, C, E>,
    id: Id,
    command: C | (() => Promise<C>),
    context: CommandContext,
  ): Promise<Outcome<S, E>> {
    const stream = this.#names.of(aggregate.stream, id);
    const lane = this.#lane(stream, aggregate);
    this.#busy.set(stream, lane);
    return lane.execute(command, context);
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
  hear({ stream, revision }: RecordedEvent): void {
    (this.#busy.get(stream) ?? this.#kept.peek(stream))?.hear(revision);
  }

  #lane<Id, S, C, E extends DomainEvent>(
    stream: string,
    aggregate: Aggregate<Id, S, C, E>,
  ): StreamLane<Id, S, C, E> {
    const known = this.#knownLane<Id, S, C, E>(stream);
    if (known) return known;
    const lane: StreamLane<Id, S, C, E> = new StreamLane(stream, aggregate, {
      ...this.#services,
      whenIdle: () => {
        this.#busy.delete(stream);
        this.#keep(stream, lane);
      },
    });
    this.#kept.set(stream, lane);
    return lane;
  }

  /** A stream belongs to one aggregate, so its lane was made for these types. */
  #knownLane<Id, S, C, E extends DomainEvent>(stream: string): StreamLane<Id, S, C, E> | undefined {
    const known = this.#busy.get(stream) ?? this.#kept.get(stream);
    return known as StreamLane<Id, S, C, E> | undefined;
  }

  /** The cache weighs what is new to it only, and a lane grows: once it has grown by much, it is weighed again. */
  #keep(stream: string, lane: AnyLane): void {
    const weighed = this.#weighed.get(lane) ?? 0;
    if (this.#kept.get(stream) === lane && lane.length <= weighed * GROWTH) return;
    this.#kept.delete(stream);
    this.#kept.set(stream, lane);
    this.#weighed.set(lane, lane.length + 1);
  }

  #sendSoon(lane: { send(): void }): void {
    this.#toSend.add(lane);
    this.#decided += 1;
    if (this.#decided === 1) setImmediate(() => this.#send());
    else if (this.#decided === WORTH_SENDING) this.#send();
  }

  #send(): void {
    const lanes = [...this.#toSend];
    this.#toSend.clear();
    this.#decided = 0;
    for (const lane of lanes) lane.send();
  }
}
