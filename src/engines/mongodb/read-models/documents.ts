/**
 * The documents that the read-model store keeps in MongoDB: rows, one collection for each collection of a generation;
 * the log of what was decided about generations; the journal with what each commit writes and what it replaces; leases.
 */
import type { Binary } from 'mongodb';
import type { Position } from '../../../foundation/event-store/event-store.js';

/** One document of a projection. Removed ones stay as tombstones, so that no late write brings them back. */
export interface RowDocument {
  readonly _id: string;
  readonly r: Row;
}

/**
 * Replaced as a whole by `$max`, which compares fields in their order: `at` has to be the first. So a write that is
 * older than the row changes nothing, and the same write again changes nothing either.
 */
export interface Row {
  /** Position of the event that caused the write. */
  readonly at: Position;
  /** The document's JSON; none in a tombstone. */
  readonly b?: string;
  /** Index keys by the index's name; an index that the document is not in is left out. */
  readonly k?: Readonly<Record<string, string>>;
}

export type Phase = 'live' | 'building' | 'retired';

/** A generation as of some entry of the log. */
export interface GenerationState {
  readonly number: number;
  readonly projection: string;
  readonly version: number;
  readonly storeId: string;
  readonly position: Position;
  readonly phase: Phase;
  /** Sequence of the last entry that wrote rows of it; 0: none has. */
  readonly entry: number;
}

/** What is known of all generations as of some entry. */
export interface Bookkeeping {
  readonly sequence: number;
  readonly nextNumber: number;
  readonly generations: readonly GenerationState[];
}

/** What an entry advanced: the generation, and from where. */
export interface Step {
  readonly generation: number;
  readonly from: Position;
}

/**
 * One decision. Its id is its place in the log, so of two processes that decide at once one is refused. It counts from
 * the moment it is in the log; `applied` says that its rows are in place, and only then do readers see it.
 */
export interface LogEntry extends Bookkeeping {
  readonly _id: string;
  readonly steps: readonly Step[];
  /** Names its part of the journal; null: it writes no rows. */
  readonly token: string | null;
  /** How many journal documents there are of each kind. */
  readonly redo: number;
  readonly undo: number;
  readonly applied: boolean;
}

/** A piece of what an entry writes (`redo`) or of what was there before (`undo`), as text; a rebuild's is packed where it is long. */
export interface JournalDocument {
  readonly _id: string;
  readonly token: string;
  /** Sequence that the log was at when it was written: it belongs to a later entry, or to none. */
  readonly after: number;
  readonly text: string | Binary;
}

export interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  readonly detail: string | null;
  readonly ttlMs: number;
  /** Counts renewals: whoever takes or renews the lease says which one it saw. */
  readonly beat: number;
  /** Milliseconds since 1970 by the server's clock. */
  readonly renewedAt: number;
}
