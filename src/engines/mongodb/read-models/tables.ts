/** The MongoDB collection of one collection of a generation, with its indexes. */
import type { Collection } from 'mongodb';
import {
  DamagedGenerationError,
  type DamageExtent,
} from '../../../foundation/read-models/damaged-generation.js';
import type { AnyCollection, Document } from '../../../foundation/read-models/read-model-store.js';
import { textSum } from '../content-sum.js';
import type { MongoConnection } from '../mongo-connection.js';
import type { Row, RowDocument } from './documents.js';
import { indexKey, indexName } from './index-keys.js';

const BETWEEN = '__';
const BACKFILL_AT_ONCE = 500;
const NAMESPACE_NOT_FOUND = 26;

export const tableName = (collection: AnyCollection, generation: number): string =>
  `${collection.name}${BETWEEN}${generation}`;

/** Null: not a collection of rows. */
export const generationOfTable = (name: string): number | null => {
  const [, number] = /__(\d+)$/.exec(name) ?? [];
  return number === undefined ? null : Number(number);
};

/** Codec: the projection of the same version wrote the document, so its type is known. */
export const decodeBody = <D extends Document>(body: string): D => JSON.parse(body) as D;

/** What a read needs of a row. */
export interface StoredRow {
  readonly _id: string;
  readonly r?: Pick<Row, 'b' | 's'>;
}

export const READ_FIELDS = { 'r.b': 1, 'r.s': 1 } as const;

/** The checksum of a row that is written. */
export const sumOf = ({ b = '' }: Pick<Row, 'b'>): number => textSum(b);

/** The row's JSON; null: a tombstone. Throws DamagedGenerationError. `table`: the name of its MongoDB collection. */
export const bodyIn = (table: string, { _id, r }: StoredRow): string | null => {
  if (!isWhole(r)) throw damagedRow(table, _id, 'its checksum does not fit its content');
  return r.b ?? null;
};

/** The document of a row. Throws DamagedGenerationError when it is another one's. */
export const documentIn = <D extends Document>(table: string, id: string, body: string): D => {
  const document = decodeBody<D>(body);
  if (document.id !== id) throw damagedRow(table, id, 'another document is in its place');
  return document;
};

export const damagedRow = (
  table: string,
  id: string,
  reason: string,
  extent: DamageExtent = 'document',
): DamagedGenerationError =>
  new DamagedGenerationError({
    generation: generationOfTable(table) ?? 0,
    place: `${placeOfTable(table)}, document ${id}`,
    reason,
    extent,
  });

export const placeOfTable = (table: string): string =>
  `collection ${table.slice(0, table.lastIndexOf(BETWEEN))}`;

const isWhole = (row: StoredRow['r']): row is NonNullable<StoredRow['r']> => {
  if (row === undefined || (row.b !== undefined && typeof row.b !== 'string')) return false;
  return row.s === undefined || row.s === sumOf(row);
};

export class RowTable {
  readonly name: string;
  readonly rows: Collection<RowDocument>;
  readonly collection: AnyCollection;
  readonly generation: number;
  readonly #connection: Pick<MongoConnection, 'db' | 'dbWithoutTimeout'>;

  constructor(
    connection: Pick<MongoConnection, 'db' | 'dbWithoutTimeout'>,
    collection: AnyCollection,
    generation: number,
  ) {
    this.collection = collection;
    this.generation = generation;
    this.name = tableName(collection, generation);
    this.rows = connection.db.collection<RowDocument>(this.name);
    this.#connection = connection;
  }

  /** Path of an index's key in a row. */
  static path(collection: AnyCollection, index: string): string {
    return `r.k.${indexName(collection, index)}`;
  }

  /** The path of each index's key in a row, by the name of the index. */
  indexPaths(): readonly (readonly [name: string, path: string])[] {
    return Object.keys(this.collection.indexes).map((index) => [
      indexName(this.collection, index),
      RowTable.path(this.collection, index),
    ]);
  }

  /**
   * Makes the missing indexes in one command, so that the server scans the rows once. FerretDB 1 panics when a command
   * names two existing indexes.
   */
  async makeIndexes(indexes = Object.keys(this.collection.indexes)): Promise<void> {
    const missing = await this.#missing(indexes);
    if (missing.length === 0) return;
    await this.#connection.dbWithoutTimeout.collection(this.name).createIndexes(
      missing.map((index) => ({
        key: { [RowTable.path(this.collection, index)]: 1 },
        name: indexName(this.collection, index),
        sparse: true,
      })),
    );
  }

  /** Like `makeIndexes`, for rows of older code that may have no key for an index. */
  async completeIndexes(): Promise<void> {
    for (const index of await this.#missing(Object.keys(this.collection.indexes))) await this.#fill(index);
    await this.makeIndexes();
  }

  async #missing(indexes: readonly string[]): Promise<readonly string[]> {
    if (indexes.length === 0) return [];
    const known = await this.#indexNames();
    return indexes.filter((index) => !known.has(indexName(this.collection, index)));
  }

  async #indexNames(): Promise<ReadonlySet<string>> {
    try {
      return new Set((await this.rows.indexes()).map(({ name }) => name ?? ''));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === NAMESPACE_NOT_FOUND) return new Set();
      throw error;
    }
  }

  async #fill(index: string): Promise<void> {
    const path = RowTable.path(this.collection, index);
    const filled: (() => Promise<unknown>)[] = [];
    for await (const { _id, r } of this.rows.find({ [path]: { $exists: false } })) {
      const key = r.b === undefined ? null : indexKey(this.collection, index, decodeBody(r.b));
      if (key === null) continue;
      filled.push(() => this.rows.updateOne({ _id, 'r.at': r.at }, { $set: { [path]: key } }));
      if (filled.length === BACKFILL_AT_ONCE) await Promise.all(filled.splice(0).map((fill) => fill()));
    }
    await Promise.all(filled.map((fill) => fill()));
  }
}
