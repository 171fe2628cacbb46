/**
 * What makes a decider an aggregate: its streams and the event schema it writes. The runtime that loads,
 * sequences, decides and appends is src/foundation/aggregates/aggregates.ts.
 */
import type { Map as ImmutableMap } from 'immutable';
import type { Decider, DomainEvent } from '../../domain/decider.js';
import type { Rejection } from '../../domain/rejections.js';
import type { StreamCategory } from '../../domain/streams.js';
import type { EventStore, NewEvent, Position } from '../event-store/event-store.js';
import type { Upcasters } from '../event-store/upcasters.js';
import type { StateSnapshots } from '../read-models/state-snapshots.js';

export interface Aggregate<Id, State, Command, Event extends DomainEvent> {
  /** Its category also names the aggregate in metrics. */
  readonly stream: StreamCategory<Id>;
  readonly decider: Decider<State, Command, Event>;
  /** Schema version written with new events. */
  readonly schema: number;
  /** Estimated bytes that a state takes in memory. Asked after each command, so it counts entries and visits none. */
  readonly sizeOf: (state: State) => number;
  /** For streams that may come to many thousands of events. */
  readonly snapshots?: SnapshotCodec<State, Command>;
}

/**
 * How a state becomes text and comes back, without its requests (idempotency keys): those are stored apart, and a state that comes back
 * has none.
 */
export interface SnapshotCodec<State, Command> {
  /** Raised when the same events fold to another state than before, or the state has another text. */
  readonly version: number;
  readonly encode: (state: State) => string;
  readonly decode: (text: string) => State;
  /** Fingerprints by key. */
  readonly requests: (state: State) => ImmutableMap<string, string>;
  readonly withRequests: (state: State, requests: ImmutableMap<string, string>) => State;
  /** The request that the command came with. */
  readonly requestOf: (command: Command) => KnownRequest | undefined;
}

/** Both are hashes in hexadecimal digits. */
export interface KnownRequest {
  readonly key: string;
  readonly fingerprint: string;
}

/** Who commands, carried into the metadata of every event. */
export interface CommandContext {
  /** `device`, `cli`, `moderator`, `operator` (an access token), `system`. */
  readonly actor: string;
  readonly keyId?: string;
  readonly accountId?: string;
  /** The network of the client's address, for the audit trail. No event has it. */
  readonly network?: string;
  readonly correlationId: string;
  /** The event that this follows from; see `AggregateRuntime.following`. */
  readonly causationId?: string;
}

export interface Loaded<State> {
  readonly state: State;
  readonly revision: number;
  /** Of the stream's last event; 0 without a stream. */
  readonly position: Position;
}

/**
 * What became of a command. State and revision are those right after it; the position is that of the append it shared,
 * at which its events, and perhaps those of commands behind it, can be read.
 */
export type Outcome<State, Event> =
  | ({ readonly ok: true; readonly events: readonly Event[] } & Loaded<State>)
  | { readonly ok: false; readonly rejection: Rejection };

export interface LoadOptions {
  /** Reads the stream's tail first, which another process may have written just now. */
  readonly fresh?: boolean;
}

/** The runtime that command handlers stand on; implemented by src/foundation/aggregates/aggregates.ts. */
export interface AggregateRuntime {
  /**
   * The folded state. From the cache where it is known to be current within the bound of the feed (250 ms behind
   * another process, nothing behind this one).
   */
  load<Id, S, C, E extends DomainEvent>(
    aggregate: Aggregate<Id, S, C, E>,
    id: Id,
    options?: LoadOptions,
  ): Promise<Loaded<S>>;
  /** The same without waiting; undefined where the stream would have to be read for it. */
  peek<Id, S, C, E extends DomainEvent>(aggregate: Aggregate<Id, S, C, E>, id: Id): S | undefined;
  /**
   * Decides in turn with all other commands of the stream and appends. A function makes the command
   * anew before each decision, so that what it read elsewhere is as new as the state. A decision that appends
   * nothing (refused, or no change) is confirmed against the stream's tail before it is answered.
   * Throws CommandContentionError after a bounded number of lost races, EventStoreUnavailableError.
   */
  execute<Id, S, C, E extends DomainEvent>(
    aggregate: Aggregate<Id, S, C, E>,
    id: Id,
    command: C | (() => Promise<C>),
    context: CommandContext,
  ): Promise<Outcome<S, E>>;
  /**
   * The context of what follows from the stream's last event of this type: of its correlation, with the event as the cause.
   * The context as given where there is no such event.
   */
  following<Id, S, C, E extends DomainEvent>(
    aggregate: Aggregate<Id, S, C, E>,
    id: Id,
    type: E['type'],
    context: CommandContext,
  ): Promise<CommandContext>;
}

/** What the streams of all aggregates share. */
export interface StreamServices {
  readonly store: EventStore;
  readonly upcasters: Upcasters;
  /** Null: none are kept. */
  readonly snapshots: StateSnapshots | null;
  /** Between two snapshots of a stream, unless its state is large. */
  readonly snapshotEvents: number;
  /** Returns what a command has decided as events with ids and metadata. */
  readonly newEvents: (
    decided: readonly Pick<NewEvent, 'type' | 'data'>[],
    context: CommandContext,
    schema: number,
  ) => readonly NewEvent[];
  /** Schedules a flush: calls `stream.flush()` at the end of this turn of the event loop, or earlier when the batch is full. */
  readonly scheduleFlush: (stream: { flush(): void }) => void;
  /** Counts the times at which the feed has begun to tell of other processes' appends. */
  readonly feedStarts: () => number;
}

/** The command lost every race for its stream that it was allowed to enter; nothing was appended, it can be sent again. */
export class CommandContentionError extends Error {
  constructor(stream: string) {
    super(`others kept writing to ${stream}; try again`);
    this.name = 'CommandContentionError';
  }
}

/** Injection token of the AggregateRuntime. */
export const AGGREGATES = Symbol('AggregateRuntime');
