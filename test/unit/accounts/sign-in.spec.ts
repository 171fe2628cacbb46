/** What signing in does with hashes that have become weak, and with accounts that are not there. */
import { scryptSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Passwords } from '../../../src/accounts/passwords.js';
import { SignIn } from '../../../src/accounts/sign-in.js';
import { SignInLimits } from '../../../src/accounts/sign-in-limits.js';
import { SqliteOperationalStore } from '../../../src/engines/sqlite/operational/sqlite-operational-store.js';
import type { StoredAccount } from '../../../src/foundation/operational/account-store.js';

const salt = Buffer.from('0123456789abcdef');
const weak = scryptSync('their password', salt, 32, { N: 2 ** 10, r: 8, p: 1 });
const ANN: StoredAccount = {
  accountId: 'ann',
  spaceId: 'default',
  email: 'ann@example.org',
  name: 'Ann',
  role: 'admin',
  contests: [],
  readsLogs: false,
  passwordHash: `$scrypt$ln=10,r=8,p=1$${salt.toString('base64url')}$${weak.toString('base64url')}`,
  passwordId: 'p1',
  passwordIsOneTime: false,
  createdAt: 0,
};

describe('signing in', () => {
  let folder: string;
  let store: SqliteOperationalStore;
  let signIn: SignIn;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-sign-in-'));
    store = new SqliteOperationalStore(join(folder, 'operational.sqlite'));
    signIn = new SignIn(store, new Passwords(), new SignInLimits());
    await store.accounts.create(ANN);
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  const attempt = (email: string, password: string) => signIn.accountOf({ email, password }, '192.0.2.1');

  it('puts a hash of today in the place of a weak one, and no session ends by it', async () => {
    expect(await attempt('ANN@example.org', 'their password')).toEqual(ANN);
    const after = await store.accounts.byId('ann');
    expect(after).toEqual({ ...ANN, passwordHash: expect.stringMatching(/^\$scrypt\$ln=15,r=8,p=3\$/) });
    expect(await attempt('ann@example.org', 'their password')).toEqual(after);
  });

  it('with a wrong password changes nothing', async () => {
    await expect(attempt('ann@example.org', 'their passwort')).rejects.toMatchObject({
      rejection: { code: 'sign-in-refused' },
    });
    expect(await store.accounts.byId('ann')).toEqual(ANN);
  });

  it('without an account is refused like a wrong password', async () => {
    await expect(attempt('bob@example.org', 'their password')).rejects.toMatchObject({
      rejection: { code: 'sign-in-refused' },
    });
  });
});
