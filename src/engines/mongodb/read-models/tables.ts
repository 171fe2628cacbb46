/** Where a collection of a generation lies in the database, and what of it can be found and read. */
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

/** Codec: documents are trusted to be what the projection of the same version has put. */
export const decodeBody = <D extends Document>(body: string): D => JSON.parse(body) as D;

export class RowTable {
  readonly name: string;
  readonly rows: Collection<RowDocument>;
  readonly collection: AnyCollection;

  readonly #rowsWithoutTimeout: Collection<RowDocument>;

  constructor(
    { db, dbWithoutTimeout }: Pick<MongoConnection, 'db' | 'dbWithoutTimeout'>,
    collection: AnyCollection,
    generation: number,
  ) {
    this.collection = collection;
    this.name = tableName(collection, generation);
    this.rows = db.collection<RowDocument>(this.name);
    this.#rowsWithoutTimeout = dbWithoutTimeout.collection<RowDocument>(this.name);
  }

  /** Where rows hold their key in an index. */
  static path(collection: AnyCollection, index: string): string {
    return `r.k.${indexName(collection, index)}`;
  }

  /**
   * As far as they are missing. In one command, so that the server goes through the rows once for all of them; FerretDB 1
   * panics where a command names two that are there.
   */
  async makeIndexes(indexes = Object.keys(this.collection.indexes)): Promise<void> {
    const missing = await this.#missing(indexes);
    if (missing.length === 0) return;
    await this.#rowsWithoutTimeout.createIndexes(
      missing.map((index) => ({
        key: { [RowTable.path(this.collection, index)]: 1 },
        name: indexName(this.collection, index),
        sparse: true,
      })),
    );
  }

  /** Like `makeIndexes`, where older code may have written rows that do not have the keys of an index. */
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
