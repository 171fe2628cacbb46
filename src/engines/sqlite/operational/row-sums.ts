/**
 * A checksum for each row of the operational file, and for each table a tally of its rows (summed-table.ts has the SQL).
 * Triggers of the connection keep them in the transaction of the row, and refuse to change a row that is damaged. Reads
 * go through views, `checked_profiles` for `profiles`, that throw StoreDamagedError at such a row. The checksums stand in
 * tables of their own, so that an older version of Podium can still write. When it has, its rows get their checksums anew.
 * Nothing else does that: a table whose tally is damaged or gone keeps the checksums that it has. A damaged row may also be
 * missed by a search, so once damage of a table is known, no answer counts that may lack one of its rows.
 */
import type Database from 'better-sqlite3';
import { messageOf } from '../../../foundation/basics/error-message.js';
import { type Damage, type ScrubStep, StoreDamagedError } from '../../../foundation/integrity/damage.js';
import type { DamageListener } from '../../../foundation/integrity/damage-log.js';
import { pagesInOrder } from '../pages-in-order.js';
import { isDamage } from '../replaceable-file.js';
import { addSumFunctions, SEQUENCE, SUMS_SCHEMA, SUMS_TABLES, SummedTable } from './summed-table.js';

const ROWS_AT_ONCE = 300;

interface ScrubbedRow {
  readonly place: number;
  readonly id: string;
  readonly isWhole: 0 | 1;
}

interface Tally {
  readonly rows: number;
  readonly sum: number;
  readonly writes: number;
  readonly summed: number;
  readonly isWhole: 0 | 1;
}

/**
 * `kept`: every write so far was of code that keeps checksums. `older`: there were none yet, or older code has written
 * since. `damaged`: its tally is not what was written.
 */
type TableState = 'kept' | 'older' | 'damaged';

export interface RowSumsOptions {
  /** `keep`: for a connection that writes. `leave`: the same, but tables of older code stay as they are. `read`: changes nothing. */
  readonly mode: 'keep' | 'leave' | 'read';
  /** Of its pages or indexes; null: none was found. */
  readonly fileDamage?: Damage | null;
  readonly onDamage?: DamageListener | undefined;
}

export class RowSums {
  readonly #db: Database.Database;
  readonly #onDamage: DamageListener;
  readonly #states: ReadonlyMap<SummedTable, TableState>;
  /** The first known damage of each table. */
  readonly #known = new Map<string, Damage>();
  /** What is damaged of the file as a whole. */
  #fileDamage: Damage | null;

