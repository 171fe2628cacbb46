/**
 * The documents of the read-model store in MongoDB: rows, with one MongoDB collection for each collection of a
 * generation; the log of decisions about generations; the journal with the writes and replaced rows of commits; leases.
 */
import type { Binary } from 'mongodb';
import type { Position } from '../../../foundation/event-store/event-store.js';
import type { ShardKey, ShardKeys } from '../shard-keys.js';
import type { Tallies } from './tallies.js';

/** Rows are written by their ids, all of a rebuild at once. An index is read on all shards, whose parts mongos merges. */
export const ROW_SHARD_KEY: ShardKey = 'hashed';

export const READ_MODEL_SHARD_KEYS: ShardKeys = {
  // A minute of decisions. A snapshot begins at the last one.
  log: 'ranged',
  // Text of every commit, read by its ids.
  journal: 'hashed',
  leases: 'ranged',
  cached_results: 'hashed',
  snapshots: 'hashed',
  // The requests of a lineage, whose number their ids begin with, are dropped together.
  used_requests: 'ranged',
};

/** One document of a projection. A removed one stays as a tombstone, so that no late write restores it. */
export interface RowDocument {
  readonly _id: string;
  readonly r: Row;
}

/**
 * Written by `$max`, which compares fields in their order, so `at` must be the first. An older write, or the same write
 * again, changes nothing.
 */
export interface Row {
  /** Position of the event that caused the write. */
  readonly at: Position;
  /** The document's JSON; absent in a tombstone. */
  readonly b?: string;
  /** Index keys by index name, without the indexes that leave the document out. */
  readonly k?: Readonly<Record<string, string>>;
  /** Checksum of `b`; of a tombstone that of the empty text. Absent: older code wrote the row. */
  readonly s?: number;
}

export type Phase = 'live' | 'building' | 'retired';

/** A generation at an entry of the log. */
export interface GenerationState {
  readonly number: number;
  readonly projection: string;
  readonly version: number;
  readonly storeId: string;
  readonly position: Position;
  readonly phase: Phase;
  /** Sequence of the last entry that wrote its rows; 0: none. */
  readonly entry: number;
  /** Absent: older code has begun the generation. */
  readonly tallies?: Tallies;
}

/** The state of all generations at an entry of the log. */
export interface Bookkeeping {
  readonly sequence: number;
  readonly nextNumber: number;
  readonly generations: readonly GenerationState[];
}

/** A generation that an entry advanced, and its position before. */
export interface Step {
  readonly generation: number;
  readonly from: Position;
}

/**
 * One decision. Its id is its place in the log, so of two concurrent processes one is refused. It is final once it is in
 * the log. Readers see it when `applied` says that its rows are written.
 */
export interface LogEntry extends Bookkeeping {
  readonly _id: string;
  readonly steps: readonly Step[];
  /** Token of its part of the journal; null: it writes no rows. */
  readonly token: string | null;
  /** How many journal documents it has of each kind. */
  readonly redo: number;
  readonly undo: number;
  readonly applied: boolean;
  /** Checksum of the decision: all but `applied`, which changes. Absent: older code has decided. */
  readonly sum?: number;
}

/** A part of an entry's writes (`redo`) or of the replaced rows (`undo`), as text. Long texts of rebuilds are compressed. */
export interface JournalDocument {
  readonly _id: string;
  readonly token: string;
  /** Sequence of the log when this was written. It belongs to a later entry, or to none. */
  readonly after: number;
  readonly text: string | Binary;
  /** Checksum of the id and the text. Absent: older code wrote it. */
  readonly sum?: number;
}

export interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  readonly detail: string | null;
  readonly ttlMs: number;
  /** Counts renewals. A node that takes or renews the lease names the renewal that it read. */
  readonly beat: number;
  /** Milliseconds since 1970 by the server's clock. */
  readonly renewedAt: number;
}
