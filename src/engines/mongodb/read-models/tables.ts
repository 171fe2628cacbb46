/** The MongoDB collection of one collection of a generation, with its indexes. */
import type { Collection } from 'mongodb';
import type { AnyCollection, Document } from '../../../foundation/read-models/read-model-store.js';
import type { MongoConnection } from '../mongo-connection.js';
import type { RowDocument } from './documents.js';
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

export class RowTable {
  readonly name: string;
  readonly rows: Collection<RowDocument>;
  readonly collection: AnyCollection;
  readonly #connection: Pick<MongoConnection, 'db' | 'dbWithoutTimeout'>;

  constructor(
    connection: Pick<MongoConnection, 'db' | 'dbWithoutTimeout'>,
    collection: AnyCollection,
    generation: number,
  ) {
    this.collection = collection;
    this.name = tableName(collection, generation);
    this.rows = connection.db.collection<RowDocument>(this.name);
    this.#connection = connection;
  }

  /** Path of an index's key in a row. */
  static path(collection: AnyCollection, index: string): string {
    return `r.k.${indexName(collection, index)}`;
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
