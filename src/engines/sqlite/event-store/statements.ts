/**
 * The SQL with which the event file is read and written. Statements are prepared once for each connection; those for lists of types
 * with the first use of the list.
 */
import type Database from 'better-sqlite3';
import { writeMeta } from './meta.js';

/** position, stream, revision, id as 32 hexadecimal digits, type, data, metadata, recorded_at, checksum */
export type EventRow = readonly [...content: ContentRow, checksum: number | null];

/** What its checksum covers. */
export type ContentRow = readonly [
  position: number,
  stream: number,
  revision: number,
  id: string,
  type: number,
  data: string,
  metadata: string,
  recordedAt: number,
];

export const EVENT_COLUMNS =
  'position, stream, revision, lower(hex(id)), type, data, metadata, recorded_at, checksum';

export type Direction = 'forwards' | 'backwards';

/** The positions after `above` up to `upTo`. */
export interface Range {
  readonly above: number;
  readonly upTo: number;
}

export type RangeStatement = Database.Statement<[Range & { readonly limit: number }], EventRow>;

const RANGE = 'position > @above AND position <= @upTo';
const ORDER: Record<Direction, string> = {
  forwards: 'ORDER BY position',
  backwards: 'ORDER BY position DESC',
};

const prepareRange = (database: Database.Database, where: string, order: string): RangeStatement =>
  database
    .prepare<[Range & { readonly limit: number }], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE ${where} ${order} LIMIT @limit`,
    )
    .raw();

/** Statements for one list of types: one looks through all events, one asks the index. */
export interface TypedStatements {
  readonly scan: RangeStatement;
  readonly index: RangeStatement;
}

export const prepareTyped = (
  database: Database.Database,
  ids: readonly number[],
  direction: Direction,
): TypedStatements => {
  const order = ORDER[direction];
  const ofEach = ids.map((id) => `SELECT position FROM events WHERE type = ${id} AND ${RANGE}`);
  const merged = `${ofEach.join(' UNION ALL ')} ${order} LIMIT @limit`;
  return {
    // The plus sign keeps SQLite from using the index of types here.
    scan: prepareRange(database, `${RANGE} AND +type IN (${ids})`, order),
    index: prepareRange(database, `position IN (${merged})`, order),
  };
};

/** For readers. */
export const prepareReads = (database: Database.Database) => ({
  head: database.prepare<[], number | null>('SELECT max(position) FROM events').pluck(),
  chain: database.prepare<[number], number | null>('SELECT chain FROM events WHERE position = ?').pluck(),
  streamId: database.prepare<[string], number>('SELECT id FROM streams WHERE name = ?').pluck(),
  // A flipped bit can make bytes of a text.
  streamName: database
    .prepare<[number], string>('SELECT CAST(name AS TEXT) FROM streams WHERE id = ?')
    .pluck(),
  typeCount: database.prepare<[], number>('SELECT count(*) FROM types').pluck(),
  types: database.prepare<[], { id: number; name: string }>(
    'SELECT id, CAST(name AS TEXT) AS name FROM types',
  ),
  streamForwards: database
    .prepare<[number, number, number], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`,
    )
    .raw(),
  streamBackwards: database
    .prepare<[number, number, number], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE stream = ? AND revision <= ? ORDER BY revision DESC LIMIT ?`,
    )
    .raw(),
  forwards: prepareRange(database, RANGE, ORDER.forwards),
  backwards: prepareRange(database, RANGE, ORDER.backwards),
});

/** The place of an event, or of the last one of a stream. */
export interface Place {
  readonly revision: number;
  readonly position: number;
}

/** For the writer. */
export const prepareAppends = (database: Database.Database) => ({
  begin: database.prepare('BEGIN IMMEDIATE'),
  commit: database.prepare('COMMIT'),
  rollback: database.prepare('ROLLBACK'),
  head: database.prepare<[], { readonly position: number; readonly chain: number | null }>(
    'SELECT position, chain FROM events ORDER BY position DESC LIMIT 1',
  ),
  streamId: database.prepare<[string], number>('SELECT id FROM streams WHERE name = ?').pluck(),
  addStream: database.prepare<[string]>('INSERT INTO streams (name) VALUES (?)'),
  streamHead: database.prepare<[number], Place>(
    'SELECT revision, position FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1',
  ),
  typeId: database.prepare<[string], number>('SELECT id FROM types WHERE name = ?').pluck(),
  addType: database.prepare<[string]>('INSERT INTO types (name) VALUES (?)'),
  find: database.prepare<[string, number], Place>(
    "SELECT revision, position FROM events WHERE id = unhex(?, '-') AND stream = ?",
  ),
  insert: database.prepare<[number, number, number, string, number, string, string, number, number, number]>(
    "INSERT INTO events VALUES (?, ?, ?, unhex(?, '-'), ?, ?, ?, ?, ?, ?)",
  ),
});

/** In `meta`: the last event from before checksums, and the last of these that has one by now. */
const CHECKSUMS_AFTER = 'checksums_after';
const STAMPED_TO = 'stamped_to';

/** The events from before checksums that have none yet. */
export const prepareUnstamped = (database: Database.Database): (() => Range) => {
  const read = database.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck();
  const number = (name: string): number => Number(read.get(name) ?? 0);
  return () => ({ above: number(STAMPED_TO), upTo: number(CHECKSUMS_AFTER) });
};

/** All events up to this one have their checksums. The caller runs the transaction. */
export const writeStamped = (database: Database.Database, position: number): void =>
  writeMeta(database, { [STAMPED_TO]: String(position) });

/** What is left of the range behind this position. */
export const restBehind = (position: number, { above, upTo }: Range, direction: Direction): Range =>
  direction === 'forwards' ? { above: position, upTo } : { above, upTo: position - 1 };

export const isIn = ({ above, upTo }: Range, position: number): boolean =>
  position > above && position <= upTo;
