/** Writes documents, each with the checksum of its text. */
import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import { scalarOf } from '../../../foundation/read-models/indexes.js';
import type { Document, Scalar } from '../../../foundation/read-models/read-model-store.js';
import type { SqliteTable } from './sqlite-tables.js';

/** Writes one table over one connection. */
export class SqliteTableWriter {
  readonly #db: Database.Database;
  readonly #table: SqliteTable;
  /** Statements by the fields that they change. */
  readonly #updates = new Map<string, Database.Statement<unknown[]>>();
  readonly #upsert: Database.Statement<unknown[]>;
  readonly #delete: Database.Statement<unknown[]>;

  constructor(db: Database.Database, table: SqliteTable) {
    this.#db = db;
    this.#table = table;
    this.#upsert = db.prepare(table.upsert());
    this.#delete = db.prepare(table.deleteById());
  }

  /** `previous`: the stored document, if it is known. An update of it does not touch the indexes of fields that stay. */
  put(document: Document, previous?: Document | null): void {
    try {
      if (!previous || !this.#update(document, previous)) this.#insert(document);
    } catch (error) {
      // The driver refused to bind a value: the field is named.
      for (const field of this.#table.fields) scalarOf(document, field);
      throw error;
    }
  }

  remove(id: string): void {
    this.#delete.run(id);
  }

  #insert(document: Document): void {
    const row = this.#table.fields.map((field) => boundValue(document, field));
    const text = JSON.stringify(document);
    this.#upsert.run([document.id, ...row, text, crc32(text)]);
  }

  /** False when there is no such row. */
  #update(document: Document, previous: Document): boolean {
    const changed: string[] = [];
    const row: Scalar[] = [];
    for (const field of this.#table.fields) {
      const value = boundValue(document, field);
      if (value === boundValue(previous, field)) continue;
      changed.push(field);
      row.push(value);
    }
    const text = JSON.stringify(document);
    row.push(text, crc32(text), document.id);
    const key = changed.join();
    let update = this.#updates.get(key);
    if (!update) {
      update = this.#db.prepare(this.#table.update(changed));
      this.#updates.set(key, update);
    }
    return update.run(row).changes === 1;
  }
}

/** Codec: an indexed field. The driver refuses to bind what is no scalar. */
const boundValue = (document: Document, field: string): Scalar =>
  (document as unknown as Readonly<Record<string, Scalar>>)[field] ?? null;
