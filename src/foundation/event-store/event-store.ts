/**
 * The port to the only truth: streams of events with expected revisions, one global order, and subscriptions that
 * catch up and go on. An append that was answered is on disk. Adapters: SQLite (embedded) and EventStoreDB, both
 * held to test/contract/foundation/event-store/event-store.contract.ts.
 */
import { StoreUnavailableError } from '../basics/store-unavailable.js';

/**
 * A place in the global order of one store, ascending; 0 is before the first event. Gaps are allowed. A double holds
 * it exactly: EventStoreDB's are byte offsets, and 2^53 bytes are 9 PB.
 */
export type Position = number;

/** A revision (0 is a stream's first event), or a condition on the stream. */
export type ExpectedRevision = number | 'no_stream' | 'stream_exists' | 'any';

/** Who did it and what it belongs to. Never personal data. */
export interface EventMetadata {
  /** `device`, `cli`, `moderator`, `operator` (an access token), `system`. */
  readonly actor: string;
  /** The API key or access token that was used, if one was. */
  readonly keyId?: string;
  /** The account that was signed in, if one was. */
  readonly accountId?: string;
  /** The request or the run that led here, also by way of other events. */
  readonly correlationId: string;
  /** Id of the event that this one follows from, where one command takes events of several streams. */
  readonly causationId?: string;
  /** Version of the event's schema; src/foundation/event-store/upcasters.ts lifts older ones. */
  readonly schema: number;
}

export interface NewEvent {
  /** UUID in lower case. The same id appended again to the same stream is the same event, written once. */
  readonly id: string;
  readonly type: string;
  readonly data: object;
  readonly metadata: EventMetadata;
  /** When another store recorded it, for an event that is copied from there: milliseconds since 1970. Default: now. */
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
  /** The stream is not where it was expected. `actual` is its last revision. */
  | { readonly ok: false; readonly actual: number | 'no_stream' };

export interface EventFilter {
  /** Streams that begin so. */
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
  /** Exclusive: the checkpoint to go on from. */
  readonly after: Position;
  readonly filter?: EventFilter;
  /** Most events in a batch. Default 1,000. */
  readonly batchSize?: number;
  /** Ends the subscription: the iteration finishes without an error. */
  readonly signal: AbortSignal;
}

/** What a subscription yields. A consumer that is slow is waited for, nothing is dropped. */
export interface EventBatch {
  /** In global order; may be empty when only the position moved or the end was reached. */
  readonly events: readonly RecordedEvent[];
  /** Everything the filter lets through up to here has been delivered: safe as a checkpoint. */
  readonly position: Position;
  /** The end of the store was reached with this batch. Said once when it is first reached, and with each batch that reaches it again. */
  readonly caughtUp: boolean;
}

export interface EventStore {
  /** Written once into the store: positions of another store mean nothing here. */
  readonly storeId: string;
  /** All or nothing, durable when it resolves. Throws EventStoreUnavailableError when the outcome is a failure or not known. */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>;
  /** Null when there is no such stream. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<readonly RecordedEvent[] | null>;
  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent>;
  /** Position of the last event, 0 in an empty store. */
  head(): Promise<Position>;
  /** Whether appends are taken, as far as is known: one that failed, for a full disk say, is not forgotten before a trial has succeeded. */
  takesAppends(): Promise<boolean>;
  subscribe(options: SubscribeOptions): AsyncIterable<EventBatch>;
  /** Finishes what is under way, then frees everything. */
  close(): Promise<void>;
}

/** The store cannot be reached or did not answer: the append may or may not have happened; the same ids can be sent again. */
export class EventStoreUnavailableError extends StoreUnavailableError {}

/** Injection token of the EventStore. */
export const EVENT_STORE = Symbol('EventStore');
