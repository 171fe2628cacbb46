/**
 * The log entries of the last day that broke a rule, for those who look into what a sender does wrong. They hold parts of what
 * was sent, so they are no events. No record of `records()`: they are worth nothing a day later.
 */

export interface StoredRefusedEntry {
  /** Orders entries by time: begins as `auditTime` has it. */
  readonly entryId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whose share of the list it takes. */
  readonly sender: string;
  /** Null: it names none, and its sender may write into several. */
  readonly project: string | null;
  readonly source: string;
  /** Of the entry among those of its body, from 0. */
  readonly index: number;
  /** Its path in the body, such as `batch[3]`; empty for the body itself. */
  readonly place: string;
  readonly reason: string;
  /** The start of its JSON. */
  readonly entry: string;
}

export interface RefusedEntryQuery {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly project?: string;
  readonly source?: string;
  /** The last entry of the page before. */
  readonly after?: string;
  readonly limit: number;
}

export interface RefusedEntryStore {
  /** Adds entries. Of each of their senders the newest `keep` stay. */
  append(entries: readonly StoredRefusedEntry[], keep: number): Promise<void>;
  /** Newest first. */
  page(query: RefusedEntryQuery): Promise<readonly StoredRefusedEntry[]>;
  /** Removes the entries from before this time, in milliseconds since 1970. */
  removeBefore(at: number): Promise<void>;
}
