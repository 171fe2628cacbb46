/** What every adapter of the OperationalStore promises of accounts and sessions. `open` gives an empty store. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  EmailTakenError,
  LastAdminError,
  type StoredAccount,
  type StoredSession,
} from '../../../../src/foundation/operational/account-store.js';
import type {
  OperationalRecord,
  OperationalStore,
} from '../../../../src/foundation/operational/operational-store.js';
import type { OperationalStoreFixture } from './operational-store.contract.js';

const account = (accountId: string, more: Partial<StoredAccount> = {}): StoredAccount => ({
  accountId,
  spaceId: 'main',
  email: `${accountId}@example.org`,
  name: accountId,
  role: 'moderator',
  contests: ['Open2026'],
  readsLogs: false,
  passwordHash: 'hash',
  passwordId: 'p1',
  passwordIsOneTime: false,
  createdAt: 1_000,
  ...more,
});

const session = (key: string, more: Partial<StoredSession> = {}): StoredSession => ({
  key,
  accountId: 'ann',
  passwordId: 'p1',
  startedAt: 1_000,
  seenAt: 1_000,
  ...more,
});

const everyRecord = async (store: OperationalStore): Promise<readonly OperationalRecord[]> => {
  const all: OperationalRecord[] = [];
  for await (const records of store.records()) all.push(...records);
  return all;
};

/** `updatesAtOnce`: the engine keeps two updates of one document at the same moment apart. */
export const accountStoreContract = (
  adapter: string,
  open: () => Promise<OperationalStoreFixture>,
  { updatesAtOnce = true }: { readonly updatesAtOnce?: boolean } = {},
): void => {
  describe(`accounts on ${adapter}`, () => {
    let fixture: OperationalStoreFixture;
    let store: OperationalStore;
    beforeEach(async () => {
      fixture = await open();
      store = fixture.store;
    });
    afterEach(() => fixture.cleanUp());

    it('are found by id, by email in any case, and by space in the order of emails', async () => {
      const ann = account('ann', { email: 'Änn@Example.org', role: 'admin', contests: [] });
      const [zoe, bob, cy] = [account('zoe'), account('bob'), account('cy', { spaceId: 'other' })];
      for (const each of [ann, zoe, bob, cy]) await store.accounts.create(each);
      store = await fixture.reopen();
      expect(await store.accounts.byId('ann')).toEqual(ann);
      expect(await store.accounts.byEmail('äNN@example.ORG')).toEqual(ann);
      expect(await store.accounts.ofSpace('main')).toEqual([bob, zoe, ann]);
      expect(await store.accounts.byId('nobody')).toBeNull();
      expect(await store.accounts.byEmail('nobody@example.org')).toBeNull();
    });

    it('hold an email once, in all spaces', async () => {
      await store.accounts.create(account('ann', { email: 'ann@example.org' }));
      const second = account('bob', { email: 'ANN@example.org', spaceId: 'other' });
      await expect(store.accounts.create(second)).rejects.toBeInstanceOf(EmailTakenError);
      await store.accounts.create({ ...second, email: 'bob@example.org' });
      const change = store.accounts.update('bob', { email: 'Ann@example.org', name: 'Robert' });
      await expect(change).rejects.toBeInstanceOf(EmailTakenError);
      expect(await store.accounts.byId('bob')).toMatchObject({ email: 'bob@example.org', name: 'bob' });
      await store.accounts.update('ann', { email: 'other@example.org' });
      expect((await store.accounts.update('bob', { email: 'ann@example.org' }))?.email).toBe(
        'ann@example.org',
      );
    });

    it('change as they are told and keep the rest', async () => {
      const ann = account('ann');
      await store.accounts.create(ann);
      const changed = await store.accounts.update('ann', { role: 'admin', contests: [] });
      expect(changed).toEqual({ ...ann, role: 'admin', contests: [] });
      expect(await store.accounts.byId('ann')).toEqual(changed);
      expect(await store.accounts.update('ann', {})).toEqual(changed);
      expect(await store.accounts.update('nobody', { name: 'N' })).toBeNull();
    });

    it('take a change that is meant for one password only while they have it', async () => {
      await store.accounts.create(account('ann'));
      const changed = await store.accounts.update('ann', { passwordId: 'p2' }, 'p1');
      expect(changed?.passwordId).toBe('p2');
      expect(await store.accounts.update('ann', { passwordId: 'p3' }, 'p1')).toBeNull();
      expect(await store.accounts.byId('ann')).toEqual(changed);
      expect(await store.accounts.update('nobody', { passwordId: 'p2' }, 'p1')).toBeNull();
    });

    if (updatesAtOnce)
      it('take one of two such changes that come at the same moment', async () => {
        await store.accounts.create(account('ann'));
        const outcomes = await Promise.all(
          ['p2', 'p3'].map((passwordId) => store.accounts.update('ann', { passwordId }, 'p1')),
        );
        const [changed, ...others] = outcomes.filter((outcome) => outcome !== null);
        expect(others).toEqual([]);
        expect(await store.accounts.byId('ann')).toEqual(changed);
      });

    it('leave an admin in a space, whoever steps down at the same moment', async () => {
      await store.accounts.create(account('ann', { role: 'admin' }));
      await store.accounts.create(account('bob', { role: 'admin' }));
      await store.accounts.create(account('cy', { role: 'admin', spaceId: 'other' }));
      const stepDown = (id: string): Promise<boolean> =>
        store.accounts.update(id, { role: 'moderator', name: 'Down' }).then(
          () => true,
          (error) => {
            if (error instanceof LastAdminError) return false;
            throw error;
          },
        );
      const outcomes = await Promise.all([stepDown('ann'), stepDown('bob')]);
      expect(outcomes).not.toEqual([true, true]);
      const admins = (await store.accounts.ofSpace('main')).filter(({ role }) => role === 'admin');
      expect(admins.map(({ name }) => name)).toEqual(
        outcomes.flatMap((isDown, index) => (isDown ? [] : [['ann', 'bob'][index]])),
      );
      for (const { accountId } of admins.slice(1)) expect(await stepDown(accountId)).toBe(true);
      expect(await stepDown(admins[0]?.accountId ?? '')).toBe(false);
    });

    it('take a newer hash of the same password, and not over another', async () => {
      await store.accounts.create(account('ann', { passwordHash: 'old' }));
      await store.accounts.replaceHash('ann', 'old', 'newer');
      await store.accounts.replaceHash('ann', 'old', 'late');
      expect((await store.accounts.byId('ann'))?.passwordHash).toBe('newer');
    });

    it('are gone when erased, with their sessions, and their email is free', async () => {
      await store.accounts.create(account('ann'));
      await store.accounts.create(account('bob'));
      await store.accounts.startSession(session('s1'));
      await store.accounts.startSession(session('s2', { accountId: 'bob' }));
      await store.accounts.erase('ann');
      expect(await store.accounts.byId('ann')).toBeNull();
      expect(await store.accounts.session('s1')).toBeNull();
      expect(await store.accounts.session('s2')).not.toBeNull();
      await store.accounts.create(account('ann2', { email: 'ann@example.org' }));
    });

    it('have sessions, known after a restart, seen and ended', async () => {
      for (const key of ['s1', 's2', 's3']) await store.accounts.startSession(session(key));
      await store.accounts.startSession(session('b', { accountId: 'bob' }));
      store = await fixture.reopen();
      expect(await store.accounts.session('s1')).toEqual(session('s1'));
      await store.accounts.seen('s1', 5_000);
      await store.accounts.seen('s1', 4_000);
      await store.accounts.seen('nothing', 4_000);
      expect(await store.accounts.session('s1')).toEqual(session('s1', { seenAt: 5_000 }));
      expect(await store.accounts.session('nothing')).toBeNull();
      await store.accounts.endSession('s1');
      expect(await store.accounts.session('s1')).toBeNull();
      await store.accounts.endSessionsOf('ann');
      expect(await store.accounts.session('s2')).toBeNull();
      expect(await store.accounts.session('b')).not.toBeNull();
    });

    it('lose the sessions that are too old or were not used', async () => {
      await store.accounts.startSession(session('old', { startedAt: 99, seenAt: 900 }));
      await store.accounts.startSession(session('idle', { startedAt: 200, seenAt: 299 }));
      await store.accounts.startSession(session('good', { startedAt: 100, seenAt: 300 }));
      await store.accounts.endSessionsBefore({ startedAt: 100, seenAt: 300 });
      const left = await Promise.all(['old', 'idle', 'good'].map((key) => store.accounts.session(key)));
      expect(left.map((found) => found?.key)).toEqual([undefined, undefined, 'good']);
    });

    it('are among the records, which another store takes up as they are', async () => {
      const accounts = [account('ann'), account('bob', { spaceId: 'other' })];
      for (const each of accounts) await store.accounts.create(each);
      await store.accounts.startSession(session('s1'));
      const records = await everyRecord(store);
      expect(records).toEqual([
        { kind: 'last-person-id', personId: 0 },
        ...accounts.map((each) => ({ kind: 'account', account: each })),
        { kind: 'session', session: session('s1') },
      ]);
      const other = await open();
      try {
        await other.store.putRecords(records);
        await other.store.putRecords(records);
        expect(await everyRecord(other.store)).toEqual(records);
        expect(await other.store.accounts.byEmail('ANN@example.org')).toEqual(accounts[0]);
        const taken: OperationalRecord[] = [
          { kind: 'account', account: account('cy') },
          { kind: 'account', account: account('dee', { email: 'ann@example.org' }) },
        ];
        await expect(other.store.putRecords(taken)).rejects.toBeInstanceOf(EmailTakenError);
        expect(await other.store.accounts.byId('cy')).toBeNull();
      } finally {
        await other.cleanUp();
      }
    });
  });
};
