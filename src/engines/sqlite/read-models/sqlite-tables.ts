/**
 * A collection in SQLite: one table per generation, with the document's JSON text, its checksum, and one column for each indexed field.
 * The columns only serve to find documents. They have no declared type, so SQLite stores every value unchanged ('0010'
 * stays text). Indexes are partial, so a document with null is left out, and end with the id, so no read has to sort.
 */
import type Database from 'better-sqlite3';
import { fieldsOfIndex } from '../../../foundation/read-models/indexes.js';
import type { AnyCollection } from '../../../foundation/read-models/read-model-store.js';
import { indexKey } from './sqlite-index-key.js';

/** The fields of all indexes of the collection. */
const indexedFields = (collection: AnyCollection): readonly string[] => [
  ...new Set(Object.values(collection.indexes).flat()),
];

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const column = (field: string): string => quoted(`f_${field}`);

/** A scan or count without its values: each shape has one prepared statement. */
interface ScanShape {
  readonly index: string;
  /** How many leading fields have a value. */
  readonly depth: number;
  readonly continued: boolean;
  readonly descending: boolean;
}

/** One collection of one generation. */
export class SqliteTable {
  readonly name: string;
  readonly fields: readonly string[];
  /** Names of the indexes of the collection. */
  readonly indexes: readonly string[];
  /** Of the indexes, as tallies name them. */
  readonly indexKeys: readonly string[];
  /** By index: the places of its fields among those of all indexes. */
  readonly placesIn: readonly (readonly number[])[];
  /** SQL: which indexes list the row. Bit `n` is set when the index at place `n` does. */
  readonly #lists: string;

  constructor(
    readonly collection: AnyCollection,
    readonly generation: number,
  ) {
    this.name = `${collection.name}__${generation}`;
    this.fields = indexedFields(collection);
    this.indexes = Object.keys(collection.indexes);
    this.indexKeys = this.indexes.map((index) => indexKey(index, this.fieldsOf(index)));
    this.placesIn = this.indexes.map((index) =>
      this.fieldsOf(index).map((field) => this.fields.indexOf(field)),
    );
    const bits = this.indexes.map((index, at) => `((${this.#isListed(index) || 1}) << ${at})`);
    this.#lists = bits.length === 0 ? '0' : bits.join(' | ');
  }

  fieldsOf(index: string): readonly string[] {
    return fieldsOfIndex(this.collection, index);
  }

  createTable(): string {
    const columns = this.fields.map((field) => `${column(field)}, `).join('');
    return `CREATE TABLE IF NOT EXISTS ${quoted(this.name)} (id TEXT NOT NULL PRIMARY KEY, ${columns}doc TEXT NOT NULL, sum INTEGER) WITHOUT ROWID`;
  }

  /** Fails when there is no such table. */
  selectAny(): string {
    return `SELECT 1 FROM ${quoted(this.name)}`;
  }

  /** Adds and fills the column of a field that a table of older code does not have. */
  addColumn(field: string): string {
    const path = `'$."${field.replaceAll("'", "''")}"'`;
    return (
      `ALTER TABLE ${quoted(this.name)} ADD COLUMN ${column(field)};` +
      `UPDATE ${quoted(this.name)} SET ${column(field)} = json_extract(doc, ${path})`
    );
  }

  /** For a table of older code. Its rows have no checksum until they are written again. */
  addSum(): string {
    return `ALTER TABLE ${quoted(this.name)} ADD COLUMN sum INTEGER`;
  }

  /** An index's fields are part of its name: an index that changed is another index. */
  indexName(index: string): string {
    return [this.name, index, ...this.fieldsOf(index)].join('__');
  }

  createIndex(index: string): string {
    const fields = this.fieldsOf(index);
    const columns = [...fields.map(column), 'id'].join(', ');
    const where = fields.length === 0 ? '' : ` WHERE ${this.#isListed(index)}`;
    return `CREATE INDEX IF NOT EXISTS ${quoted(this.indexName(index))} ON ${quoted(this.name)} (${columns})${where}`;
  }

  /** Parameters: id. */
  selectById(): string {
    return `SELECT doc, sum FROM ${quoted(this.name)} WHERE id = ?`;
  }

