/** How long a session lasts, on a real store and a clock of our own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_AGE_MS, MAX_IDLE_MS, Sessions } from '../../src/accounts/sessions.js';
import { SqliteOperationalStore } from '../../src/engines/sqlite/operational/sqlite-operational-store.js';
import type { StoredAccount } from '../../src/foundation/operational/account-store.js';

const ANN: StoredAccount = {
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
};
const HOUR = 3_600_000;

describe('a session', () => {
  let folder: string;
  let store: SqliteOperationalStore;
  let sessions: Sessions;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-sessions-'));
    store = new SqliteOperationalStore(join(folder, 'operational.sqlite'));
    sessions = new Sessions(store);
    await store.accounts.create(ANN);
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  const isAlive = async (id: string, now: number): Promise<boolean> =>
    (await sessions.accountOf(id, now)) !== null;

  it('lasts while it is used, up to its age', async () => {
    const id = await sessions.start(ANN, 0);
    for (let now = 0; now < MAX_AGE_MS; now += 11 * HOUR) expect(await isAlive(id, now)).toBe(true);
    expect(await isAlive(id, MAX_AGE_MS)).toBe(false);
    expect(await isAlive(id, 0)).toBe(false);
  });

  it('ends where nobody uses it', async () => {
    const id = await sessions.start(ANN, 0);
    expect(await isAlive(id, MAX_IDLE_MS - 1)).toBe(true);
    expect(await isAlive(id, 2 * MAX_IDLE_MS - 1)).toBe(false);
  });

  it('is over with its password, also where it was not ended', async () => {
    const id = await sessions.start(ANN, 0);
    await store.accounts.update('ann', { passwordId: 'p2' });
    expect(await isAlive(id, 1)).toBe(false);
  });

  it('that was begun with a password that has changed meanwhile never counts', async () => {
    await store.accounts.update('ann', { passwordId: 'p2' });
    expect(await isAlive(await sessions.start(ANN, 0), 1)).toBe(false);
  });

  it('is stored by a hash that is no session', async () => {
    const id = await sessions.start(ANN, 0);
    for await (const records of store.records()) {
      for (const record of records) {
        if (record.kind !== 'session') continue;
        expect(JSON.stringify(record)).not.toContain(id);
        expect(await isAlive(record.session.key, 1)).toBe(false);
      }
    }
  });

  it('that is over goes when the next begins', async () => {
    await sessions.start(ANN, 0);
    await sessions.start(ANN, MAX_IDLE_MS + 1);
    const kinds: string[] = [];
    for await (const records of store.records()) kinds.push(...records.map(({ kind }) => kind));
    expect(kinds.filter((kind) => kind === 'session')).toHaveLength(1);
  });
});
