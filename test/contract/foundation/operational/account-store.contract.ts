/** What every adapter of the OperationalStore promises of accounts and sessions. `open` gives an empty store. */

import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AccountStore,
  EmailTakenError,
  LastAdminError,
  type StoredAccount,
  type StoredSession,
} from '../../../../src/foundation/operational/account-store.js';
import { NO_FACTORS, type StoredFactors } from '../../../../src/foundation/operational/factors.js';
import type { OperationalRecord } from '../../../../src/foundation/operational/operational-store.js';
import { storedAccount } from '../../../support/accounts.js';
import { openForEach } from '../../../support/open-for-each.js';
import { runCalls } from '../../../support/run-calls.js';
import { everyRecord, type OpenFixture, type OperationalStoreFixture } from './operational-store.contract.js';

const account = (accountId: string, more: Partial<StoredAccount> = {}): StoredAccount =>
  storedAccount({
    accountId,
    spaceId: 'main',
    email: `${accountId}@example.org`,
    name: accountId,
    role: 'moderator',
    contests: ['Open2026'],
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

const FACTORS: StoredFactors = {
  revision: 1,
  passkeys: [
    {
      ...{ passkeyId: 'k1', publicKey: 'key', counter: 0, transports: ['internal'], name: 'Phone' },
      ...{ isSynced: true, createdAt: 1_000, usedAt: null },
    },
  ],
  authenticator: { secret: 'GEZDGNBVGY3TQOJQ', lastStep: 5, createdAt: 1_000 },
  recoveryHashes: ['h1', 'h2'],
};

/** `updatesAtOnce`: the engine keeps two updates of one document at the same moment apart. */
export const accountStoreContract = (
  adapter: string,
  open: OpenFixture,
  { updatesAtOnce = true }: { readonly updatesAtOnce?: boolean } = {},
): void => {
  describe(`accounts on ${adapter}`, () => {
    let fixture: OperationalStoreFixture;
    let accounts: AccountStore;
    const opened = openForEach(open);
    beforeEach(() => {
      fixture = opened();
      accounts = fixture.store.accounts;
    });

    it('are found by id, by email in any case, and by space in the order of emails', async () => {
      const ann = account('ann', { email: 'Änn@Example.org', role: 'admin', contests: [] });
      const [zoe, bob, cy] = [account('zoe'), account('bob'), account('cy', { spaceId: 'other' })];
      for (const each of [ann, zoe, bob, cy]) await accounts.create(each);
      accounts = (await fixture.reopen()).accounts;
      expect(await accounts.byId('ann')).toEqual(ann);
      expect(await accounts.byEmail('äNN@example.ORG')).toEqual(ann);
      expect(await accounts.ofSpace('main')).toEqual([bob, zoe, ann]);
      expect(await accounts.byId('nobody')).toBeNull();
      expect(await accounts.byEmail('nobody@example.org')).toBeNull();
    });

    it('hold an email once, in all spaces', async () => {
      await accounts.create(account('ann', { email: 'ann@example.org' }));
      const second = account('bob', { email: 'ANN@example.org', spaceId: 'other' });
      await expect(accounts.create(second)).rejects.toBeInstanceOf(EmailTakenError);
      await accounts.create({ ...second, email: 'bob@example.org' });
      const change = accounts.update('bob', { email: 'Ann@example.org', name: 'Robert' });
      await expect(change).rejects.toBeInstanceOf(EmailTakenError);
      expect(await accounts.byId('bob')).toMatchObject({ email: 'bob@example.org', name: 'bob' });
      await accounts.update('ann', { email: 'other@example.org' });
      expect((await accounts.update('bob', { email: 'ann@example.org' }))?.email).toBe('ann@example.org');
    });

    it('change as they are told and keep the rest', async () => {
      const ann = account('ann');
      await accounts.create(ann);
      const changed = await accounts.update('ann', { role: 'admin', contests: [] });
      expect(changed).toEqual({ ...ann, role: 'admin', contests: [] });
      expect(await accounts.byId('ann')).toEqual(changed);
      expect(await accounts.update('ann', {})).toEqual(changed);
      expect(await accounts.update('nobody', { name: 'N' })).toBeNull();
    });

    it('take a change that is meant for one password only while they have it', async () => {
      await accounts.create(account('ann'));
      const changed = await accounts.update('ann', { passwordId: 'p2' }, 'p1');
      expect(changed?.passwordId).toBe('p2');
      expect(await accounts.update('ann', { passwordId: 'p3' }, 'p1')).toBeNull();
      expect(await accounts.byId('ann')).toEqual(changed);
      expect(await accounts.update('nobody', { passwordId: 'p2' }, 'p1')).toBeNull();
    });

    if (updatesAtOnce)
      it('take one of two such changes that come at the same moment', async () => {
        await accounts.create(account('ann'));
        const outcomes = await Promise.all(
          ['p2', 'p3'].map((passwordId) => accounts.update('ann', { passwordId }, 'p1')),
        );
        const [changed, ...others] = outcomes.filter((outcome) => outcome !== null);
        expect(others).toEqual([]);
        expect(await accounts.byId('ann')).toEqual(changed);
      });

    it('leave an admin in a space where two step down at the same moment', async () => {
      await accounts.create(account('ann', { role: 'admin' }));
      await accounts.create(account('bob', { role: 'admin' }));
      await accounts.create(account('cy', { role: 'admin', spaceId: 'other' }));
      const stepDown = (id: string): Promise<boolean> =>
        accounts.update(id, { role: 'moderator', name: 'Down' }).then(
          () => true,
          (error) => {
            if (error instanceof LastAdminError) return false;
            throw error;
          },
        );
      const outcomes = await Promise.all([stepDown('ann'), stepDown('bob')]);
      expect(outcomes).not.toEqual([true, true]);
      const admins = (await accounts.ofSpace('main')).filter(({ role }) => role === 'admin');
      expect(admins.map(({ name }) => name)).toEqual(
        outcomes.flatMap((isDown, index) => (isDown ? [] : [['ann', 'bob'][index]])),
      );
      for (const { accountId } of admins.slice(1)) expect(await stepDown(accountId)).toBe(true);
      expect(await stepDown(admins[0]?.accountId ?? '')).toBe(false);
    });

    it('take a newer hash of the same password, and not over another', async () => {
      await accounts.create(account('ann', { passwordHash: 'old' }));
      await accounts.replaceHash('ann', 'old', 'newer');
      await accounts.replaceHash('ann', 'old', 'late');
      expect((await accounts.byId('ann'))?.passwordHash).toBe('newer');
    });

    it('have factors, which are replaced only as they were read', async () => {
      const ann = account('ann');
      await accounts.create(ann);
      const first = await accounts.replaceFactors(ann, FACTORS, 'p2');
      expect(first).toEqual({ ...ann, factors: FACTORS, passwordId: 'p2' });
      if (!first) throw new Error('there is one');
      // As if no factor had been there, or the password had not changed.
      expect(await accounts.replaceFactors({ ...ann, passwordId: 'p2' }, NO_FACTORS)).toBeNull();
      expect(await accounts.replaceFactors({ ...first, passwordId: 'p1' }, NO_FACTORS)).toBeNull();
      const used = { ...FACTORS, revision: 2, recoveryHashes: ['h2'] };
      expect(await accounts.replaceFactors(first, used)).toEqual({ ...first, factors: used });
      expect(await accounts.replaceFactors(first, NO_FACTORS)).toBeNull();
      expect(await accounts.replaceFactors({ ...first, accountId: 'nobody' }, used)).toBeNull();
      const reopened = await fixture.reopen();
      accounts = reopened.accounts;
      expect(await accounts.byId('ann')).toEqual({ ...first, factors: used });
      expect(await accounts.update('ann', { name: 'Ann' })).toMatchObject({ name: 'Ann', factors: used });
      expect(await everyRecord(reopened)).toContainEqual({
        kind: 'account',
        account: { ...first, name: 'Ann', factors: used },
      });
    });

    if (updatesAtOnce)
      it('take one of two uses of a factor that come at the same moment', async () => {
        await accounts.create(account('ann'));
        const ann = await accounts.replaceFactors(account('ann'), FACTORS);
        if (!ann) throw new Error('there is one');
        const use = (hash: string) =>
          accounts.replaceFactors(ann, { ...FACTORS, revision: 2, recoveryHashes: [hash] });
        const outcomes = await Promise.all([use('h1'), use('h2')]);
        const [changed, ...others] = outcomes.filter((outcome) => outcome !== null);
        expect(others).toEqual([]);
        expect(await accounts.byId('ann')).toEqual(changed);
      });

    it('have challenges, which are replaced, taken once, and gone some time after their end', async () => {
      await accounts.putChallenge({ key: 'c1', text: 'first', endsAt: 1_000 }, 0);
      await accounts.putChallenge({ key: 'c1', text: 'second', endsAt: 2_000 }, 0);
      await accounts.putChallenge({ key: 'c2', text: 'other', endsAt: 1_000 }, 0);
      accounts = (await fixture.reopen()).accounts;
      const taking = [1, 2].map(() => () => accounts.takeChallenge('c1'));
      const taken = await runCalls(taking, { atOnce: updatesAtOnce });
      expect(taken.filter((one) => one !== null)).toEqual([{ key: 'c1', text: 'second', endsAt: 2_000 }]);
      await accounts.putChallenge({ key: 'c3', text: 'later', endsAt: 3_000 }, 1_001);
      expect(await accounts.takeChallenge('c2')).toBeNull();
      expect(await accounts.takeChallenge('c3')).not.toBeNull();
    });

    it('are gone when erased, with their sessions, and their email is free', async () => {
      await accounts.create(account('ann'));
      await accounts.create(account('bob'));
      await accounts.startSession(session('s1'));
      await accounts.startSession(session('s2', { accountId: 'bob' }));
      await accounts.erase('ann');
      expect(await accounts.byId('ann')).toBeNull();
      expect(await accounts.session('s1')).toBeNull();
      expect(await accounts.session('s2')).not.toBeNull();
      await accounts.create(account('ann2', { email: 'ann@example.org' }));
    });

    it('have sessions, known after a restart, seen and ended', async () => {
      for (const key of ['s1', 's2', 's3']) await accounts.startSession(session(key));
      await accounts.startSession(session('b', { accountId: 'bob' }));
      accounts = (await fixture.reopen()).accounts;
      expect(await accounts.session('s1')).toEqual(session('s1'));
      await accounts.seen('s1', 5_000);
      await accounts.seen('s1', 4_000);
      await accounts.seen('nothing', 4_000);
      expect(await accounts.session('s1')).toEqual(session('s1', { seenAt: 5_000 }));
      expect(await accounts.session('nothing')).toBeNull();
      await accounts.endSession('s1');
      expect(await accounts.session('s1')).toBeNull();
      await accounts.endSessionsOf('ann');
      expect(await accounts.session('s2')).toBeNull();
      expect(await accounts.session('b')).not.toBeNull();
    });

    it('have sessions with the device that they began on, listed by account, the last seen first', async () => {
      const known = session('s1', { seenAt: 2_000, device: 'Firefox on Windows', network: '192.0.2.7' });
      await accounts.startSession(known);
      await accounts.startSession(session('s2', { seenAt: 3_000 }));
      await accounts.startSession(session('b', { accountId: 'bob', device: 'curl', network: '192.0.2.8' }));
      const reopened = await fixture.reopen();
      accounts = reopened.accounts;
      expect(await accounts.session('s1')).toEqual(known);
      expect(await accounts.sessionsOf('ann')).toEqual([session('s2', { seenAt: 3_000 }), known]);
      expect(await accounts.sessionsOf('nobody')).toEqual([]);
      const records = await everyRecord(reopened);
      expect(records).toContainEqual({ kind: 'session', session: known });
      await accounts.endSession('s1');
      // Nothing of the device is left for a later session.
      await accounts.startSession(session('s1'));
      expect(await accounts.session('s1')).toEqual(session('s1'));
    });

    it('lose the sessions that are too old or were not used', async () => {
      await accounts.startSession(session('old', { startedAt: 99, seenAt: 900 }));
      await accounts.startSession(session('idle', { startedAt: 200, seenAt: 299 }));
      await accounts.startSession(session('good', { startedAt: 100, seenAt: 300 }));
      await accounts.endSessionsBefore({ startedAt: 100, seenAt: 300 });
      const left = await Promise.all(['old', 'idle', 'good'].map((key) => accounts.session(key)));
      expect(left.map((found) => found?.key)).toEqual([undefined, undefined, 'good']);
    });

    it('are among the records, which another store takes up as they are', async () => {
      const stored = [account('ann'), account('bob', { spaceId: 'other' })];
      for (const each of stored) await accounts.create(each);
      await accounts.startSession(session('s1'));
      const records = await everyRecord(fixture.store);
      expect(records).toEqual([
        { kind: 'last-person-id', personId: 0 },
        ...stored.map((each) => ({ kind: 'account', account: each })),
        { kind: 'session', session: session('s1') },
      ]);
      const other = await open();
      try {
        await other.store.putRecords(records);
        await other.store.putRecords(records);
        expect(await everyRecord(other.store)).toEqual(records);
        expect(await other.store.accounts.byEmail('ANN@example.org')).toEqual(stored[0]);
        const taken: OperationalRecord[] = [
          { kind: 'account', account: account('cy') },
          { kind: 'account', account: account('dee', { email: 'ann@example.org' }) },
        ];
        await expect(other.store.putRecords(taken)).rejects.toBeInstanceOf(EmailTakenError);
        expect(await other.store.accounts.byId('cy')).toBeNull();
      } finally {
        await other.close();
      }
    });
  });
};