  /**
   * Parameters: the values of `equals`, then the values and id of the document to continue after, and the limit (-1: none).
   * Without the join, SQLite would leave out an entry of the index whose row it does not find; with it, `doc` is null.
   */
  selectByIndex(shape: ScanShape): string {
    const rest = [...this.fieldsOf(shape.index).slice(shape.depth).map(column), 'id'];
    const order = rest.map((name) => `listed.${name}${shape.descending ? ' DESC' : ''}`).join(', ');
    const rows = `LEFT JOIN ${quoted(this.name)} AS found ON found.id = listed.id`;
    return `SELECT found.doc, found.sum ${this.#from(shape, rows)} ORDER BY ${order} LIMIT ?`;
  }

  /** Parameters: the values of `equals`. */
  countByIndex(index: string, depth: number): string {
    return `SELECT count(*) ${this.#from({ index, depth, continued: false, descending: false })}`;
  }

  /** How many rows the index lists. */
  countIndex(index: string): string {
    return `SELECT count(*) AS rows ${this.#from({ index, depth: 0, continued: false, descending: false })}`;
  }

  /** Parameters: id, the fields in order, the document, its checksum. */
  upsert(): string {
    const columns = ['id', ...this.fields.map(column), 'doc', 'sum'];
    const updates = columns.slice(1, -1).map((name) => `${name} = excluded.${name}`);
    const sum = `sum = replaced(sum, excluded.sum, ${this.#lists})`;
    return (
      `INSERT INTO ${quoted(this.name)} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ` +
      `ON CONFLICT (id) DO UPDATE SET ${[...updates, sum].join(', ')}`
    );
  }

  /** Parameters: these fields, the document, its checksum, id. Does not touch the indexes of other fields. */
  update(fields: readonly string[]): string {
    const changes = [...fields.map(column), 'doc'].map((name) => `${name} = ?`);
    const sum = `sum = replaced(sum, ?, ${this.#lists})`;
    return `UPDATE ${quoted(this.name)} SET ${[...changes, sum].join(', ')} WHERE id = ?`;
  }

  /** Parameters: id. Returns the checksum of the row, and which indexes list it. */
  deleteById(): string {
    return `DELETE FROM ${quoted(this.name)} WHERE id = ? RETURNING sum, ${this.#lists} AS lists`;
  }

  #isListed(index: string): string {
    return this.fieldsOf(index)
      .map((field) => `${column(field)} IS NOT NULL`)
      .join(' AND ');
  }

  /** `rows`: a join with the rows that the index lists. */
  #from({ index, depth, continued, descending }: ScanShape, rows = ''): string {
    const fields = this.fieldsOf(index);
    const rest = fields.slice(depth);
    const tuple = [...rest.map(column), 'id'].map((name) => `listed.${name}`);
    const conditions = [
      ...fields.slice(0, depth).map((field) => `listed.${column(field)} = ?`),
      ...rest.map((field) => `listed.${column(field)} IS NOT NULL`),
      ...(continued
        ? [`(${tuple.join(', ')}) ${descending ? '<' : '>'} (${tuple.map(() => '?').join(', ')})`]
        : []),
    ];
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    return `FROM ${quoted(this.name)} AS listed INDEXED BY ${quoted(this.indexName(index))} ${rows}${where}`;
  }
}

export const dropTable = (name: string): string => `DROP TABLE IF EXISTS ${quoted(name)}`;
export const dropIndex = (name: string): string => `DROP INDEX IF EXISTS ${quoted(name)}`;

/** Names of the indexes, without the automatic one of the primary key. */
export const indexesOf = (db: Database.Database, table: string): readonly string[] =>
  db
    .prepare<[string], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
    )
    .pluck()
    .all(table);

/** Whether the table exists and has at least this many rows. */
export const hasRows = (db: Database.Database, table: string, least: number): boolean => {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table);
  if (isThere === undefined) return false;
  return db.prepare(`SELECT 1 FROM ${quoted(table)} LIMIT 1 OFFSET ?`).get(least - 1) !== undefined;
};
