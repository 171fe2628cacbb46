/**
 * A checksum for each row of the operational file, and for each table the number of its rows with the sum of their checksums.
 * Triggers of the connection keep them in the transaction of the row, and refuse to change a row that is damaged. Reads
 * go through views, `checked_profiles` for `profiles`, that throw StoreDamagedError at such a row. The checksums stand in
 * tables of their own, so that an older version of Podium can still write: a count of writes that both versions keep shows
 * that it has, and then its rows get their checksums anew.
 */
import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import { type Damage, type ScrubStep, StoreDamagedError } from '../../../foundation/integrity/damage.js';
import type { DamageListener } from '../../../foundation/integrity/damage-log.js';

const SCHEMA = `
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
    summed INTEGER NOT NULL
  );
`;

const OWN_TABLES = ['row_sums', 'collection_sums'];
const ROWS_AT_ONCE = 300;

interface Column {
  readonly name: string;
  /** Place in the primary key, from 1; 0: not in it. */
  readonly pk: number;
}

interface ScrubbedRow {
  readonly place: number;
  readonly id: string;
  readonly isWhole: 0 | 1;
}

interface Tally {
  readonly rows: number;
  readonly sum: number;
}

/** A table and the SQL for its checksums. */
class SummedTable {
  readonly columns: readonly Column[];

  constructor(
    db: Database.Database,
    readonly name: string,
  ) {
    this.columns = db
      .prepare<[string], Column>('SELECT name, pk FROM pragma_table_info(?) ORDER BY cid')
      .all(name);
  }

  id(row: string): string {
    const parts = this.columns.filter(({ pk }) => pk > 0).map(({ name }) => `${row}."${name}"`);
    return `CAST(${parts.join(" || '/' || ")} AS TEXT)`;
  }

  /** A column without a value does not count, so a column that newer code adds changes no checksum. */
  sum(row: string): string {
    return `row_sum(${this.columns.map(({ name }) => `'${name}', ${row}."${name}"`).join(', ')})`;
  }

  stored(row: string): string {
    return `(SELECT sum FROM row_sums WHERE collection = '${this.name}' AND id = ${this.id(row)})`;
  }

  isWhole(row: string): string {
    return `is_whole('${this.name}', ${this.id(row)}, ${this.stored(row)}, ${this.sum(row)})`;
  }

  view(): string {
    return `CREATE TEMP VIEW checked_${this.name} AS SELECT * FROM main.${this.name} AS t WHERE ${this.isWhole('t')}`;
  }

  /** Older code runs these, too, and knows no function of ours. */
  countWrites(): string {
    return ['INSERT', 'UPDATE', 'DELETE']
      .map(
        (
          kind,
        ) => `CREATE TRIGGER IF NOT EXISTS ${this.name}_written_${kind} AFTER ${kind} ON ${this.name} BEGIN
          UPDATE collection_sums SET writes = writes + 1 WHERE collection = '${this.name}'; END;`,
      )
      .join('');
  }

  /** Deletes before it inserts: in a trigger, the statement's own ON CONFLICT would replace an OR REPLACE. */
  keepSums(): string {
    const put = `
      UPDATE collection_sums SET summed = summed + 1, rows = rows + (${this.stored('NEW')} IS NULL),
        sum = sum + ${this.sum('NEW')} - ifnull(${this.stored('NEW')}, 0) WHERE collection = '${this.name}';
      DELETE FROM row_sums WHERE collection = '${this.name}' AND id = ${this.id('NEW')};
      INSERT INTO row_sums VALUES ('${this.name}', ${this.id('NEW')}, ${this.sum('NEW')});`;
    return `
      CREATE TEMP TRIGGER ${this.name}_sum_checked BEFORE UPDATE ON main.${this.name} BEGIN
        SELECT ${this.isWhole('OLD')}; END;
      CREATE TEMP TRIGGER ${this.name}_sum_insert AFTER INSERT ON main.${this.name} BEGIN ${put} END;
      CREATE TEMP TRIGGER ${this.name}_sum_update AFTER UPDATE ON main.${this.name} BEGIN ${put} END;
      CREATE TEMP TRIGGER ${this.name}_sum_delete AFTER DELETE ON main.${this.name} BEGIN
        UPDATE collection_sums SET summed = summed + 1, rows = rows - 1, sum = sum - ifnull(${this.stored('OLD')}, 0)
          WHERE collection = '${this.name}';
        DELETE FROM row_sums WHERE collection = '${this.name}' AND id = ${this.id('OLD')}; END;`;
  }

