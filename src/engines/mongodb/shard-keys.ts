/**
 * The shard key of each collection, for a server that is a mongos. It is always `_id`: a decision is one insert under an id,
 * so an id must be unique over all shards, and the command that changes a document names it.
 */
import type { Db } from 'mongodb';

/**
 * `hashed`: the documents are spread over all shards from the first one on. `ranged`: they lie in the order of their ids, in one
 * place until they are many, and a range of ids is read where it is.
 */
export type ShardKey = 'hashed' | 'ranged';

/** By collection. */
export type ShardKeys = Readonly<Record<string, ShardKey>>;

/** Shards these collections, and makes those that are missing. Those that are sharded so already stay as they are. */
export const shardCollections = async (db: Db, keys: ShardKeys): Promise<void> => {
  for (const [name, key] of Object.entries(keys)) {
    const _id = key === 'hashed' ? 'hashed' : 1;
    // A collection with documents must have the index before.
    if (key === 'hashed') await db.collection(name).createIndex({ _id });
    await db.admin().command({ shardCollection: `${db.databaseName}.${name}`, key: { _id } });
  }
};
