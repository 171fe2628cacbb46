/**
 * The tallies of a generation, in the row that has its position, so that they land on a page that each commit writes anyhow:
 * for each table its rows, the sum of their checksums, and how many rows each index lists. sqlite-commits.ts keeps them.
 */
import type Database from 'better-sqlite3';
import { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import { EMPTY_TALLY, SUM_MODULUS, type Tally } from '../../../foundation/read-models/tally.js';
import type { SqliteTable } from './sqlite-tables.js';

export interface TableTally extends Tally {
  /** Rows in each index, by the key of the index. An index of other code is missing. */
  readonly listed: Readonly<Record<string, number>>;
}

export const EMPTY_TABLE: TableTally = { ...EMPTY_TALLY, listed: {} };

/** By collection. One without rows may be missing. */
type Tallies = Map<string, TableTally>;

/** As the row has them, by collection. */
export type StoredTallies = Record<string, StoredTally>;
export type StoredTally = readonly [rows: number, sum: number, listed: TableTally['listed']];

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

const decode = (content: string, generation: number): Tallies => {
  const entries = Object.entries(storedTallies(content, generation));
  return new Map(entries.map(([collection, [rows, sum, listed]]) => [collection, { rows, sum, listed }]));
};

/** Throws DamagedGenerationError when the text is none that a commit writes. */
export const storedTallies = (content: string, generation: number): StoredTallies => {
  const stored = parsed(content);
  if (areTallies(stored)) return stored;
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
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};

const areTallies = (stored: object | null): stored is StoredTallies =>
  stored !== null && Object.values(stored).every(isTally);

const isTally = (value: unknown): value is StoredTally =>
  Array.isArray(value) &&
  typeof value[0] === 'number' &&
  typeof value[1] === 'number' &&
  typeof value[2] === 'object' &&
  value[2] !== null;

const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
