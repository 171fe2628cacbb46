/**
 * The rows of the event file: how they are found, and how each becomes its event. A row that is not what was written is
 * refused. The checksum of an event covers its whole row and the names that the row refers to. The chain adds it to the
 * checksums of all events before, so that the scrub notices an event that was dropped or replaced. Events from before
 * checksums get theirs in the background (stamping.ts).
 */
import type Database from 'better-sqlite3';
import {
  EventDamagedError,
  type EventMetadata,
  type RecordedEvent,
} from '../../../foundation/event-store/event-store.js';
import { checksumOf, type StoredEvent } from './group-commit.js';
import type { StoredMetadata } from './schema.js';
import {
  type ContentRow,
  type Direction,
  type EventRow,
  isIn,
  type prepareReads,
  prepareTyped,
  type Range,
  type RangeStatement,
  restBehind,
  type TypedStatements,
} from './statements.js';

interface Rows {
  readonly rows: readonly EventRow[];
  /** What is left of the range; null when it has been read to its end. */
  readonly rest: Range | null;
}

/** So many positions are looked through for the wanted types before the index of types is asked where they are. */
const WINDOW = 4_096;
/** Below one wanted event in so many, the index is the shorter way. */
const SPARSE = 8;

/**
 * Finds the rows of a range of positions, all of them or those of some types. Rare types are found by their index, frequent
 * ones by looking through the range.
 */
export class EventRows {
  readonly #database: Database.Database;
  readonly #statements: ReturnType<typeof prepareReads>;
  readonly #types = new Map<string, number>();
  readonly #typeNames = new Map<number, string>();
  /** Statements for the lists of types asked for, by direction and type ids: a handful for the life of a process. */
  readonly #typed = new Map<string, TypedStatements>();

  constructor(database: Database.Database, statements: ReturnType<typeof prepareReads>) {
    this.#database = database;
    this.#statements = statements;
  }

  /** The first (or, backwards, the last) rows of the range, `limit` at most. `types`: absent means all. */
  read(range: Range, direction: Direction, limit: number, types?: readonly string[]): Rows {
    return types
      ? this.#ofTypes(range, direction, limit, types)
      : this.#run(this.#statements[direction], range, direction, limit);
  }

  typeName(id: number): string {
    if (!this.#typeNames.has(id)) this.#learnTypes();
    return this.#typeNames.get(id) ?? '';
  }

  /** Looks through a window; where it shows that the wanted types are rare, lets the index find them. */
  #ofTypes(range: Range, direction: Direction, limit: number, types: readonly string[]): Rows {
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
    const rest = restBehind(last[0], range, direction);
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

  #learnTypes(): void {
    if (this.#statements.typeCount.get() === this.#types.size) return;
    for (const { id, name } of this.#statements.types.all()) {
      this.#types.set(name, id);
      this.#typeNames.set(id, name);
    }
  }
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

// --- events ---------------------------------------------------------------------------------------------------------

/** From the 32 hexadecimal digits of a row. */
export const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

export const storedEvent = (
  row: readonly [...content: ContentRow, ...rest: unknown[]],
  stream: string,
  type: string,
): StoredEvent => ({
  position: row[0],
  stream,
  revision: row[2],
  id: uuid(row[3]),
  type,
  data: row[5],
  metadata: row[6],
  recordedAt: row[7],
});

/** Why the event is not what was written. Null: it is, or it is from before checksums. */
export const faultOf = (event: StoredEvent, checksum: number | null, unstamped: Range): string | null => {
  if (checksum === null) return isIn(unstamped, event.position) ? null : 'it has no checksum';
  return checksumOf(event) === checksum ? null : 'its checksum does not fit its content';
};

/** Throws EventDamagedError. */
export const decodeEvent = (row: EventRow, stream: string, type: string, unstamped: Range): RecordedEvent => {
  const event = storedEvent(row, stream, type);
  const { position, revision, id, data, metadata, recordedAt } = event;
  const fault = faultOf(event, row[8], unstamped);
  if (fault !== null) throw new EventDamagedError(stream, revision, fault);
  try {
    return {
      position,
      stream,
      revision,
      id,
      type,
      data: JSON.parse(data) as object,
      metadata: decodeMetadata(metadata),
      recordedAt,
    };
  } catch {
    throw new EventDamagedError(stream, revision, 'its content is no JSON');
  }
};

const decodeMetadata = (text: string): EventMetadata => {
  const [schema, actor, correlationId, keyId, causationId, accountId] = JSON.parse(text) as StoredMetadata;
  return {
    actor,
    ...(typeof keyId === 'string' && { keyId }),
    ...(typeof accountId === 'string' && { accountId }),
    correlationId,
    ...(typeof causationId === 'string' && { causationId }),
    schema,
  };
};
