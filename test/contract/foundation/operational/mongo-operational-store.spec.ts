/** The operational store's contract on MongoDB, and what only a store without transactions has to promise. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Collection, MongoClient, MongoNetworkError } from 'mongodb';
import { openOperationalStore } from '../../../../src/app/stores/open-operational-store.js';
import {
  type OperationalStore,
  OperationalUnavailableError,
} from '../../../../src/foundation/operational/operational-store.js';
import { storedAccount } from '../../../support/accounts.js';
import { mongoServer, someDatabase } from '../../../support/mongodb/mongo-server.js';
import { beginWithClaims, requireShardKeys, watched } from '../../../support/mongodb/shard-keys.js';
import { accountStoreContract } from './account-store.contract.js';
import { type OperationalStoreFixture, operationalStoreContract } from './operational-store.contract.js';

const server = await mongoServer(['OperationalStore'], { what: 'the contract of the operational store' });

const fixtureOn = async (url: string, hasClaims = false): Promise<OperationalStoreFixture> => {
  if (hasClaims) await beginWithClaims(url);
  const folder = await mkdtemp(join(tmpdir(), 'podium-operational-'));
  const opened: OperationalStore[] = [];
  const open = async (at: string): Promise<OperationalStore> => {
    const store = await openOperationalStore(at);
    opened.push(store);
    return store;
  };
  const backupPath = join(folder, 'backup.sqlite');
  return {
    store: await open(watched(url)),
    reopen: async () => {
      for (const store of opened.splice(0)) await store.close();
      return open(watched(url));
    },
    backupPath,
    openBackup: () => open(`sqlite:${backupPath}`),
    close: async () => {
      for (const store of opened) await store.close();
      await rm(folder, { recursive: true });
      const client = new MongoClient(url);
      await client.db().dropDatabase();
      await client.close();
      requireShardKeys();
    },
  };
};

const lastAdminOn = (adapter: string, open: () => Promise<OperationalStoreFixture>): void =>
  describe(`the last admin of a space on ${adapter}`, () => {
    afterEach(() => {
      jest.restoreAllMocks();
    });

    it('stays one when the server does not answer whether there is another', async () => {
      const { store, close } = await open();
      await store.accounts.create(storedAccount());
      const count = jest.spyOn(Collection.prototype, 'countDocuments');
      count.mockRejectedValue(new MongoNetworkError('planted'));
      const demoted = store.accounts.update('ann', { role: 'moderator' });
      await expect(demoted).rejects.toBeInstanceOf(OperationalUnavailableError);
      jest.restoreAllMocks();
      expect(await store.accounts.byId('ann')).toMatchObject({ role: 'admin' });
      await close();
    });
  });

const countsOn = (adapter: string, open: () => Promise<OperationalStoreFixture>): void =>
  describe(`counts of log entries on ${adapter}`, () => {
    afterEach(() => {
      jest.restoreAllMocks();
    });

    it('are added up to the first that fails, so that no other is added again', async () => {
      const { store, close } = await open();
      const count = (project: string) => ({ day: '2026-03-17', project, source: 'edge_logs', entries: 2 });
      const counts = ['p', 'q', 'r'].map(count);
      const { insertOne } = Collection.prototype;
      jest
        .spyOn(Collection.prototype, 'insertOne')
        .mockImplementationOnce(function (this: Collection, ...given) {
          return insertOne.apply(this, given);
        })
        .mockRejectedValue(new MongoNetworkError('planted'));
      expect(await store.logCounts.add(counts)).toBe(1);
      const rest = store.logCounts.add(counts.slice(1));
      await expect(rest).rejects.toBeInstanceOf(OperationalUnavailableError);
      jest.restoreAllMocks();
      expect(await store.logCounts.ofDay('2026-03-17')).toEqual([count('p')]);
      await close();
    });
  });

if (server) {
  const updatesAtOnce = server.isReal;
  for (const hasClaims of [false, true]) {
    const adapter = hasClaims ? `${server.engine}, with claims as on a mongos` : server.engine;
    const open = () => fixtureOn(server.url(someDatabase()), hasClaims);
    operationalStoreContract(adapter, open, { updatesAtOnce });
    accountStoreContract(adapter, open, { updatesAtOnce });
    lastAdminOn(adapter, open);
    countsOn(adapter, open);
  }
} else {
  describe('the operational store on MongoDB', () => {
    it('did not run: the last lines of npm test say why', () => {});
  });
}
