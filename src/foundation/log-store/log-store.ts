/**
 * The port to the logs: bulk append, running a checked query, retention. An append that was answered is on disk. What a
 * query does to the engine (memory, time, a crash) costs that query alone. Adapter: DuckDB in a process of its own,
 * held to test/contract/foundation/log-store/log-store.contract.ts.
 */

import type { CheckedQuery } from './checked-query.js';
import type { FieldCatalogue } from './field-catalogue.js';
import type { PackedEntries } from './packed-entries.js';
import type { JsonRecord, LogEntry, LogSource } from './sources.js';

export interface AppendedEntries {
  /** Written now. */
  readonly accepted: number;
  /** Were there already, by project, source and id within 24 hours: the first stays. */
  readonly duplicates: number;
}

export interface RunOptions {
  /** Values of the query's parameters; one that is missing is NULL. */
  readonly parameters: Readonly<Record<string, string | null>>;
  /** The moment that `current_timestamp()` means: microseconds since 1970, UTC. */
  readonly now: number;
  readonly maxRows: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface LogRows {
  /** Names of the columns in order. */
  readonly columns: readonly string[];
  /** Timestamps are ISO 8601 text with microseconds and Z, records and arrays nested JSON, integers numbers. */
  readonly rows: readonly JsonRecord[];
  /** There were more rows than `maxRows`. */
  readonly truncated: boolean;
}

export interface LogStore {
  /** All or nothing, durable when it resolves. Throws LogStoreBusyError before memory grows, LogStoreUnavailableError. */
  append(source: LogSource, entries: readonly LogEntry[] | PackedEntries): Promise<AppendedEntries>;
  /** Throws LogQueryFailedError, LogStoreBusyError, LogStoreUnavailableError. */
  run(query: CheckedQuery, options: RunOptions): Promise<LogRows>;
  /** As of now; a new object whenever it changes. */
  catalogue(): FieldCatalogue;
  /** Removes entries that are older (microseconds since 1970, exclusive). Returns how many. */
  removeBefore(source: LogSource, timestamp: number): Promise<number>;
  /** Entries in each source, for operators. */
  counts(): Promise<Readonly<Record<LogSource, number>>>;
  /**
   * A copy as of one moment at this absolute path, where nothing is yet: a store of its own. Writes go on meanwhile.
   * Throws LogStoreUnavailableError.
   */
  backup(path: string): Promise<void>;
  /** Finishes what is under way, then frees everything. */
  close(): Promise<void>;
}

/** Why a query that was allowed to run did not end well. */
export type QueryFailure = 'time' | 'memory' | 'crash' | 'value' | 'cancelled';

export class LogQueryFailedError extends Error {
  constructor(
    readonly failure: QueryFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'LogQueryFailedError';
  }
}

/** More is waiting than the store may hold in memory; nothing was done, and it can be sent again. */
export class LogStoreBusyError extends Error {
  constructor(readonly retryAfterSeconds: number) {
    super('the log store has as much to do as it may take on; try again later');
    this.name = 'LogStoreBusyError';
  }
}

export class LogStoreUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LogStoreUnavailableError';
  }
}

/** Injection token of the LogStore. */
export const LOG_STORE = Symbol('LogStore');
