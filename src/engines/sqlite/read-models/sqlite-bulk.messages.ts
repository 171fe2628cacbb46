/**
 * Large commits as messages for the thread that writes them. Rows have the form in which they are bound, so the thread
 * only passes them to SQLite.
 */
import { crc32 } from 'node:zlib';
import { scalarOf } from '../../../foundation/read-models/indexes.js';
import type {
  AnyCollection,
  Document,
  ProjectionBatch,
  Scalar,
} from '../../../foundation/read-models/read-model-store.js';
import { SqliteTable } from './sqlite-tables.js';

/** Id, document, checksum, indexed fields. A row without a document is removed. */
export type BulkRow = readonly [id: string, text: string | null, sum: number, ...values: Scalar[]];

/** The rows of one collection, each id once. */
export interface BulkRows {
  readonly collection: AnyCollection;
  readonly rows: readonly BulkRow[];
}

export interface BulkBatch extends Pick<ProjectionBatch, 'from' | 'to'> {
  readonly generation: number;
  readonly collections: readonly BulkRows[];
}

/** Batches to commit together; or a statement that takes long, in a transaction of its own. */
export type BulkRequest = { readonly batches: readonly BulkBatch[] } | { readonly statement: string };

/** `failure`: SQLite's code and message; nothing was written. */
export type BulkAnswer =
  | { readonly outcome: 'committed' | 'superseded' }
  | { readonly failure: { readonly code: string; readonly message: string } };

export const encodeBatch = ({ generation, from, to, writes }: ProjectionBatch): BulkBatch => {
  const rows = new Map<string, { readonly table: SqliteTable; readonly rows: BulkRow[] }>();
  for (const write of writes) {
    const { collection } = write;
    let target = rows.get(collection.name);
    if (!target) {
      target = { table: new SqliteTable(collection, generation.number), rows: [] };
      rows.set(collection.name, target);
    }
    target.rows.push(write.kind === 'put' ? documentRow(target.table, write.document) : [write.id, null, 0]);
  }
  const collections = [...rows.values()].map(({ table, rows }) => ({
    // Only the name and indexes: other properties of a collection may not be cloneable.
    collection: { name: table.collection.name, indexes: table.collection.indexes },
    rows,
  }));
  return { generation: generation.number, from, to, collections };
};

/** Throws TypeError when an indexed field is no scalar. */
const documentRow = ({ fields }: SqliteTable, document: Document): BulkRow => {
  const text = JSON.stringify(document);
  return [document.id, text, crc32(text), ...fields.map((field) => scalarOf(document, field))];
};
