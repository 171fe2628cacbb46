/**
 * What the alerts and the drains of the logs have and did, and saved filters: a row for each alert, for each of its runs, for each drain and filter. A row has a
 * revision, so of several nodes one gets a run. They hold the addresses and secrets of receivers, so they are no events.
 */

export interface AlertRow {
  /** `alertKeys` makes them. */
  readonly key: string;
  /** 1 when it is inserted, one more with each change. */
  readonly revision: number;
  /** When one of its messages is to be sent, in milliseconds since 1970; null: none waits. */
  readonly wakesAt: number | null;
  /** JSON, as src/logs/alerts/alert-book.ts, src/logs/drains/drain-book.ts and src/logs/saved-filters/saved-filters.ts write it. */
  readonly data: string;
}

/** The keys from the first text up to the second, which it leaves out. */
export type KeyRange = readonly [from: string, to: string];

export interface AlertStore {
  /** Inserts the rows in their order, up to the first whose key is taken. Returns whether it inserted all. */
  insert(rows: readonly AlertRow[]): Promise<boolean>;
  /** Replaces the row that has this key and the revision before. Returns whether there is one. */
  replace(row: AlertRow): Promise<boolean>;
  /** Null when there is none. */
  read(key: string): Promise<AlertRow | null>;
  /** The last key first. */
  range(range: KeyRange, limit: number): Promise<readonly AlertRow[]>;
  /** Rows with messages that are to be sent by now, in milliseconds since 1970; the longest waiting first. */
  waking(now: number, limit: number): Promise<readonly AlertRow[]>;
  remove(range: KeyRange): Promise<void>;
}

/** Keys of rows. `;` is the character behind `:`. */
export const alertKeys = {
  alert: (alertId: string): string => `alert:${alertId}`,
  /** Of one row. */
  only: (key: string): KeyRange => [key, `${key}\0`],
  drain: (drainId: string): string => `drain:${drainId}`,
  allDrains: ['drain:', 'drain;'] as KeyRange,
  /** `name` has no `:`. `project` null: of all. */
  filter: (project: string | null, name: string): string =>
    `filter:${name}:${project === null ? '' : `=${project}`}`,
  allFilters: ['filter:', 'filter;'] as KeyRange,
  allAlerts: ['alert:', 'alert;'] as KeyRange,
  /** `dueAt`: milliseconds since 1970. The keys of an alert's runs have the order of their times. */
  run: (alertId: string, dueAt: number): string => `run:${alertId}:${timePart(dueAt)}`,
  /** The runs that were due before this time. Default: all of the alert. */
  runs: (alertId: string, before?: number): KeyRange => [
    `run:${alertId}:`,
    before === undefined ? `run:${alertId};` : `run:${alertId}:${timePart(before)}`,
  ],
};

const timePart = (at: number): string => at.toString(16).padStart(12, '0');
