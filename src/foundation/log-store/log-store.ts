/**
 * The port to the logs: bulk append, checked queries, retention. Guarantees that an acknowledged append is on disk, and
 * that a query that uses too much memory or time, or crashes the engine, fails alone. Adapters: DuckDB in its own
 * process, and ClickHouse; both pass test/contract/foundation/log-store/log-store.contract.ts.
 */

import type { CheckedQuery } from './checked-query.js';
import type { FieldCatalogue, FieldPlace } from './field-catalogue.js';
import type { PackedEntries } from './packed-entries.js';
import type { JsonRecord, LogEntry, LogSource } from './sources.js';

export interface AppendedEntries {
  /** Entries written by this append. */
  readonly accepted: number;
  /** Entries stored before, by project, source and id within 24 hours. The first one stays. */
  readonly duplicates: number;
}

/**
 * Entries by their positions. Positions grow in the order of acknowledgement, over all sources and also over restarts. They are
 * microseconds since 1970, about the time of receipt.
 */
export interface TailRange {
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly upTo: number;
}

export interface RunOptions {
  /** Values of the query's parameters; one that is missing is NULL. */
  readonly parameters: Readonly<Record<string, string | null>>;
  /** The value of `current_timestamp()`: microseconds since 1970, UTC. */
  readonly now: number;
  readonly maxRows: number;
  readonly timeoutMs: number;
  /** For a query with a tail; see QueryTree. */
  readonly range?: TailRange;
  /** Whose turn the query takes. Tenants that run long queries do not delay those of another. Default: one for all. */
  readonly tenant?: string;
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

/** These projects, or with `others` all but these; entries without a project are among the others. */
export interface ProjectChoice {
  readonly projects: readonly string[];
  readonly others: boolean;
}

export type FieldPlaces = readonly FieldPlace[];

export interface LogStore {
  /**
   * Appends all entries or none; durable when it resolves. Appends that wait take the share of a tenant; default: one for all.
   * Throws LogStoreBusyError (backpressure) or LogStoreUnavailableError.
   */
  append(
    source: LogSource,
    entries: readonly LogEntry[] | PackedEntries,
    tenant?: string,
  ): Promise<AppendedEntries>;
  /** Runs the query. Throws LogQueryFailedError, LogStoreBusyError or LogStoreUnavailableError. */
  run(query: CheckedQuery, options: RunOptions): Promise<LogRows>;
  /** Reads every entry, so that a damaged one shows. Throws as `run` does; the limit is for one source. */
  readAll(timeoutMs: number): Promise<void>;
  /** The names of all sources: BUILT_IN_SOURCES, then the installation's own in the order of their creation. */
  sources(): Promise<readonly LogSource[]>;
  /**
   * Adds a source of the installation's own, for good. One that is there stays as it is. `source`: see `isSourceName`. Entries of
   * a source that is not there are refused.
   */
  addSource(source: LogSource): Promise<void>;
  /** Returns the fields of a project; null: of all projects. It has the fields of each append that was answered before. */
  catalogue(project: string | null): Promise<FieldCatalogue>;
  /**
   * Looks for a project whose entries have so many of the candidates. A candidate is a field in any of its places. Returns the
   * indexes of those that one such project has; null: there is none.
   */
  projectWith(candidates: readonly FieldPlaces[], atLeast: number): Promise<readonly number[] | null>;
  /** Returns the position of the last acknowledged entry; 0: there is none. All entries up to it can be read. */
  position(): Promise<number>;
  /** Calls `listener` after each acknowledged append through this store. Returns what ends the calls. */
  onAppend(listener: () => void): () => void;
  /** Removes entries before `timestamp` (microseconds since 1970, exclusive), default of all projects. Returns how many. */
  removeBefore(source: LogSource, timestamp: number, whose?: ProjectChoice): Promise<number>;
  /** Entries in each source, for operators. */
  counts(): Promise<Readonly<Record<LogSource, number>>>;
  /**
   * Writes a consistent copy of the store to this absolute path, where no file may exist. Appends continue meanwhile.
   * Throws LogStoreUnavailableError.
   */
  backup(path: string): Promise<void>;
  /** Finishes the calls under way, then frees all resources. */
  close(): Promise<void>;
}

/** Why a checked query failed. */
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

/** Backpressure: the store's queue is full. Nothing was done; the caller may retry. */
export class LogStoreBusyError extends Error {
  constructor() {
    super('the log store is busy; try again later');
    this.name = 'LogStoreBusyError';
  }
}

export class LogStoreUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LogStoreUnavailableError';
  }
}

/** The engine found content that is not what was written. An operator has to restore the file, or make a new one. */
export class LogsDamagedError extends LogStoreUnavailableError {}

/** Injection token of the LogStore. */
export const LOG_STORE = Symbol('LogStore');
