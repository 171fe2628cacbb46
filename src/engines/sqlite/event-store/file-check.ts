/**
 * Whether the streams of the event file can be trusted: each is read through two indexes, and one that has lost an entry hides
 * an event, or says that a stream is not there. Streams have no gaps, so the index of streams has to hold all events,
 * and of each stream as many as its last revision says. An index can be made anew, as long as all events and names are there.
 */
import type Database from 'better-sqlite3';
import { messageOf } from '../../../foundation/basics/error-message.js';
import type { Damage } from '../../../foundation/integrity/damage.js';
import { faultIn } from '../database-file.js';
import { isDamage } from '../replaceable-file.js';
import { faultOf, storedEvent } from './event-rows.js';
import { openForWriting } from './schema.js';
import { EVENT_COLUMNS, type EventRow, prepareUnstamped, type Range } from './statements.js';

const INDEXES = ['events_of_stream', 'events_by_id', 'events_of_type'];

export interface FileCheck {
  /** Null: nothing was found. */
  readonly damage: Damage | null;
  /** Whether each stream that is read is whole, or refused. */
  readonly isTrusted: boolean;
}

/** `wholly`: includes the engine's own check of all pages, for files up to 64 MB. */
export const checkEventFile = (path: string, { wholly }: { readonly wholly: boolean }): FileCheck => {
  const database = openForWriting(path);
  try {
    const find = (): string | null => faultOfIndexes(database) ?? (wholly ? faultIn(path) : null);
    const fault = find();
    if (fault === null) return { damage: null, isTrusted: true };
    if (hasAllEvents(database) && makesIndexesAnew(database) && find() === null)
      return { damage: damageOf(`${fault}; the indexes were made anew`), isTrusted: true };
    return { damage: damageOf(fault), isTrusted: faultOfIndexes(database) === null };
  } finally {
    database.close();
  }
};

const damageOf = (reason: string): Damage => ({ store: 'events', place: 'the indexes of the file', reason });

const faultOfIndexes = (database: Database.Database): string | null =>
  orFault(() => database.transaction(() => indexFault(database))());

const indexFault = (database: Database.Database): string | null => {
  const one = (sql: string): number => database.prepare<[], number>(sql).pluck().get() ?? 0;
  const head = one('SELECT max(position) FROM events');
  const { events, streams, broken } = ofStreams(database);
  if (broken > 0 || events !== head) return `${events} of ${head} events are in their streams`;
  for (const index of INDEXES) {
    const entries = entriesOf(database, index);
    if (entries !== head) return `index ${index} has ${entries} of ${head} events`;
  }
  const named = one(`SELECT count(*) FROM streams AS named NOT INDEXED WHERE ${isFoundByName('streams')}`);
  if (named !== streams) return `${named} of ${streams} streams are found by their names`;
  const type = typeWithoutName(database);
  return type === undefined ? null : `no name leads to the events of type ${type}`;
};

/**
 * SQL: whether the name of a row leads to it. Asked as readers ask it, by a text: a join on name and id finds entries whose id is
 * cut off, which a reader does not.
 */
const isFoundByName = (table: 'streams' | 'types'): string =>
  `named.id = (SELECT id FROM ${table} AS found INDEXED BY sqlite_autoindex_${table}_1
     WHERE found.name = CAST(named.name AS TEXT))`;

/** The first type whose name does not lead to it, or is confirmed by none of its events: reads by types would miss them. */
const typeWithoutName = (database: Database.Database): number | undefined => {
  const unstamped = prepareUnstamped(database)();
  const next = database
    .prepare<[number], number>('SELECT min(type) FROM events INDEXED BY events_of_type WHERE type > ?')
    .pluck();
  const isFound = database
    .prepare<[number], 1>(
      `SELECT 1 FROM types AS named NOT INDEXED WHERE id = ? AND ${isFoundByName('types')}`,
    )
    .pluck();
  const events = database
    .prepare<[number], NamedRow>(
      `SELECT ${NAMED_COLUMNS} FROM events INDEXED BY events_of_type WHERE type = ?`,
    )
    .raw();
  const isConfirmed = (type: number): boolean => {
    for (const row of events.iterate(type)) if (fits(row, unstamped)) return true;
    return false;
  };
  let last = -1;
  for (let type = next.get(last); typeof type === 'number'; type = next.get(last)) {
    // An index out of order would lead back to types that were looked at.
    if (type <= last || isFound.get(type) !== 1 || !isConfirmed(type)) return type;
    last = type;
  }
  return undefined;
};

interface OfStreams {
  readonly events: number;
  readonly streams: number;
  /** Streams whose entries are not one for each revision. */
  readonly broken: number;
}

const ofStreams = (database: Database.Database): OfStreams =>
  database
    .prepare<[], OfStreams>(
      `SELECT ifnull(sum(entries), 0) AS events, count(*) AS streams,
         ifnull(sum(first <> 0 OR last + 1 <> entries), 0) AS broken
       FROM (SELECT count(*) AS entries, min(revision) AS first, max(revision) AS last
             FROM events INDEXED BY events_of_stream GROUP BY stream)`,
    )
    .get() ?? { events: 0, streams: 0, broken: 0 };

/** Positions have no gaps, each stream has its name, and no index knows of more events. */
const hasAllEvents = (database: Database.Database): boolean => {
  let known = 0;
  for (const index of INDEXES)
    orFault(() => {
      known = Math.max(known, entriesOf(database, index));
      return null;
    });
  return orFault(() => (eventsIn(database) >= known ? null : 'events are missing')) === null;
};

type NamedRow = readonly [...event: EventRow, stream: string | null, type: string | null];

const NAMED_COLUMNS = `${EVENT_COLUMNS}, (SELECT name FROM streams WHERE id = stream), (SELECT name FROM types WHERE id = type)`;

/** Whether the event, its names with it, is what its checksum says. */
const fits = (row: NamedRow, unstamped: Range): boolean =>
  faultOf(storedEvent(row, row[9] ?? '', row[10] ?? ''), row[8], unstamped) === null;

/**
 * 0 when some are missing, or when a name is no text, or confirmed by no event of its stream with a checksum: indexes that
 * are made anew from a changed name would hide the stream.
 */
const eventsIn = (database: Database.Database): number => {
  const unstamped = prepareUnstamped(database)();
  const rows = database
    .prepare<[], NamedRow>(`SELECT ${NAMED_COLUMNS} FROM events NOT INDEXED ORDER BY position`)
    .raw()
    .iterate();
  const confirmed = new Map<number, boolean>();
  let events = 0;
  for (const row of rows) {
    const [position, stream, , , , , , , , name] = row;
    events += 1;
    if (position !== events || typeof name !== 'string') return 0;
    confirmed.set(stream, fits(row, unstamped) || confirmed.get(stream) === true);
  }
  return [...confirmed.values()].every(Boolean) ? events : 0;
};

const entriesOf = (database: Database.Database, index: string): number =>
  database.prepare<[], number>(`SELECT count(*) FROM events INDEXED BY ${index}`).pluck().get() ?? 0;

const makesIndexesAnew = (database: Database.Database): boolean =>
  orFault(() => {
    database.exec('REINDEX');
    return null;
  }) === null;

const orFault = (look: () => string | null): string | null => {
  try {
    return look();
  } catch (error) {
    if (!isDamage(error) && !isConstraint(error)) throw error;
    return messageOf(error);
  }
};

/** Two events that an index would have under one key. */
const isConstraint = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  /^SQLITE_CONSTRAINT/.test(String(error.code));
