/**
 * Small commits, written by the thread that commits: checkpoints, rows and tallies in the transaction of the caller. Each
 * document has the checksum of its text, and is counted in the tally of its table.
 */

import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import type { Position } from '../../../foundation/event-store/event-store.js';
import { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import { scalarOf } from '../../../foundation/read-models/indexes.js';
import type {
  AnyCollection,
  Document,
  Generation,
  ProjectionBatch,
  Scalar,
} from '../../../foundation/read-models/read-model-store.js';
import { placeOf } from './sqlite-table-reader.js';
import { SqliteTable } from './sqlite-tables.js';
import { type RowBefore, TallyKeeper } from './sqlite-tallies.js';

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
    this.#tallies.replace(this.#table, before, { sum, lists: this.#table.listsOf(values) });
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
    if (!before) throw missing(this.#table, document.id);
    this.#tallies.replace(this.#table, before, { sum, lists: this.#table.listsOf(values) });
  }
}

/** The driver refuses to bind a value that is no scalar. */
const boundDocument = ({ fields }: SqliteTable, document: Document): BoundDocument => {
  const text = JSON.stringify(document);
  const values = fields.map((field) => boundValue(document, field));
  return { id: document.id, values, text, sum: crc32(text) };
};

const missing = (table: SqliteTable, id: string): DamagedGenerationError =>
  new DamagedGenerationError({
    generation: table.generation,
    place: placeOf(table, id),
    reason: 'it was written and is not there',
    extent: 'generation',
  });

/** Codec: an indexed field. The driver refuses to bind what is no scalar. */
const boundValue = (document: Document, field: string): Scalar =>
  (document as unknown as Readonly<Record<string, Scalar>>)[field] ?? null;
