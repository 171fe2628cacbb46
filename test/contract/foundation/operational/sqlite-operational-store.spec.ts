/** The operational store's contract on SQLite, and what only an embedded file has to promise. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openOperationalStore } from '../../../../src/app/stores/open-operational-store.js';
import { SqliteDatabase } from '../../../../src/engines/sqlite/sqlite.js';
import {
  type OperationalStore,
  OperationalUnavailableError,
} from '../../../../src/foundation/operational/operational-store.js';
import { storedAccount } from '../../../support/accounts.js';
import { accountStoreContract } from './account-store.contract.js';
import { type OperationalStoreFixture, operationalStoreContract } from './operational-store.contract.js';

/** A command writes itself; a server has a thread for it. */
const WAYS = [
  { adapter: 'SQLite', startsThreads: false },
  { adapter: 'SQLite with a thread that writes', startsThreads: true },
];

const openFixture = async (startsThreads: boolean): Promise<OperationalStoreFixture> => {
  const folder = await mkdtemp(join(tmpdir(), 'podium-operational-'));
  const opened: OperationalStore[] = [];
  const open = async (file: string): Promise<OperationalStore> => {
    const store = await openOperationalStore(`sqlite:${join(folder, file)}`, { startsThreads });
    opened.push(store);
    return store;
  };
  return {
    store: await open('operational.sqlite'),
    reopen: async () => {
      for (const store of opened.splice(0)) await store.close();
      return open('operational.sqlite');
    },
    backupPath: join(folder, 'backup.sqlite'),
    openBackup: () => open('backup.sqlite'),
    close: async () => {
      for (const store of opened) await store.close();
      await rm(folder, { recursive: true });
    },
  };
};

for (const { adapter, startsThreads } of WAYS) {
  operationalStoreContract(adapter, () => openFixture(startsThreads));
  accountStoreContract(adapter, () => openFixture(startsThreads));
}

describe('a file whose lock another process holds', () => {
  const someone = { spaceId: 'main', name: 'Ann', localizedName: null, assocId: null };
  let folder: string;
  let store: OperationalStore;
  let holder: InstanceType<typeof SqliteDatabase>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-operational-'));
    const path = join(folder, 'operational.sqlite');
    store = await openOperationalStore(`sqlite:${path}`, { startsThreads: true });
    await store.createProfile(someone);
    holder = new SqliteDatabase(path);
    holder.exec('BEGIN EXCLUSIVE');
  });
  afterEach(async () => {
    holder.close();
    await store.close();
    await rm(folder, { recursive: true });
  });

  it('is read, and written as soon as the lock is gone', async () => {
    const waiting = Promise.all([store.createProfile(someone), store.createProfile(someone)]);
    expect((await store.profiles([1, 2])).size).toBe(1);
    holder.exec('ROLLBACK');
    expect((await waiting).map(({ personId }) => personId).toSorted()).toEqual([2, 3]);
    expect(await store.takesWrites()).toBe(true);
  });

  it('refuses a write that has waited long, and says so until a write succeeds', async () => {
    await expect(store.createProfile(someone)).rejects.toThrow(OperationalUnavailableError);
    expect(await store.takesWrites()).toBe(false);
    holder.exec('ROLLBACK');
    expect(await store.takesWrites()).toBe(true);
    expect((await store.createProfile(someone)).personId).toBe(2);
  });
});

describe('a file that is no operational store', () => {
  it('is left as it is, and named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-operational-'));
    const others = join(folder, 'bookmarks.sqlite');
    const database = new SqliteDatabase(others);
    database.exec('CREATE TABLE bookmarks (url)');
    database.close();
    const broken = join(folder, 'broken.sqlite');
    await writeFile(broken, 'no database '.repeat(100));
    const before = await readFile(others);
    for (const path of [others, broken]) {
      await expect(openOperationalStore(`sqlite:${path}`)).rejects.toThrow(OperationalUnavailableError);
      await expect(openOperationalStore(`sqlite:${path}`)).rejects.toThrow(path);
    }
    expect(await readFile(others)).toEqual(before);
    await rm(folder, { recursive: true });
  });
});

/** The bytes of a store's files once this was done in it. */
const filesAfter = async (
  startsThreads: boolean,
  action: (store: OperationalStore) => Promise<unknown>,
): Promise<readonly Buffer[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'podium-operational-'));
  const path = join(folder, 'operational.sqlite');
  const store = await openOperationalStore(`sqlite:${path}`, { startsThreads });
  await action(store);
  const files = await Promise.all([readFile(path), readFile(`${path}-wal`)]);
  await store.close();
  await rm(folder, { recursive: true });
  return files;
};

describe.each(WAYS)('an erased profile on $adapter', ({ startsThreads }) => {
  it('leaves no trace in the files', async () => {
    const profile = { spaceId: 'main', name: 'Unforgettable', localizedName: null, assocId: null };
    const files = await filesAfter(startsThreads, async (store) => {
      const { personId } = await store.createProfile(profile);
      await store.eraseProfile(personId);
    });
    expect(files.some((bytes) => bytes.includes('nforgettable'))).toBe(false);
  });
});

describe.each(WAYS)('an erased account on $adapter', ({ startsThreads }) => {
  it('leaves no trace of email and name in the files, not of earlier ones either', async () => {
    const name = 'Unforgettable';
    const account = storedAccount({ email: 'unforgettable@example.org', name, role: 'moderator' });
    const files = await filesAfter(startsThreads, async ({ accounts }) => {
      await accounts.create(account);
      await accounts.update('ann', { email: 'notforgotten@example.org', name: 'Notforgotten' });
      await accounts.erase('ann');
    });
    const texts = files.map((bytes) => bytes.toString('latin1').toLowerCase());
    expect(texts.some((text) => text.includes('nforgettable') || text.includes('otforgotten'))).toBe(false);
  });
});
