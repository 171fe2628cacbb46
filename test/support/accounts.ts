/** Accounts as stores keep them, and a store for them. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SqliteOperationalStore } from '../../src/engines/sqlite/operational/sqlite-operational-store.js';
import type { StoredAccount } from '../../src/foundation/operational/account-store.js';
import { temporaryFolder } from './podium-app.js';

/** Ann, an admin, where nothing else is said. */
export const storedAccount = (change: Partial<StoredAccount> = {}): StoredAccount => ({
  accountId: 'ann',
  spaceId: 'default',
  email: 'ann@example.org',
  name: 'Ann',
  role: 'admin',
  contests: [],
  readsLogs: false,
  passwordHash: 'hash',
  passwordId: 'p1',
  passwordIsOneTime: false,
  createdAt: 0,
  ...change,
});

export interface OpenedStore {
  readonly store: SqliteOperationalStore;
  /** Closes the store and removes its files. */
  close(): Promise<void>;
}

/** A store of its own files, with this account. */
export const openStoreWith = async (account: StoredAccount): Promise<OpenedStore> => {
  const folder = await temporaryFolder();
  const store = new SqliteOperationalStore(join(folder, 'operational.sqlite'));
  await store.accounts.create(account);
  return {
    store,
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
};
