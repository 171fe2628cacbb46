/** How long a session lasts, on a real store and a clock of our own. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deviceNameOf } from '../../../src/accounts/device.js';
import { MAX_AGE_MS, MAX_IDLE_MS, Sessions } from '../../../src/accounts/sessions.js';
import { type OpenedStore, openStoreWith, storedAccount } from '../../support/accounts.js';

const ANN = storedAccount();
const HOUR = 3_600_000;
const DESK = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1';
const HERE = { userAgent: undefined, address: '192.0.2.1' };

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
    const id = await sessions.start(ANN, 0, HERE);
    for (let now = 0; now < MAX_AGE_MS; now += 11 * HOUR) expect(await isAlive(id, now)).toBe(true);
    expect(await isAlive(id, MAX_AGE_MS)).toBe(false);
    expect(await isAlive(id, 0)).toBe(false);
  });

  it('ends when it is not used', async () => {
    const id = await sessions.start(ANN, 0, HERE);
    expect(await isAlive(id, MAX_IDLE_MS - 1)).toBe(true);
    expect(await isAlive(id, 2 * MAX_IDLE_MS - 1)).toBe(false);
  });

  it('is over with its password, also where it was not ended', async () => {
    const id = await sessions.start(ANN, 0, HERE);
    await opened.store.accounts.update('ann', { passwordId: 'p2' });
    expect(await isAlive(id, 1)).toBe(false);
  });

  it('that was begun with a password that has changed meanwhile never counts', async () => {
    await opened.store.accounts.update('ann', { passwordId: 'p2' });
    expect(await isAlive(await sessions.start(ANN, 0, HERE), 1)).toBe(false);
  });

  it('is stored by a hash that is no session', async () => {
    const id = await sessions.start(ANN, 0, HERE);
    for await (const records of opened.store.records()) {
      for (const record of records) {
        if (record.kind !== 'session') continue;
        expect(JSON.stringify(record)).not.toContain(id);
        expect(await isAlive(record.session.key, 1)).toBe(false);
      }
    }
  });

  it('that is over goes when the next begins', async () => {
    await sessions.start(ANN, 0, HERE);
    await sessions.start(ANN, MAX_IDLE_MS + 1, HERE);
    const kinds: string[] = [];
    for await (const records of opened.store.records()) kinds.push(...records.map(({ kind }) => kind));
    expect(kinds.filter((kind) => kind === 'session')).toHaveLength(1);
  });

  it('is listed for its user by its device, and ended by itself', async () => {
    const [phone, desk] = [PHONE, DESK].map((userAgent, at) => ({ userAgent, address: `192.0.2.${at + 1}` }));
    if (!phone || !desk) throw new Error('there are two');
    const first = await sessions.start(ANN, 0, phone);
    const second = await sessions.start(ANN, HOUR, { ...desk, address: '2001:db8:1:2:3:4:5:6' });
    const listed = await sessions.devicesOf(ANN, { now: HOUR, sessionId: first });
    expect(listed.map(({ deviceId: _, ...shown }) => shown)).toEqual([
      {
        ...{ device: 'Firefox on Windows', network: '2001:db8:1:2', isThis: false },
        ...{ startedAt: '1970-01-01T01:00:00.000Z', seenAt: '1970-01-01T01:00:00.000Z' },
      },
      {
        ...{ device: 'Safari on iPhone', network: '192.0.2.1', isThis: true },
        ...{ startedAt: '1970-01-01T00:00:00.000Z', seenAt: '1970-01-01T00:00:00.000Z' },
      },
    ]);
    expect(JSON.stringify(listed)).not.toContain(first);
    const [other] = listed;
    const bob = { ...ANN, accountId: 'bob' };
    expect(await sessions.endDevice(bob, other?.deviceId ?? '')).toBe(false);
    expect(await sessions.endDevice(ANN, other?.deviceId ?? '')).toBe(true);
    expect(await sessions.endDevice(ANN, other?.deviceId ?? '')).toBe(false);
    expect([await isAlive(first, HOUR), await isAlive(second, HOUR)]).toEqual([true, false]);
  });

  it('that is over is not listed', async () => {
    await sessions.start(ANN, 0, HERE);
    const list = (account: typeof ANN, now: number) => sessions.devicesOf(account, { now, sessionId: null });
    expect(await list(ANN, MAX_IDLE_MS - 1)).toHaveLength(1);
    expect(await list(ANN, MAX_IDLE_MS)).toEqual([]);
    expect(await list({ ...ANN, passwordId: 'p2' }, 1)).toEqual([]);
  });
});

describe('a device is named in plain words', () => {
  it.each([
    [DESK, 'Firefox on Windows'],
    [PHONE, 'Safari on iPhone'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 Edg/142.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1 CriOS/142.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPad',
    ],
    ['curl/8.5.0', 'curl'],
    ['', 'Unknown program'],
    ['<script>alert(1)</script>', 'Unknown program'],
  ])('%j', (userAgent, name) => expect(deviceNameOf(userAgent)).toBe(name));
});
