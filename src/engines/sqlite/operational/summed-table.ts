/**
 * The SQL for the checksums of one table. `row_sums` has one for each row. `collection_sums` has the tally of each table: the
 * number of its rows with the sum of their checksums, and how often the table was written (`writes`) and its checksums with
 * it (`summed`). Older code, which knows no checksums, runs the triggers that count writes, and no others. So a tally whose
 * counts differ tells that older code has written. `checksum` holds for the tally: with `writes` added it is the checksum of
 * the rest, and each trigger moves it by what it changes. So a tally that is damaged stays so, whatever is written later.
 */
import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';

export const SUMS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS row_sums (
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (collection, id)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS collection_sums (
    collection TEXT PRIMARY KEY,
    rows INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    writes INTEGER NOT NULL,
    summed INTEGER NOT NULL,
    checksum INTEGER
  );
`;

export const SUMS_TABLES = ['row_sums', 'collection_sums'];

/** SQLite's own table: the last id that was given to a row of each table that never gives one twice. */
export const SEQUENCE = 'sqlite_sequence';

const KINDS = ['INSERT', 'UPDATE', 'DELETE'];

interface Column {
  readonly name: string;
  /** Place in the primary key, from 1; 0: not in it. */
  readonly pk: number;
}

/** The functions that the SQL of this file calls. */
export const addSumFunctions = (db: Database.Database): void => {
  db.function('row_sum', { varargs: true, deterministic: true }, (...parts) => rowSum(parts));
  db.function('tally_sum', { deterministic: true }, (collection, rows, sum, summed) =>
    crc32(JSON.stringify([collection, rows, sum, summed])),
  );
};

/** A column without a value does not count, so a column that newer code adds changes no checksum. */
const rowSum = (parts: readonly unknown[]): number => {
  const row: unknown[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const value = parts[at + 1];
    if (value !== null) row.push(parts[at], value);
  }
  return crc32(JSON.stringify(row));
};

export class SummedTable {
  readonly #columns: readonly Column[];
  readonly #givesIds: boolean;

  constructor(
    db: Database.Database,
    readonly name: string,
  ) {
    this.#columns = db
      .prepare<[string], Column>('SELECT name, pk FROM pragma_table_info(?) ORDER BY cid')
      .all(name);
    this.#givesIds = /\bAUTOINCREMENT\b/.test(
      String(db.prepare<[string], string>('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(name)),
    );
  }

  id(row: string): string {
    const parts = this.#columns.filter(({ pk }) => pk > 0).map(({ name }) => `${row}."${name}"`);
    return `CAST(${parts.join(" || '/' || ")} AS TEXT)`;
  }

  sum(row: string): string {
    return `row_sum(${this.#columns.map(({ name }) => `'${name}', ${row}."${name}"`).join(', ')})`;
  }

  stored(row: string): string {
    return `(SELECT sum FROM row_sums WHERE collection = '${this.name}' AND id = ${this.id(row)})`;
  }

  /** The checksum of the last given id, as it was stored and as it would be now. Null where no id was given yet. */
  get lastId(): { readonly stored: string; readonly now: string } | null {
    return this.#givesIds
      ? {
          stored: `(SELECT sum FROM row_sums WHERE collection = '${SEQUENCE}' AND id = '${this.name}')`,
          now: `(SELECT row_sum('seq', seq) FROM main.${SEQUENCE} WHERE name = '${this.name}')`,
        }
      : null;
  }

  /** `checked`: whether rows that do not fit are refused. */
  views(checked: boolean): string {
    const where = checked ? ` WHERE ${this.#isWhole('t')}` : '';
    const seq = `(SELECT seq FROM main.${SEQUENCE} WHERE name = '${this.name}')`;
    const ofLastId = checked ? ` WHERE ${this.#isLastIdWhole()}` : '';
    return `CREATE TEMP VIEW checked_${this.name} AS SELECT * FROM main.${this.name} AS t${where};
      ${this.#givesIds ? `CREATE TEMP VIEW last_id_of_${this.name} AS SELECT ${seq} AS id${ofLastId};` : ''}`;
  }

  get writeTriggers(): readonly string[] {
    return KINDS.map((kind) => `${this.name}_written_${kind}`);
  }

  /** Older code runs these, too, and knows no function of ours. */
  countWrites(): string {
    return KINDS.map(
      (kind) => `CREATE TRIGGER IF NOT EXISTS ${this.name}_written_${kind} AFTER ${kind} ON ${this.name} BEGIN
        UPDATE collection_sums SET writes = writes + 1, checksum = checksum - 1 WHERE collection = '${this.name}'; END;`,
    ).join('');
  }

  /** Deletes before it inserts: in a trigger, the statement's own ON CONFLICT would replace an OR REPLACE. */
  keepSums(): string {
    const put = `
      ${this.#moveTally(`(${this.stored('NEW')} IS NULL)`, `${this.sum('NEW')} - ifnull(${this.stored('NEW')}, 0)`)}
      DELETE FROM row_sums WHERE collection = '${this.name}' AND id = ${this.id('NEW')};
      INSERT INTO row_sums VALUES ('${this.name}', ${this.id('NEW')}, ${this.sum('NEW')});`;
    return `
      CREATE TEMP TRIGGER ${this.name}_sum_checked BEFORE UPDATE ON main.${this.name} BEGIN
        SELECT ${this.#isWhole('OLD')}; END;
      CREATE TEMP TRIGGER ${this.name}_sum_insert AFTER INSERT ON main.${this.name} BEGIN ${put} END;
      CREATE TEMP TRIGGER ${this.name}_sum_update AFTER UPDATE ON main.${this.name} BEGIN ${put} END;
      CREATE TEMP TRIGGER ${this.name}_sum_delete AFTER DELETE ON main.${this.name} BEGIN
        ${this.#moveTally('-1', `-ifnull(${this.stored('OLD')}, 0)`)}
        DELETE FROM row_sums WHERE collection = '${this.name}' AND id = ${this.id('OLD')}; END;
      ${this.#givesIds ? this.#keepLastId() : ''}`;
  }

  /** Gives every row its checksum, whatever it holds. */
  adopt(): string {
    return `
      DELETE FROM row_sums WHERE collection = '${this.name}';
      INSERT INTO row_sums SELECT '${this.name}', ${this.id('t')}, ${this.sum('t')} FROM main.${this.name} AS t;
      INSERT OR REPLACE INTO collection_sums (collection, rows, sum, writes, summed)
        SELECT '${this.name}', count(*), ifnull(sum(sum), 0), 0, 0 FROM row_sums WHERE collection = '${this.name}';
      ${this.stampTally()}`;
  }

  /** Gives the tally its checksum, and the last id its own, whatever they hold. */
  stampTally(): string {
    return `UPDATE collection_sums SET checksum = tally_sum(collection, rows, sum, summed) - writes
        WHERE collection = '${this.name}';
      ${this.#givesIds ? this.stampLastId() : ''}`;
  }

  stampLastId(): string {
    return `DELETE FROM row_sums WHERE collection = '${SEQUENCE}' AND id = '${this.name}';
      INSERT INTO row_sums SELECT '${SEQUENCE}', name, row_sum('seq', seq) FROM main.${SEQUENCE}
        WHERE name = '${this.name}';`;
  }

  #isWhole(row: string): string {
    return `is_whole('${this.name}', ${this.id(row)}, ${this.stored(row)}, ${this.sum(row)})`;
  }

  #isLastIdWhole(): string {
    return `is_whole('${SEQUENCE}', '${this.name}', ${this.lastId?.stored}, ${this.lastId?.now})`;
  }

  #moveTally(rows: string, sum: string): string {
    return `UPDATE collection_sums SET rows = rows + ${rows}, sum = sum + ${sum}, summed = summed + 1,
      checksum = checksum - tally_sum(collection, rows, sum, summed)
        + tally_sum(collection, rows + ${rows}, sum + ${sum}, summed + 1)
      WHERE collection = '${this.name}';`;
  }

  /** SQLite raises the last id when the statement ends, after its triggers. */
  #keepLastId(): string {
    const [key = ''] = this.#columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
    const before = `ifnull((SELECT seq FROM main.${SEQUENCE} WHERE name = '${this.name}'), 0)`;
    return `
      CREATE TEMP TRIGGER ${this.name}_last_id_checked BEFORE INSERT ON main.${this.name} BEGIN
        SELECT ${this.#isLastIdWhole()}; END;
      CREATE TEMP TRIGGER ${this.name}_last_id_insert AFTER INSERT ON main.${this.name} BEGIN
        DELETE FROM row_sums WHERE collection = '${SEQUENCE}' AND id = '${this.name}';
        INSERT INTO row_sums VALUES ('${SEQUENCE}', '${this.name}', row_sum('seq', max(NEW."${key}", ${before}))); END;`;
  }
}
