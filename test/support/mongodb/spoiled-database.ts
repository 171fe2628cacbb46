/** A database that a test spoils with the raw driver, and the stores that it opens there, whose commands hold their shard keys. */
import { type Db, MongoClient } from 'mongodb';
import type { Damage } from '../../../src/foundation/integrity/damage.js';
import { requireShardKeys, watched } from './shard-keys.js';

export class SpoiledDatabase {
  /** For the stores. */
  readonly url: string;
  readonly db: Db;
  /** What the stores told of. */
  readonly damages: Damage[] = [];
  readonly #client: MongoClient;
  readonly #stores: { close(): Promise<void> }[] = [];

  constructor(url: string) {
    this.url = watched(url);
    this.#client = new MongoClient(url);
    this.db = this.#client.db();
  }

  /** Closes the store before the database is dropped. */
  closesFirst(store: { close(): Promise<void> }): void {
    this.#stores.push(store);
  }

  async drop(): Promise<void> {
    for (const store of this.#stores) await store.close();
    await this.db.dropDatabase();
    await this.#client.close();
    requireShardKeys();
  }
}
