/**
 * Small commits, written by the thread that commits: checkpoints, rows and tallies in the transaction of the caller. Each
 * document has the checksum of its text, and is counted in the tally of its table: the statement that replaces a row tells
 * the checksum that it replaces, and the tallies of the last commit are in memory.
 */

import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import type { Position } from '../../../foundation/event-store/event-store.js';
import { scalarOf } from '../../../foundation/read-models/indexes.js';
import type {
  AnyCollection,
  Document,
  Generation,
  ProjectionBatch,
  Scalar,
} from '../../../foundation/read-models/read-model-store.js';
import { SUM_MODULUS } from '../../../foundation/read-models/tally.js';
import type { BulkBatch } from './sqlite-bulk.messages.js';
import { damagedPart } from './sqlite-errors.js';
import { SqliteTable } from './sqlite-tables.js';
import { NO_TALLIES, type StoredTallies, type StoredTally, storedTallies } from './sqlite-tallies.js';

const ADVANCE = `UPDATE generations SET position = ?, position_copy = ?, tallied = iif(tallied = position, ?, NULL)
  WHERE number = ? AND position = ? AND state <> 'retired'`;

/** Moves a generation. Returns false, and changes nothing, on a conflict, or when the generation is retired. */
export const advanceOver = (
  db: Database.Database,
): ((generation: number, step: { readonly from: Position; readonly to: Position }) => boolean) => {
  const advance = db.prepare<[Position, Position, Position, number, Position]>(ADVANCE);
  return (generation, { from, to }) => advance.run(to, to, to, generation, from).changes === 1;
};

export class SqliteCommits {
  readonly #db: Database.Database;
  readonly #advance: ReturnType<typeof advanceOver>;
  readonly #tallies: TallyKeeper;
  /** By generation: its writers by collection. */
  readonly #writers = new Map<number, Map<string, SqliteTableWriter>>();

  constructor(db: Database.Database) {
    this.#db = db;
    this.#advance = advanceOver(db);
    this.#tallies = new TallyKeeper(db);
  }

  /** Null: a conflict, because a checkpoint is not at the `from` of its batch; then roll back. */
  land(batches: readonly ProjectionBatch[]): 'committed' | null {
    for (const batch of batches) if (!this.#advance(batch.generation.number, batch)) return null;
    for (const batch of batches) this.#write(batch);
    this.#tallies.flush(
      batches.map(({ generation, from, to }) => ({ generation: generation.number, from, to })),
    );
    return 'committed';
  }

  /** Call it when `land` has thrown, or its transaction was not committed. */
  discard(): void {
    this.#tallies.discard();
  }

  #write({ generation, writes }: ProjectionBatch): void {
    for (const write of writes) {
      const writer = this.#writer(generation, write.collection);
      if (write.kind === 'put') writer.put(write.document, write.previous);
      else writer.remove(write.id);
    }
  }

  #writer({ number }: Generation, collection: AnyCollection): SqliteTableWriter {
    let writers = this.#writers.get(number);
    if (!writers) {
      writers = new Map();
      this.#writers.set(number, writers);
    }
    let writer = writers.get(collection.name);
    if (!writer) {
      writer = new SqliteTableWriter(this.#db, new SqliteTable(collection, number), this.#tallies);
      writers.set(collection.name, writer);
    }
    return writer;
  }
}

// --- tables ----------------------------------------------------------------------------------------------------------

/** A document in the form in which it is bound. `values`: of the fields of all indexes. */
export interface BoundDocument {
  readonly id: string;
  readonly values: readonly Scalar[];
  readonly text: string;
  readonly sum: number;
}

/** Writes one table over one connection. */
export class SqliteTableWriter {
  readonly #db: Database.Database;
  readonly #table: SqliteTable;
  readonly #tallies: TallyKeeper;
  /** Statements by the fields that they change. */
  readonly #updates = new Map<string, Database.Statement<unknown[]>>();
  readonly #upsert: Database.Statement<unknown[]>;
  readonly #delete: Database.Statement<[string], RowBefore>;

  constructor(db: Database.Database, table: SqliteTable, tallies: TallyKeeper) {
    this.#db = db;
    this.#table = table;
    this.#tallies = tallies;
    this.#upsert = db.prepare(table.upsert());
    this.#delete = db.prepare(table.deleteById());
  }

