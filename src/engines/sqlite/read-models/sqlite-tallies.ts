/**
 * The tallies of all tables in one table of the file: rows and the sum of their checksums for each collection of a
 * generation, rows for each of its indexes. A writer learns the checksum that it replaces from the statement that
 * replaces it, which costs no read.
 */
import type Database from 'better-sqlite3';
import { SUM_MODULUS } from '../../../foundation/read-models/tally.js';
import type { SqliteTable } from './sqlite-tables.js';

const SUM_BITS = SUM_MODULUS - 1;

export const createTallies = (db: Database.Database): void => {
  db.exec(`
    CREATE TABLE IF NOT EXISTS tallies (
      name TEXT PRIMARY KEY,
      generation INTEGER NOT NULL,
      rows INTEGER NOT NULL,
      sum INTEGER NOT NULL
    ) WITHOUT ROWID;
  `);
};

/** Parameters: the name of a table or index. Nothing: code that keeps no tallies has written to the generation. */
export const SELECT_ROWS = `SELECT rows FROM tallies JOIN generations ON number = generation
  WHERE name = ? AND tallied = position`;

/** Gives a new table its tally, and its indexes theirs. */
export const emptyTallies = (table: SqliteTable): string =>
  namesOf(table)
    .map((name) => `INSERT OR IGNORE INTO tallies VALUES (${quotedText(name)}, ${table.generation}, 0, 0)`)
    .join(';');

/** Counts the tables of a generation anew, with all their indexes. */
export const countAgain = (generation: number, tables: readonly SqliteTable[]): string =>
  [
    `DELETE FROM tallies WHERE generation = ${generation}`,
    ...tables.flatMap((table) => [
      `INSERT INTO tallies SELECT ${quotedText(table.name)}, ${generation}, rows, sum FROM (${tallyOf(table.name)})`,
      ...table.indexes.map(
        (index) =>
          `INSERT INTO tallies SELECT ${quotedText(table.indexName(index))}, ${generation}, rows, 0 FROM (${table.countIndex(index)})`,
      ),
    ]),
    `UPDATE generations SET tallied = position WHERE number = ${generation}`,
  ].join(';');

/** Whether every table and index of the generation has its tally, and only code that keeps them has written. */
export const isTallied = (db: Database.Database, tables: readonly SqliteTable[]): boolean => {
  const known = db.prepare<[string], number>(SELECT_ROWS).pluck();
  return tables.flatMap(namesOf).every((name) => known.get(name) !== undefined);
};

export const forgetTallies = (db: Database.Database): void => {
  db.exec('DELETE FROM tallies WHERE generation NOT IN (SELECT number FROM generations)');
};

/** How many documents the live generations have. 0: not known. */
export const talliedRows = (db: Database.Database): number => {
  if (!hasTallies(db)) return 0;
  const rows = db.prepare<[], number | null>(
    `SELECT sum(rows) FROM generation_tables JOIN generations ON number = generation_tables.generation
     JOIN tallies USING (name) WHERE state = 'live'`,
  );
  return rows.pluck().get() ?? 0;
};

/** False on a connection that only reads, where it is the first of this version. */
export const hasTallies = (db: Database.Database): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'tallies'`).get() !== undefined;

/** Rows and sum of what is in the table. A row of older code has no checksum and adds none. */
export const tallyOf = (table: string): string =>
  `SELECT count(*) AS rows, ifnull(sum(sum), 0) & ${SUM_BITS} AS sum FROM "${table}" NOT INDEXED`;

const namesOf = (table: SqliteTable): readonly string[] => [
  table.name,
  ...table.indexes.map((index) => table.indexName(index)),
];

const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A row that a statement has replaced or removed. */
export interface RowBefore {
  /** Null: older code wrote it. */
  readonly sum: number | null;
  /** Bit `n` is set when the index at place `n` of the table lists it. */
  readonly lists: number;
}

/** What a transaction changes in the tallies of one table. */
class TallyChange {
  rows = 0;
  sum = 0;
  readonly listed: number[];

  constructor(readonly table: SqliteTable) {
    this.listed = table.indexes.map(() => 0);
  }

  count(lists: number, by: 1 | -1): void {
    for (let at = 0; at < this.listed.length; at += 1)
      if ((lists & (1 << at)) !== 0) this.listed[at] = (this.listed[at] ?? 0) + by;
  }
}

/** The changes of the tallies in the transaction of one connection. */
export class TallyKeeper {
  readonly #db: Database.Database;
  readonly #add: Database.Statement<[number, number, string]>;
  readonly #changes = new Map<string, TallyChange>();
  /** Tables of which only the tallies are left that this code keeps. */
  readonly #kept = new Set<string>();
  #before: RowBefore | null = null;

  /** Defines `replaced(sum, next, lists)`: it returns `next`, and the keeper learns what was there. */
  constructor(db: Database.Database) {
    this.#db = db;
    this.#add = db.prepare(
      `UPDATE tallies SET rows = rows + ?, sum = (sum + CAST(? AS INTEGER)) & ${SUM_BITS} WHERE name = ?`,
    );
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
    const change = this.#changeOf(table);
    if (before) {
      change.rows -= 1;
      change.sum -= before.sum ?? 0;
    }
    if (after) {
      change.rows += 1;
      change.sum += after.sum ?? 0;
    }
    change.sum %= SUM_MODULUS;
    if (before?.lists === after?.lists) return;
    if (before) change.count(before.lists, -1);
    if (after) change.count(after.lists, 1);
  }

  /** Call it at the end of the transaction. */
  flush(): void {
    for (const { table, rows, sum, listed } of this.#changes.values()) {
      this.#forgetOtherIndexes(table);
      if (rows !== 0 || sum !== 0) this.#add.run(rows, sum, table.name);
      for (const [at, index] of table.indexes.entries()) {
        const count = listed[at] ?? 0;
        if (count !== 0) this.#add.run(count, 0, table.indexName(index));
      }
    }
    this.discard();
  }

  /** Call it when the transaction was rolled back. */
  discard(): void {
    this.#changes.clear();
    this.#before = null;
  }

  /** Indexes of older or newer code, of which this code does not know what they list. */
  #forgetOtherIndexes(table: SqliteTable): void {
    if (this.#kept.has(table.name)) return;
    const own = namesOf(table).map(quotedText).join(', ');
    this.#db
      .prepare(`DELETE FROM tallies WHERE name > ? AND name < ? AND name NOT IN (${own})`)
      .run(`${table.name}__`, `${table.name}_\``);
    this.#kept.add(table.name);
  }

  #changeOf(table: SqliteTable): TallyChange {
    let change = this.#changes.get(table.name);
    if (!change) {
      change = new TallyChange(table);
      this.#changes.set(table.name, change);
    }
    return change;
  }
}
