/** How long a session lasts, on a real store and a clock of our own. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_AGE_MS, MAX_IDLE_MS, Sessions } from '../../../src/accounts/sessions.js';
import { type OpenedStore, openStoreWith, storedAccount } from '../../support/accounts.js';

const ANN = storedAccount();
const HOUR = 3_600_000;

describe('a session', () => {
  let opened: OpenedStore;
  let sessions: Sessions;
  beforeEach(async () => {
    opened = await openStoreWith(ANN);
    sessions = new Sessions(opened.store);
  });
  afterEach(() => opened.close());
  const isAlive = async (id: string, now: number): Promise<boolean> =>
    (await sessions.accountOf(id, now)) !== null;

  it('lasts while it is used, up to its age', async () => {
    const id = await sessions.start(ANN, 0);
    for (let now = 0; now < MAX_AGE_MS; now += 11 * HOUR) expect(await isAlive(id, now)).toBe(true);
    expect(await isAlive(id, MAX_AGE_MS)).toBe(false);
    expect(await isAlive(id, 0)).toBe(false);
  });

  it('ends when it is not used', async () => {
    const id = await sessions.start(ANN, 0);
    expect(await isAlive(id, MAX_IDLE_MS - 1)).toBe(true);
    expect(await isAlive(id, 2 * MAX_IDLE_MS - 1)).toBe(false);
  });

  it('is over with its password, also where it was not ended', async () => {
    const id = await sessions.start(ANN, 0);
    await opened.store.accounts.update('ann', { passwordId: 'p2' });
    expect(await isAlive(id, 1)).toBe(false);
  });

  it('that was begun with a password that has changed meanwhile never counts', async () => {
    await opened.store.accounts.update('ann', { passwordId: 'p2' });
    expect(await isAlive(await sessions.start(ANN, 0), 1)).toBe(false);
  });

  it('is stored by a hash that is no session', async () => {
    const id = await sessions.start(ANN, 0);
    for await (const records of opened.store.records()) {
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
    for await (const records of opened.store.records()) kinds.push(...records.map(({ kind }) => kind));
    expect(kinds.filter((kind) => kind === 'session')).toHaveLength(1);
  });
});