  /** `previous`: the stored document, if it is known. An update of it does not touch the indexes of fields that stay. */
  put(document: Document, previous?: Document | null): void {
    try {
      if (previous) this.#update(document, previous);
      else this.insert(boundDocument(this.#table, document));
    } catch (error) {
      // The driver refused to bind a value: the field is named.
      for (const field of this.#table.fields) scalarOf(document, field);
      throw error;
    }
  }

  insert({ id, values, text, sum }: BoundDocument): void {
    this.#upsert.run(id, ...values, text, sum);
    const before = this.#tallies.takeReplaced();
    this.#tallies.replace(this.#table, before, { sum, lists: listsOf(this.#table, values) });
  }

  remove(id: string): void {
    const before = this.#delete.get(id);
    if (before) this.#tallies.replace(this.#table, before, null);
  }

  /** Throws DamagedGenerationError when there is no such row. */
  #update(document: Document, previous: Document): void {
    const changed: string[] = [];
    const changes: Scalar[] = [];
    const { values, text, sum } = boundDocument(this.#table, document);
    for (const [at, field] of this.#table.fields.entries()) {
      const value = values[at] ?? null;
      if (value === boundValue(previous, field)) continue;
      changed.push(field);
      changes.push(value);
    }
    const key = changed.join();
    let update = this.#updates.get(key);
    if (!update) {
      update = this.#db.prepare(this.#table.update(changed));
      this.#updates.set(key, update);
    }
    update.run(...changes, text, sum, document.id);
    const before = this.#tallies.takeReplaced();
    if (!before)
      throw damagedPart(
        this.#table,
        `document ${document.id}`,
        'it was written and is not there',
        'generation',
      );
    this.#tallies.replace(this.#table, before, { sum, lists: listsOf(this.#table, values) });
  }
}

/** Bit `n` of the result is set when the index at place `n` lists a document whose fields have these values. */
const listsOf = ({ placesIn }: SqliteTable, values: readonly Scalar[]): number => {
  let lists = 0;
  for (let at = 0; at < placesIn.length; at += 1)
    if (placesIn[at]?.every((place) => values[place] !== null)) lists |= 1 << at;
  return lists;
};

/** The driver refuses to bind a value that is no scalar. */
const boundDocument = ({ fields }: SqliteTable, document: Document): BoundDocument => {
  const text = JSON.stringify(document);
  const values = fields.map((field) => boundValue(document, field));
  return { id: document.id, values, text, sum: crc32(text) };
};

/** Codec: an indexed field. The driver refuses to bind what is no scalar. */
const boundValue = (document: Document, field: string): Scalar =>
  (document as unknown as Readonly<Record<string, Scalar>>)[field] ?? null;

// --- tallies ---------------------------------------------------------------------------------------------------------

/** A row that a statement has replaced or removed. */
export interface RowBefore {
  /** Null: older code wrote it. */
  readonly sum: number | null;
  /** Bit `n` is set when the index at place `n` of the table lists it. */
  readonly lists: number;
}

const NO_ROWS: StoredTally = [0, 0, {}];

/** What a transaction changes in the tally of one table. */
class TallyChange {
  #rows = 0;
  /** From 0 to SUM_MODULUS. */
  #sum = 0;
  readonly #listed: number[];

  constructor(readonly table: SqliteTable) {
    this.#listed = table.indexes.map(() => 0);
  }

  replace(before: RowBefore | null, after: RowBefore | null): void {
    if (before) this.#count(before, -1);
    if (after) this.#count(after, 1);
  }

  /** Leaves out indexes of other code, of which this code does not know what they list. */
  addTo(tallies: StoredTallies): void {
    const { collection, indexKeys } = this.table;
    const [rows, sum, before] = tallies[collection.name] ?? NO_ROWS;
    const listed: Record<string, number> = {};
    for (const [at, key] of indexKeys.entries()) {
      const count = before[key] ?? (rows === 0 ? 0 : null);
      if (count !== null) listed[key] = count + (this.#listed[at] ?? 0);
    }
    tallies[collection.name] = [rows + this.#rows, (sum + this.#sum) % SUM_MODULUS, listed];
  }

  #count({ sum, lists }: RowBefore, by: 1 | -1): void {
    this.#rows += by;
    this.#sum = (this.#sum + (by === 1 ? (sum ?? 0) : SUM_MODULUS - (sum ?? 0))) % SUM_MODULUS;
    for (let at = 0; at < this.#listed.length; at += 1)
      if ((lists & (1 << at)) !== 0) this.#listed[at] = (this.#listed[at] ?? 0) + by;
  }
}

/** Keeps the tallies in the transactions of one connection. */
export class TallyKeeper {
  readonly #select: Database.Statement<[number], string | null>;
  readonly #update: Database.Statement<[string, number]>;
  readonly #changes = new Map<SqliteTable, TallyChange>();
  /** Of this connection's last commits, by generation; null: not read yet. */
  readonly #known = new Map<number, { readonly at: Position; readonly tallies: StoredTallies | null }>();
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
    let change = this.#changes.get(table);
    if (!change) {
      change = new TallyChange(table);
      this.#changes.set(table, change);
    }
    change.replace(before, after);
  }

  /** Call it at the end of the transaction, with all its steps. */
  flush(steps: readonly Pick<BulkBatch, 'generation' | 'from' | 'to'>[]): void {
    for (const { generation, from, to } of steps) {
      const known = this.#known.get(generation);
      let tallies = known?.at === from ? known.tallies : null;
      const changes = [...this.#changes.values()].filter(({ table }) => table.generation === generation);
      if (changes.length > 0) {
        tallies ??= storedTallies(this.#select.get(generation) ?? NO_TALLIES, generation);
        for (const change of changes) change.addTo(tallies);
        this.#update.run(JSON.stringify(tallies), generation);
      }
      this.#known.set(generation, { at: to, tallies });
    }
    this.#changes.clear();
  }

  /** Call it when the transaction was rolled back. */
  discard(): void {
    this.#changes.clear();
    this.#known.clear();
    this.#before = null;
  }
}
