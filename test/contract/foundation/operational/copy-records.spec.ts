/** Moving an operational store: accounts and sessions go along, and the target's own records are not overwritten unasked. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openOperationalStore } from '../../../../src/app/stores/open-operational-store.js';
import type { StoredAccount } from '../../../../src/foundation/operational/account-store.js';
import { copyRecords, UnrelatedRecordsError } from '../../../../src/foundation/operational/copy-records.js';
import type { OperationalStore } from '../../../../src/foundation/operational/operational-store.js';
import { storedAccount } from '../../../support/accounts.js';

const account = (accountId: string, email: string): StoredAccount =>
  storedAccount({ accountId, spaceId: 'main', email, name: accountId, readsLogs: true, createdAt: 1 });
const session = (key: string, accountId: string) => ({
  key,
  accountId,
  passwordId: 'p1',
  startedAt: 1,
  seenAt: 1,
});

describe('a copy of an operational store', () => {
  let folder: string;
  let from: OperationalStore;
  let to: OperationalStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-copy-'));
    from = await openOperationalStore(`sqlite:${join(folder, 'from.sqlite')}`);
    to = await openOperationalStore(`sqlite:${join(folder, 'to.sqlite')}`);
    await from.accounts.create(account('ann', 'ann@example.org'));
    await from.accounts.startSession(session('s1', 'ann'));
  });
  afterEach(async () => {
    await from.close();
    await to.close();
    await rm(folder, { recursive: true });
  });

  it('has its accounts and sessions, and is the same when made again', async () => {
    const first = await copyRecords({ from, to, overwrite: false });
    expect(first).toMatchObject({ accounts: 1, profiles: 0 });
    expect(await copyRecords({ from, to, overwrite: false })).toEqual(first);
    expect(await to.accounts.byEmail('ANN@example.org')).toEqual(account('ann', 'ann@example.org'));
    expect(await to.accounts.session('s1')).toEqual(session('s1', 'ann'));
  });

  it('is the same as a source that names its fields in another order, as each engine does', async () => {
    const first = await copyRecords({ from, to, overwrite: false });
    const reversed = {
      async *records() {
        for await (const records of from.records())
          yield records.map((record) =>
            record.kind === 'account'
              ? { ...record, account: Object(Object.fromEntries(Object.entries(record.account).reverse())) }
              : record,
          );
      },
    };
    expect(await copyRecords({ from: reversed, to, overwrite: false })).toEqual(first);
  });

  /** Servers write after each reading of it, as devices use their keys and moderators add persons. */
  const busy = () => {
    let readings = 0;
    return {
      async *records() {
        yield* from.records();
        readings += 1;
        from.recordKeyUse('k1', { at: readings, accepted: 1, refused: 0 });
        await from.keyUses(['k1']);
      },
    };
  };

  it('is made while its source is written to, and holds what was read', async () => {
    const copied = await copyRecords({ from: busy(), to, overwrite: false });
    expect(copied).toMatchObject({ accounts: 1, keyUses: 0 });
    expect(await copyRecords({ from: busy(), to, overwrite: false })).toMatchObject({ keyUses: 1 });
    expect((await to.keyUses(['k1'])).get('k1')).toMatchObject({ accepted: 1 });
  });

  it('gives no id twice, where a person is added while it is read', async () => {
    const person = { spaceId: 'main', name: 'Ann', localizedName: null, assocId: null };
    const registering = {
      async *records() {
        let isFirst = true;
        for await (const records of from.records()) {
          yield records;
          if (isFirst) await from.createProfile(person);
          isFirst = false;
        }
      },
    };
    expect(await copyRecords({ from: registering, to, overwrite: false })).toMatchObject({ profiles: 1 });
    const { personId } = await from.createProfile(person);
    expect(await to.createProfile(person)).toMatchObject({ personId });
  });

  it.each([
    ['an account of its own', () => to.accounts.create(account('eve', 'eve@example.org'))],
    ['the same account, changed', () => to.accounts.create(account('ann', 'other@example.org'))],
    ['a session of its own', () => to.accounts.startSession(session('s9', 'eve'))],
  ])('is not made over %s, unless it is to be', async (_, fill) => {
    await fill();
    await expect(copyRecords({ from, to, overwrite: false })).rejects.toBeInstanceOf(UnrelatedRecordsError);
    expect(await to.accounts.session('s1')).toBeNull();
    await copyRecords({ from, to, overwrite: true });
    expect(await to.accounts.ofSpace('main')).toEqual([account('ann', 'ann@example.org')]);
    expect(await to.accounts.session('s9')).toBeNull();
  });

  it('takes over an email that another account of the target has', async () => {
    await to.accounts.create(account('eve', 'ann@example.org'));
    await copyRecords({ from, to, overwrite: true });
    expect((await to.accounts.byEmail('ann@example.org'))?.accountId).toBe('ann');
  });
});
