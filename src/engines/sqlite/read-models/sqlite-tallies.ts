/**
 * The tallies of a generation, in the row that has its position, so that they land on a page that each commit writes anyhow:
 * for each table its rows, the sum of their checksums, and how many rows each index lists. A writer learns the checksum
 * that it replaces from the statement that replaces it, and has the tallies of its last commit in memory.
 */
import type Database from 'better-sqlite3';
import type { Position } from '../../../foundation/event-store/event-store.js';
import { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import { EMPTY_TALLY, SUM_MODULUS, type Tally, wrapped } from '../../../foundation/read-models/tally.js';
import type { SqliteTable } from './sqlite-tables.js';

export interface TableTally extends Tally {
  /** Rows in each index, by the key of the index. An index of other code is missing. */
  readonly listed: Readonly<Record<string, number>>;
}

export const EMPTY_TABLE: TableTally = { ...EMPTY_TALLY, listed: {} };

/** By collection. One without rows may be missing. */
type Tallies = Map<string, TableTally>;

type EncodedTally = readonly [rows: number, sum: number, listed: TableTally['listed']];

/** Of a generation that code has begun which keeps tallies. */
export const NO_TALLIES = '{}';

/** Counts the tables of a generation anew, with all their indexes. */
export const countAgain = (generation: number, tables: readonly SqliteTable[]): string => {
  const tallies = tables.map((table) => {
    const listed = table.indexes.map(
      (index, at) => `${quotedText(table.indexKeys[at] ?? '')}, (${table.countIndex(index)})`,
    );
    const counted = `json_array(rows, sum, json_object(${listed.join(', ')}))`;
    return `${quotedText(table.collection.name)}, (SELECT ${counted} FROM (${tallyOf(table.name)}))`;
  });
  return `UPDATE generations SET tallied = position, tallies = json_object(${tallies.join(', ')}) WHERE number = ${generation}`;
};

/** Whether the tables have their tallies with all their indexes, and only code that keeps them has written. */
export const isTallied = (
  db: Database.Database,
  generation: number,
  tables: readonly SqliteTable[],
): boolean => {
  const tallies = new TallyReader(db).of(generation);
  return (
    tallies !== null &&
    tables.every(({ collection, indexKeys }) => {
      const { rows, listed } = tallies.get(collection.name) ?? EMPTY_TABLE;
      return rows === 0 || indexKeys.every((key) => listed[key] !== undefined);
    })
  );
};

/** Rows and sum of what is in the table. A row of older code has no checksum and adds none. */
export const tallyOf = (table: string): string =>
  `SELECT count(*) AS rows, ifnull(sum(sum), 0) % ${SUM_MODULUS} AS sum FROM "${table}" NOT INDEXED`;

/** Reads tallies over one connection. */
export class TallyReader {
  readonly #select: Database.Statement<[number], string>;

  constructor(db: Database.Database) {
    this.#select = db
      .prepare<[number], string>('SELECT tallies FROM generations WHERE number = ? AND tallied = position')
      .pluck();
  }

  /** Null: code that keeps no tallies has written to the generation. */
  of(generation: number): Tallies | null {
    const content = this.#select.get(generation);
    return content === undefined ? null : decode(content, generation);
  }

  /** Rows of an index. Null: not known. */
  listedBy(table: SqliteTable, index: string): number | null {
    const tallies = this.of(table.generation);
    if (!tallies) return null;
    const { rows, listed } = tallies.get(table.collection.name) ?? EMPTY_TABLE;
    const key = table.indexKeys[table.indexes.indexOf(index)] ?? '';
    return rows === 0 ? 0 : (listed[key] ?? null);
  }
}

/** Throws DamagedGenerationError when the text is none that this file writes. */
const decode = (content: string, generation: number): Tallies => {
  const entries = Object.entries(parsed(content) ?? { damaged: null });
  if (entries.every((entry): entry is [string, EncodedTally] => isEncodedTally(entry[1])))
    return new Map(entries.map(([collection, [rows, sum, listed]]) => [collection, { rows, sum, listed }]));
  throw new DamagedGenerationError({
    generation,
    place: `the tallies of generation ${generation}`,
    reason: 'they are not what was written',
    extent: 'generation',
  });
};

/** Null: it is no JSON object. */
const parsed = (content: string): object | null => {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
};

const isEncodedTally = (value: unknown): value is EncodedTally =>
  Array.isArray(value) &&
  typeof value[0] === 'number' &&
  typeof value[1] === 'number' &&
  typeof value[2] === 'object' &&
  value[2] !== null;

const encode = (tallies: Tallies): string => {
  const all: Record<string, EncodedTally> = {};
  for (const [collection, { rows, sum, listed }] of tallies) all[collection] = [rows, sum, listed];
  return JSON.stringify(all);
};

const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A row that a statement has replaced or removed. */
export interface RowBefore {
  /** Null: older code wrote it. */
  readonly sum: number | null;
  /** Bit `n` is set when the index at place `n` of the table lists it. */
  readonly lists: number;
}

/** What a transaction changes in the tally of one table. */
class TallyChange {
  readonly #table: SqliteTable;
  #rows = 0;
  #sum = 0;
  readonly #listed: number[];

  constructor(table: SqliteTable) {
    this.#table = table;
    this.#listed = table.indexes.map(() => 0);
  }

  replace(before: RowBefore | null, after: RowBefore | null): void {
    if (before) this.#count(before, -1);
    if (after) this.#count(after, 1);
  }

  /** Leaves out indexes of other code, of which this code does not know what they list. */
  addTo(tallies: Tallies): void {
    const { collection, indexKeys } = this.#table;
    const { rows, sum, listed: before } = tallies.get(collection.name) ?? EMPTY_TABLE;
    const listed: Record<string, number> = {};
    for (const [at, key] of indexKeys.entries()) {
      const count = before[key] ?? (rows === 0 ? 0 : null);
      if (count !== null) listed[key] = count + (this.#listed[at] ?? 0);
    }
    tallies.set(collection.name, { rows: rows + this.#rows, sum: wrapped(sum + this.#sum), listed });
  }

  #count({ sum, lists }: RowBefore, by: 1 | -1): void {
    this.#rows += by;
    this.#sum = (this.#sum + by * (sum ?? 0)) % SUM_MODULUS;
    for (let at = 0; at < this.#listed.length; at += 1)
      if ((lists & (1 << at)) !== 0) this.#listed[at] = (this.#listed[at] ?? 0) + by;
  }
}

/** A commit of one generation, from one position to the next. */
export interface TalliedStep {
  readonly generation: number;
  readonly from: Position;
  readonly to: Position;
}

interface KnownTallies {
  at: Position;
  /** Null: not read yet. */
  tallies: Tallies | null;
}

/** Keeps the tallies in the transactions of one connection. */
export class TallyKeeper {
  readonly #select: Database.Statement<[number], string | null>;
  readonly #update: Database.Statement<[string, number]>;
  /** By generation, then by table. */
  readonly #changes = new Map<number, Map<string, TallyChange>>();
  /** Of this connection's last commits, by generation. */
  readonly #known = new Map<number, KnownTallies>();
  #before: RowBefore | null = null;

  /** Defines `replaced(sum, next, lists)`: it returns `next`, and the keeper learns what was there. */
  constructor(db: Database.Database) {
    this.#select = db
      .prepare<[number], string | null>('SELECT tallies FROM generations WHERE number = ?')
      .pluck();
    this.#update = db.prepare('UPDATE generations SET tallies = ? WHERE number = ?');
    db.function('replaced', { directOnly: true }, (sum, next, lists) => {
      this.#before = { sum: sum === null ? null : Number(sum), lists: Number(lists) };
      return next;
    });
  }

  /** The row that the last statement has replaced. Null: it replaced none. */
  takeReplaced(): RowBefore | null {
    const before = this.#before;
    this.#before = null;
    return before;
  }

  /** Null: there is no such row. */
  replace(table: SqliteTable, before: RowBefore | null, after: RowBefore | null): void {
    let changes = this.#changes.get(table.generation);
    if (!changes) {
      changes = new Map();
      this.#changes.set(table.generation, changes);
    }
    let change = changes.get(table.name);
    if (!change) {
      change = new TallyChange(table);
      changes.set(table.name, change);
    }
    change.replace(before, after);
  }

  /** Call it at the end of the transaction. */
  flush(steps: readonly TalliedStep[]): void {
    for (const { generation, from, to } of steps) {
      let known = this.#known.get(generation);
      if (known?.at !== from) {
        known = { at: from, tallies: null };
        this.#known.set(generation, known);
      }
      known.at = to;
      const changes = this.#changes.get(generation);
      if (changes) this.#write(generation, changes, known);
    }
    this.#changes.clear();
  }

  /** Call it when the transaction was rolled back. */
  discard(): void {
    this.#changes.clear();
    this.#known.clear();
    this.#before = null;
  }

  #write(generation: number, changes: ReadonlyMap<string, TallyChange>, known: KnownTallies): void {
    known.tallies ??= decode(this.#select.get(generation) ?? NO_TALLIES, generation);
    for (const change of changes.values()) change.addTo(known.tallies);
    this.#update.run(encode(known.tallies), generation);
  }
}
