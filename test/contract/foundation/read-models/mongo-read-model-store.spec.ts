/** The read-model store's contract on MongoDB, and what only a store without transactions has to promise. */
import { describe, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { openReadModelStore } from '../../../../src/app/stores/open-read-model-store.js';
import type { ReadModelStore } from '../../../../src/foundation/read-models/read-model-store.js';
import { mongoServer, someDatabase } from '../../../support/mongodb/mongo-server.js';
import { requireShardKeys, watched } from '../../../support/mongodb/shard-keys.js';
import { cachedResultsContract } from './cached-results.contract.js';
import { type ReadModelStoreFixture, readModelStoreContract } from './read-model-store.contract.js';
import { stateSnapshotsContract } from './state-snapshots.contract.js';

const server = await mongoServer(['ReadModelStore'], { what: 'the contract of the read-model store' });

const fixtureOn = (url: string): ReadModelStoreFixture => {
  const stores: ReadModelStore[] = [];
  return {
    open: async () => {
      const store = await openReadModelStore(watched(url));
      stores.push(store);
      return store;
    },
    close: async () => {
      for (const store of stores) await store.close();
      const client = new MongoClient(url);
      await client.db().dropDatabase();
      await client.close();
      requireShardKeys();
    },
  };
};

if (server) {
  readModelStoreContract(server.engine, async () => fixtureOn(server.url(someDatabase())));
  cachedResultsContract(server.engine, async () => fixtureOn(server.url(someDatabase())), {
    updatesAreAtomic: server.isReal,
  });
  stateSnapshotsContract(server.engine, async () => fixtureOn(server.url(someDatabase())));
} else {
  describe('the read-model store on MongoDB', () => {
    it('did not run: the last lines of npm test say why', () => {});
  });
}
