/** What a log store's process is told and what it answers, beside the packed entries that go as bytes. */

import type { FieldCatalogue } from '../../foundation/log-store/field-catalogue.js';
import type { AppendedEntries, QueryFailure } from '../../foundation/log-store/log-store.js';
import type { LogSource } from '../../foundation/log-store/sources.js';

export interface RunMessage {
  readonly kind: 'run';
  readonly sql: string;
  readonly parameters: Readonly<Record<string, string | null>>;
  readonly now: number;
  readonly maxRows: number;
  readonly timeoutMs: number;
}

export type LogStoreMessage =
  | RunMessage
  /** Ends the run that another call began; has no answer of its own. */
  | { readonly kind: 'cancel'; readonly call: number }
  | { readonly kind: 'remove-before'; readonly source: LogSource; readonly timestamp: number }
  | { readonly kind: 'counts' }
  /** Of the engine's process: a file in its backup folder; of a server: wherever the caller wants it. */
  | { readonly kind: 'backup'; readonly to: string }
  | { readonly kind: 'close' };

/** `catalogue` only where this append changed it. */
export interface AppendAnswer extends AppendedEntries {
  readonly catalogue: FieldCatalogue | null;
}

/** In place of an answer. `trouble` says who may try what: see LogStore's errors. */
export type FailureAnswer = {
  readonly trouble: QueryFailure | 'unavailable' | 'busy';
  readonly message: string;
  /** What the engine said of a query itself, where it did. */
  readonly engineWords?: string;
};

/** Every answer is one of these two, as JSON. */
export type Answer = { readonly failed: FailureAnswer } | { readonly done: unknown };

/** Number of the message that a process sends by itself once it has opened its store: its catalogue, or why it has not. */
export const READY_CALL = 0;

export interface EngineOptions {
  readonly path: string;
  /** Of the engine: what it holds beyond goes to disk or fails. */
  readonly memoryMb: number;
  readonly threads: number;
  /** Queries at a time. */
  readonly readers: number;
  /** Recent ids held in memory; older ones are looked up in the tables. */
  readonly recentIds: number;
}
