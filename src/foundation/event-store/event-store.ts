/**
 * The port to the source of truth: streams of events with expected revisions, one global order, and catch-up
 * subscriptions that stay live. Guarantees that an acknowledged append is on disk. Adapters: SQLite (embedded) and
 * EventStoreDB; both pass test/contract/foundation/event-store/event-store.contract.ts. Each event has a checksum: a read
 * throws EventDamagedError instead of returning an event that is not the one that was appended.
 */
import { StoreUnavailableError } from '../basics/store-unavailable.js';
import { StoreDamagedError } from '../integrity/damage.js';
import type { Installation, StoreIdentity } from './installation.js';

/**
 * A place in the global order of one store, ascending; 0 is before the first event. Gaps are allowed. A double holds
 * it exactly: EventStoreDB's are byte offsets, and 2^53 bytes are 9 PB.
 */
export type Position = number;

/** The revision of a stream that is not there: it stands before that of the first event, 0. */
export const NO_STREAM = -1;

/** The actor of an event, and the request that it belongs to. Never personal data. */
export interface EventMetadata {
  /** `device`, `cli`, `moderator`, `operator` (an access token), `system`. */
  readonly actor: string;
  /** The API key or access token of the request, if it had one. */
  readonly keyId?: string;
  /** The account that was signed in, if any. */
  readonly accountId?: string;
  /** The request or run that caused this event, directly or through other events. */
  readonly correlationId: string;
  /** Id of the event that caused this one, where one command appends to several streams. */
  readonly causationId?: string;
  /** Version of the event's schema; src/foundation/event-store/upcasters.ts lifts older ones. */
  readonly schema: number;
}

export interface NewEvent {
  /** UUID in lower case. By it `append` recognises its own repetition, and nothing else. */
  readonly id: string;
  readonly type: string;
  readonly data: object;
  readonly metadata: EventMetadata;
  /** For an event copied from another store: when that store recorded it, in milliseconds since 1970. Default: now. */
  readonly recordedAt?: number;
}

export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  /** Milliseconds since 1970, UTC. */
  readonly recordedAt: number;
}

export type AppendResult =
  | {
      readonly ok: true;
      /** Of the last event appended (or found already there). */
      readonly revision: number;
      readonly position: Position;
      /** These events were already there: nothing was written. */
      readonly duplicate: boolean;
    }
  /** Conflict: the stream is not at the expected revision. `actual` is its last revision, or NO_STREAM. */
  | { readonly ok: false; readonly actual: number };

export interface EventFilter {
  /** Only streams whose name begins with this. */
  readonly streamPrefix?: string;
  /** Only these event types. */
  readonly types?: readonly string[];
}

export interface ReadStreamOptions {
  /** First revision to return (inclusive). Default: the first forwards, the last backwards. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** Exclusive. Default: the beginning (forwards) or the end (backwards). */
  readonly after?: Position;
  readonly filter?: EventFilter;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
}

export interface SubscribeOptions {
  /** Exclusive: the checkpoint to resume from. */
  readonly after: Position;
  readonly filter?: EventFilter;
  /** Maximum number of events in a batch. Default 1,000. */
  readonly batchSize?: number;
  /** Ends the subscription: the iteration finishes without an error. */
  readonly signal: AbortSignal;
}

/** A record that passes the filter and is no event of Podium: another program wrote it. */
export interface ForeignRecord {
  readonly stream: string;
  readonly position: Position;
}

/** What a subscription yields. Backpressure: the store waits for a slow consumer and drops nothing. */
export interface EventBatch {
  /** In global order; may be empty when only the position moved or the end was reached. */
  readonly events: readonly RecordedEvent[];
  /** Every event that passes the filter up to here was delivered: safe as a checkpoint. */
  readonly position: Position;
  /** Passed over up to here, where others can write into the store. Missing: none. */
  readonly foreign?: readonly ForeignRecord[];
  /** This batch reached the end of the store. True for every batch that does. */
  readonly caughtUp: boolean;
}

export interface EventStore {
  /** Written once into the store, with its restore epoch at the opening. Positions are valid only within one id. */
  readonly storeId: string;
  /** Reads which store answers now. After an outage it may be another one than was opened. */
  identity(): Promise<StoreIdentity>;
  /** Writes the installation's id and epoch. Open connections keep their `storeId`. Also on a read-only connection. */
  assign(installation: Installation): Promise<void>;
  /**
   * Appends all events or none; durable when it resolves. Throws EventStoreUnavailableError when it failed or the outcome
   * is unknown. An append that was written and is repeated, with the same ids in their order and the same expectation, writes
   * nothing and is answered as the first time. With another expectation a store may write the same ids again. Example:
   * `append('podium/round/…', NO_STREAM, [event])`.
   */
  append(stream: string, expected: number, events: readonly NewEvent[]): Promise<AppendResult>;
  /** Returns events by revision; null when there is no such stream. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<readonly RecordedEvent[] | null>;
  /** Reads events of all streams in the global order. */
  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent>;
  /** Position of the last event, 0 in an empty store. */
  head(): Promise<Position>;
  /** The chain of checksums over all events up to this position. Null: the store keeps none, or not for this event yet. */
  chainAt(position: Position): Promise<number | null>;
  /** Whether the store accepts appends, as far as is known. False after a failure (a full disk) until a trial succeeds. */
  takesAppends(): Promise<boolean>;
  /** Yields batches after `after`: first the recorded events, then new ones as they are appended. */
  subscribe(options: SubscribeOptions): AsyncIterable<EventBatch>;
  /** Finishes the appends under way, then frees all resources. */
  close(): Promise<void>;
}

/** The store cannot be reached or did not answer. The append may have happened; a retry with the same ids and expectation is safe. */
export class EventStoreUnavailableError extends StoreUnavailableError {
  override readonly store = 'the event store';
}

/** Events that were there are not there now. Nothing is decided and nothing is rebuilt until an operator has said so. */
export class EventsLostError extends EventStoreUnavailableError {}

/** A stored event is not the one that was appended. It is neither folded nor projected. */
export class EventDamagedError extends StoreDamagedError {
  constructor(stream: string, revision: number, reason: string, options?: ErrorOptions) {
    super({ store: 'events', place: `stream ${stream}, revision ${revision}`, reason }, options);
  }
}

/** Injection token of the EventStore. */
export const EVENT_STORE = Symbol('EventStore');