  /** Gives every row its checksum, whatever it holds. */
  adopt(): string {
    return `
      DELETE FROM row_sums WHERE collection = '${this.name}';
      INSERT INTO row_sums SELECT '${this.name}', ${this.id('t')}, ${this.sum('t')} FROM main.${this.name} AS t;
      INSERT OR REPLACE INTO collection_sums
        SELECT '${this.name}', count(*), ifnull(sum(sum), 0), 0, 0 FROM row_sums WHERE collection = '${this.name}';`;
  }
}

export class RowSums {
  readonly #db: Database.Database;
  readonly #tables: readonly SummedTable[];
  readonly #onDamage: DamageListener;

  /** `keeps`: for a connection that writes. One that only reads finds the checksums made. */
  constructor(db: Database.Database, keeps: boolean, onDamage: DamageListener = () => undefined) {
    this.#db = db;
    this.#onDamage = onDamage;
    db.function('row_sum', { varargs: true, deterministic: true }, (...parts) => sumOf(parts));
    db.function('is_whole', (collection, id, stored, now) =>
      stored === now ? 1 : this.#refuse(String(collection), String(id)),
    );
    this.#tables = tablesOf(db);
    if (keeps) db.transaction(() => this.#keep()).immediate();
    for (const table of this.#tables) db.exec(table.view());
  }

  /** Names the damaged rows, and the tables that lack rows. */
  async *scrub(): AsyncIterable<ScrubStep> {
    for (const table of this.#tables) {
      for (let after = 0; ; ) {
        const rows = this.#rowsAfter(table, after);
        const last = rows.at(-1);
        if (!last) break;
        const damaged = rows.filter(({ isWhole }) => isWhole === 0);
        const damages = damaged.map(({ id }) => rowDamage(table.name, id));
        yield { checked: rows.length, unverified: 0, damages };
        after = last.place;
      }
      const lack = this.#lackIn(table);
      yield { checked: 0, unverified: 0, damages: lack === null ? [] : [lack] };
    }
  }

  /** The tables whose rows do not come to what was written. */
  lacks(): readonly Damage[] {
    return this.#tables.flatMap((table) => this.#lackIn(table) ?? []);
  }

  #keep(): void {
    this.#db.exec(SCHEMA);
    for (const table of this.#tables) {
      if (!this.#isSummed(table.name)) this.#db.exec(table.adopt());
      this.#db.exec(table.countWrites() + table.keepSums());
    }
  }

  /** Whether all writes so far were of code that knows checksums. */
  #isSummed(name: string): boolean {
    return (
      this.#db.prepare('SELECT 1 FROM collection_sums WHERE collection = ? AND writes = summed').get(name) !==
      undefined
    );
  }

  #refuse(collection: string, id: string): never {
    const damage = rowDamage(collection, id);
    this.#onDamage(damage);
    throw new StoreDamagedError(damage);
  }

  #rowsAfter(table: SummedTable, after: number): readonly ScrubbedRow[] {
    return this.#db
      .prepare<[number, number], ScrubbedRow>(
        `SELECT rowid AS place, ${table.id('t')} AS id, ${table.stored('t')} IS ${table.sum('t')} AS isWhole
         FROM main.${table.name} AS t WHERE rowid > ? ORDER BY rowid LIMIT ?`,
      )
      .all(after, ROWS_AT_ONCE);
  }

  #lackIn({ name }: SummedTable): Damage | null {
    const written = this.#db
      .prepare<[string], Tally>('SELECT rows, sum FROM collection_sums WHERE collection = ?')
      .get(name);
    const summed = this.#db
      .prepare<[string], Tally>(
        'SELECT count(*) AS rows, ifnull(sum(sum), 0) AS sum FROM row_sums WHERE collection = ?',
      )
      .get(name);
    const found = this.#db.prepare<[], number>(`SELECT count(*) FROM main.${name} NOT INDEXED`).pluck().get();
    if (written?.rows === found && summed?.rows === found && written?.sum === summed?.sum) return null;
    return damageOf(name, `${written?.rows ?? 0} rows were written, and ${found} are there`);
  }
}

const damageOf = (place: string, reason: string): Damage => ({ store: 'operational', place, reason });

const rowDamage = (collection: string, id: string): Damage =>
  damageOf(`${collection}, row ${id}`, 'its checksum does not fit its content');

const sumOf = (parts: readonly unknown[]): number => {
  const row: unknown[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const value = parts[at + 1];
    if (value !== null) row.push(parts[at], value);
  }
  return crc32(JSON.stringify(row));
};

const tablesOf = (db: Database.Database): readonly SummedTable[] =>
  db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .pluck()
    .all()
    .filter((name) => !OWN_TABLES.includes(name))
    .map((name) => new SummedTable(db, name));