  constructor(
    db: Database.Database,
    { mode, fileDamage = null, onDamage = () => undefined }: RowSumsOptions,
  ) {
    this.#db = db;
    this.#onDamage = onDamage;
    this.#fileDamage = fileDamage;
    addSumFunctions(db);
    db.function('is_whole', (collection, id, stored, now) =>
      stored === now ? 1 : this.#refuse(String(collection), String(id)),
    );
    const read = () => new FileSums(db).states();
    this.#states = mode === 'read' ? read() : db.transaction(() => keep(db, mode === 'keep')).immediate();
    for (const [table, state] of this.#states) db.exec(table.views(state !== 'older'));
  }

  /** Returns the answer, which may lack rows of the table. Throws StoreDamagedError when damage of the table or the file is known. */
  complete<T>(table: string, answer: T): T {
    const damage = this.#known.get(table) ?? this.#fileDamage;
    if (damage) throw new StoreDamagedError(damage);
    return answer;
  }

  /** Pages or indexes of the file are damaged. */
  noteFile(damage: Damage): void {
    this.#fileDamage ??= damage;
  }

  /** Names the damaged rows, and the tables that lack rows. */
  async *scrub(): AsyncIterable<ScrubStep> {
    const total = [...this.#states.keys()].reduce((sum, table) => sum + this.#count(table), 0);
    let checked = 0;
    const step = (rows: number, damages: readonly Damage[], isVerified = true): ScrubStep => {
      checked += rows;
      const progress = Math.min(1, checked / Math.max(1, total));
      return { checked: rows, unverified: isVerified ? 0 : rows, damages, progress };
    };
    for (const [table, state] of this.#states) {
      if (state === 'older') {
        yield step(this.#count(table), [], false);
        continue;
      }
      try {
        for (const rows of this.#pagesOf(table)) yield step(rows.length, this.#damagedOf(table, rows));
        yield step(0, this.#damagesOf(table, state));
      } catch (error) {
        if (!isDamage(error)) throw error;
        yield step(0, [this.#note(table.name, unreadable(table.name, error))]);
      }
    }
  }

  /** The tables whose rows do not come to what was written. `everyRow`: and each damaged row. */
  lacks({ everyRow }: { readonly everyRow: boolean }): readonly Damage[] {
    return [...this.#states].flatMap(([table, state]) => {
      if (state === 'older') return [];
      const lacking = this.#damagesOf(table, state);
      return everyRow ? [...lacking, ...this.#damagedRows(table)] : lacking;
    });
  }

  /** After the last given id was raised by hand, in the same transaction. */
  stampLastId(name: string): void {
    for (const [table, state] of this.#states)
      if (table.name === name && state !== 'older') this.#db.exec(table.stampLastId());
  }

  #refuse(collection: string, id: string): never {
    const damage = this.#note(collection, rowDamage(collection, id));
    this.#onDamage(damage);
    throw new StoreDamagedError(damage);
  }

  #note(table: string, damage: Damage): Damage {
    if (!this.#known.has(table)) this.#known.set(table, damage);
    return damage;
  }

  #damagedRows(table: SummedTable): readonly Damage[] {
    const damages: Damage[] = [];
    try {
      for (const rows of this.#pagesOf(table)) damages.push(...this.#damagedOf(table, rows));
    } catch (error) {
      if (!isDamage(error)) throw error;
      damages.push(this.#note(table.name, unreadable(table.name, error)));
    }
    return damages;
  }

  #damagedOf({ name }: SummedTable, rows: readonly ScrubbedRow[]): readonly Damage[] {
    return rows.filter(({ isWhole }) => isWhole === 0).map(({ id }) => this.#note(name, rowDamage(name, id)));
  }

  *#pagesOf(table: SummedTable): Generator<readonly ScrubbedRow[]> {
    const next = this.#db.prepare<[number, number], ScrubbedRow>(
      `SELECT rowid AS place, ${table.id('t')} AS id, ${table.stored('t')} IS ${table.sum('t')} AS isWhole
       FROM main.${table.name} AS t WHERE rowid > ? ORDER BY rowid LIMIT ?`,
    );
    yield* pagesInOrder(
      (after: number) => next.all(after, ROWS_AT_ONCE),
      ({ place }) => place,
      Number.MIN_SAFE_INTEGER,
    );
  }

  #count({ name }: SummedTable): number {
    return this.#db.prepare<[], number>(`SELECT count(*) FROM main.${name} NOT INDEXED`).pluck().get() ?? 0;
  }

  #damagesOf(table: SummedTable, state: TableState): readonly Damage[] {
    return this.#lacksOf(table, state).map((damage) => this.#note(table.name, damage));
  }

  #lacksOf(table: SummedTable, state: TableState): readonly Damage[] {
    const { name, lastId } = table;
    const { tally } = new FileSums(this.#db).of(table);
    const isLastIdWhole =
      lastId === null || this.#db.prepare(`SELECT ${lastId.stored} IS ${lastId.now}`).pluck().get() === 1;
    const damages = isLastIdWhole ? [] : [rowDamage(SEQUENCE, name)];
    if (state === 'damaged' || !tally?.isWhole) {
      const reason = tally
        ? 'the tally of its rows does not fit its checksum'
        : 'the tally of its rows is missing';
      return [damageOf(name, reason), ...damages];
    }
    const summed = this.#db
      .prepare<[string], Pick<Tally, 'rows' | 'sum'>>(
        'SELECT count(*) AS rows, ifnull(sum(sum), 0) AS sum FROM row_sums WHERE collection = ?',
      )
      .get(name);
    const found = this.#count(table);
    const isComplete = tally.rows === found && summed?.rows === found && tally.sum === summed.sum;
    return isComplete
      ? damages
      : [damageOf(name, `${tally.rows} rows were written, and ${found} are there`), ...damages];
  }
}

/** What the file knows of its tables. */
class FileSums {
  readonly #db: Database.Database;
  readonly #names: ReadonlySet<string>;
  /** False: by a version of Podium whose tallies had no checksum yet. */
  readonly hasChecksums: boolean;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#names = new Set(db.prepare<[], string>('SELECT name FROM sqlite_schema').pluck().all());
    this.hasChecksums =
      this.#names.has('collection_sums') &&
      db.prepare("SELECT 1 FROM pragma_table_info('collection_sums') WHERE name = 'checksum'").get() !==
        undefined;
  }

  states(): ReadonlyMap<SummedTable, TableState> {
    const tables = this.#db
      .prepare<[], string>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
      )
      .pluck()
      .all()
      .filter((name) => !SUMS_TABLES.includes(name))
      .map((name) => new SummedTable(this.#db, name));
    const known = new Map(tables.map((table) => [table, this.of(table)] as const));
    const isNew = ![...known.values()].some(({ isKnown }) => isKnown);
    return new Map(tables.map((table) => [table, this.#stateOf(table, known.get(table), isNew)]));
  }

  /** `isKnown`: whether anything in the file says that the table had checksums. */
  of(table: SummedTable): { readonly tally: Tally | undefined; readonly isKnown: boolean } {
    const tally = this.#names.has('collection_sums') ? this.#tallyOf(table) : undefined;
    const isKnown =
      tally !== undefined ||
      table.writeTriggers.some((trigger) => this.#names.has(trigger)) ||
      (this.#names.has('row_sums') &&
        this.#db.prepare('SELECT 1 FROM row_sums WHERE collection = ?').get(table.name) !== undefined);
    return { tally, isKnown };
  }

  /** `isNew`: no table of the file had any. Later on, only a table that newer code has made, and that is empty, has none. */
  #stateOf(table: SummedTable, sums: ReturnType<FileSums['of']> | undefined, isNew: boolean): TableState {
    const { tally, isKnown = false } = sums ?? {};
    if (!isKnown) return isNew || this.#isEmpty(table) ? 'older' : 'damaged';
    if (!tally || (this.hasChecksums && !tally.isWhole)) return 'damaged';
    return tally.writes === tally.summed ? 'kept' : 'older';
  }

  #isEmpty({ name }: SummedTable): boolean {
    return this.#db.prepare(`SELECT 1 FROM main.${name}`).get() === undefined;
  }

  #tallyOf({ name }: SummedTable): Tally | undefined {
    const isWhole = this.hasChecksums ? 'checksum + writes IS tally_sum(collection, rows, sum, summed)' : '1';
    return this.#db
      .prepare<[string], Tally>(
        `SELECT rows, sum, writes, summed, ${isWhole} AS isWhole FROM collection_sums WHERE collection = ?`,
      )
      .get(name);
  }
}

/** Has the checksums kept from now on. `adopts`: rows of older code get theirs. */
const keep = (db: Database.Database, adopts: boolean): ReadonlyMap<SummedTable, TableState> => {
  const sums = new FileSums(db);
  const states = new Map(sums.states());
  db.exec(SUMS_SCHEMA);
  if (!sums.hasChecksums) addChecksums(db, states);
  for (const [table, state] of states) {
    if (state === 'older') {
      if (!adopts) continue;
      db.exec(table.adopt());
      states.set(table, 'kept');
    }
    db.exec(table.countWrites() + table.keepSums());
  }
  return states;
};

/** Completes what a version of Podium has made whose tallies had no checksum. */
const addChecksums = (db: Database.Database, states: ReadonlyMap<SummedTable, TableState>): void => {
  const hasColumn = db.prepare("SELECT 1 FROM pragma_table_info('collection_sums') WHERE name = 'checksum'");
  if (hasColumn.get() === undefined) db.exec('ALTER TABLE collection_sums ADD COLUMN checksum INTEGER');
  for (const [table, state] of states) {
    for (const trigger of table.writeTriggers) db.exec(`DROP TRIGGER IF EXISTS ${trigger}`);
    if (state === 'kept') db.exec(table.stampTally());
  }
};

const damageOf = (place: string, reason: string): Damage => ({ store: 'operational', place, reason });

const unreadable = (table: string, error: unknown): Damage =>
  damageOf(table, `its pages cannot be read: ${messageOf(error)}`);

const rowDamage = (collection: string, id: string): Damage =>
  damageOf(`${collection}, row ${id}`, 'its checksum does not fit its content');
