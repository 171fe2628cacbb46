/**
 * Reads the event file on the caller's thread, in chunks. Positions are given in the order of commit and a commit is
 * seen whole, so a reader that has read up to a position has missed nothing before it.
 */
import type Database from 'better-sqlite3';
import type {
  EventFilter,
  Position,
  ReadStreamOptions,
  RecordedEvent,
} from '../../../foundation/event-store/event-store.js';
import { decodeEvent, EVENT_COLUMNS, type EventRow } from './codec.js';
import { openForReading } from './schema.js';

type Direction = 'forwards' | 'backwards';

/** The positions after `above` up to `upTo`. */
export interface Range {
  readonly above: Position;
  readonly upTo: Position;
}

export interface Chunk {
  readonly events: readonly RecordedEvent[];
  /** What is left of the range; null when it has been read to its end. */
  readonly rest: Range | null;
}

/** So many positions are looked through for the wanted types before the index of types is asked where they are. */
const WINDOW = 4_096;
/** Below one wanted event in so many, the index is the shorter way. */
const SPARSE = 8;
/** Known stream names; forgotten all at once when there are more, which costs one lookup each. */
const MAX_STREAM_NAMES = 100_000;

export class EventReader {
  readonly #database: Database.Database;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #streamNames = new Map<number, string>();
  readonly #types = new Map<string, number>();
  readonly #typeNames = new Map<number, string>();
  /** Statements for the lists of types asked for, by direction and type ids: a handful for the life of a process. */
  readonly #typed = new Map<string, TypedStatements>();

  constructor(path: string) {
    this.#database = openForReading(path);
    this.#statements = prepare(this.#database);
  }

  head(): Position {
    return this.#statements.head.get() ?? 0;
  }

  readStream(stream: string, options: ReadStreamOptions = {}): readonly RecordedEvent[] | null {
    const streamId = this.#statements.streamId.get(stream);
    if (streamId === undefined) return null;
    const { from, direction = 'forwards', limit = -1 } = options;
    const rows =
      direction === 'forwards'
        ? this.#statements.streamForwards.all(streamId, from ?? 0, limit)
        : this.#statements.streamBackwards.all(streamId, from ?? Number.MAX_SAFE_INTEGER, limit);
    return rows.map((row) => decodeEvent(row, stream, this.#typeName(row[4])));
  }

  /** The first (or, backwards, the last) events of the range that the filter lets through, `limit` at most. */
  readRange(range: Range, direction: Direction, limit: number, filter: EventFilter = {}): Chunk {
    const { rows, rest } = filter.types
      ? this.#rowsOfTypes(range, direction, limit, filter.types)
      : this.#run(this.#statements[direction], range, direction, limit);
    const { streamPrefix } = filter;
    const events: RecordedEvent[] = [];
    for (const row of rows) {
      const stream = this.#streamName(row[1]);
      if (streamPrefix !== undefined && !stream.startsWith(streamPrefix)) continue;
      events.push(decodeEvent(row, stream, this.#typeName(row[4])));
    }
    return { events, rest };
  }

  close(): void {
    this.#database.close();
  }

  /** Looks through a window; where it shows that the wanted types are rare, lets the index find them. */
  #rowsOfTypes(range: Range, direction: Direction, limit: number, types: readonly string[]): Rows {
    const ids = this.#typeIds(types);
    if (ids.length === 0) return { rows: [], rest: null };
    const typed = this.#typedStatements(ids, direction);
    const { window, beyond } = splitWindow(range, direction);
    const near = this.#run(typed.scan, window, direction, limit);
    if (near.rest) return { rows: near.rows, rest: joined(near.rest, range, direction) };
    if (!beyond || near.rows.length * SPARSE >= WINDOW) return { rows: near.rows, rest: beyond };
    return this.#run(typed.index, range, direction, limit);
  }

  #run(statement: RangeStatement, range: Range, direction: Direction, limit: number): Rows {
    const rows = statement.all({ ...range, limit });
    const last = rows.at(-1);
    if (!last || rows.length < limit) return { rows, rest: null };
    const [position] = last;
    const rest =
      direction === 'forwards'
        ? { above: position, upTo: range.upTo }
        : { above: range.above, upTo: position - 1 };
    return { rows, rest: rest.above < rest.upTo ? rest : null };
  }

  #typedStatements(ids: readonly number[], direction: Direction): TypedStatements {
    const key = `${direction} ${ids}`;
    const known = this.#typed.get(key) ?? prepareTyped(this.#database, ids, direction);
    this.#typed.set(key, known);
    return known;
  }

  #typeIds(types: readonly string[]): number[] {
    if (types.some((type) => !this.#types.has(type))) this.#learnTypes();
    return types.flatMap((type) => this.#types.get(type) ?? []);
  }

  #typeName(id: number): string {
    if (!this.#typeNames.has(id)) this.#learnTypes();
    return this.#typeNames.get(id) ?? '';
  }

  #learnTypes(): void {
    if (this.#statements.typeCount.get() === this.#types.size) return;
    for (const { id, name } of this.#statements.types.all()) {
      this.#types.set(name, id);
      this.#typeNames.set(id, name);
    }
  }

  #streamName(id: number): string {
    const known = this.#streamNames.get(id);
    if (known !== undefined) return known;
    const name = this.#statements.streamName.get(id) ?? '';
    if (this.#streamNames.size >= MAX_STREAM_NAMES) this.#streamNames.clear();
    this.#streamNames.set(id, name);
    return name;
  }
}

interface Rows {
  readonly rows: readonly EventRow[];
  readonly rest: Range | null;
}

/** The first window of the range in reading direction, and what is beyond it. */
const splitWindow = (
  { above, upTo }: Range,
  direction: Direction,
): { window: Range; beyond: Range | null } => {
  if (upTo - above <= WINDOW) return { window: { above, upTo }, beyond: null };
  const low = { above, upTo: above + WINDOW };
  const high = { above: upTo - WINDOW, upTo };
  return direction === 'forwards'
    ? { window: low, beyond: { above: low.upTo, upTo } }
    : { window: high, beyond: { above, upTo: high.above } };
};

/** What is left of a window, with what is beyond it. */
const joined = (rest: Range, range: Range, direction: Direction): Range =>
  direction === 'forwards'
    ? { above: rest.above, upTo: range.upTo }
    : { above: range.above, upTo: rest.upTo };

type RangeStatement = Database.Statement<[Range & { readonly limit: number }], EventRow>;

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

interface TypedStatements {
  readonly scan: RangeStatement;
  readonly index: RangeStatement;
}

const prepareTyped = (
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

const prepare = (database: Database.Database) => ({
  head: database.prepare<[], number | null>('SELECT max(position) FROM events').pluck(),
  streamId: database.prepare<[string], number>('SELECT id FROM streams WHERE name = ?').pluck(),
  streamName: database.prepare<[number], string>('SELECT name FROM streams WHERE id = ?').pluck(),
  typeCount: database.prepare<[], number>('SELECT count(*) FROM types').pluck(),
  types: database.prepare<[], { id: number; name: string }>('SELECT id, name FROM types'),
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
