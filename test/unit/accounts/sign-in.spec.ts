/** What signing in does with hashes that have become weak, and with accounts that are not there. */
import { scryptSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TOTP } from 'otpauth';
import { AccountFactors } from '../../../src/accounts/factors/account-factors.js';
import { newSecret } from '../../../src/accounts/factors/time-codes.js';
import { Passwords } from '../../../src/accounts/passwords.js';
import { SignIn } from '../../../src/accounts/sign-in.js';
import { SignInLimits } from '../../../src/accounts/sign-in-limits.js';
import type { StoredAccount } from '../../../src/foundation/operational/account-store.js';
import { AuditTrail } from '../../../src/foundation/operational/audit-trail.js';
import { NO_FACTORS } from '../../../src/foundation/operational/factors.js';
import {
  type OperationalRecord,
  OperationalUnavailableError,
} from '../../../src/foundation/operational/operational-store.js';
import { type OpenedStore, openStoreWith, storedAccount } from '../../support/accounts.js';
import { loneExchange } from '../../support/failures.js';

const salt = Buffer.from('0123456789abcdef');
const weak = scryptSync('their password', salt, 32, { N: 2 ** 10, r: 8, p: 1 });
const ANN = storedAccount({
  passwordHash: `$scrypt$ln=10,r=8,p=1$${salt.toString('base64url')}$${weak.toString('base64url')}`,
});

const HOUR = 3_600_000;
const oneTime = (change: Partial<StoredAccount>): OperationalRecord => ({
  kind: 'account',
  account: { ...ANN, passwordIsOneTime: true, ...change },
});

describe('signing in', () => {
  let opened: OpenedStore;
  let signIn: SignIn;
  let audit: AuditTrail;
  beforeEach(async () => {
    opened = await openStoreWith(ANN);
    audit = new AuditTrail(opened.store, () => undefined);
    signIn = new SignIn(
      opened.store,
      new Passwords(),
      new SignInLimits(loneExchange()),
      new AccountFactors(opened.store, audit),
      audit,
    );
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await audit.close();
    await opened.close();
  });
  const attempt = (email: string, password: string) => signIn.accountOf({ email, password }, '192.0.2.1');

  it('puts a hash of today in the place of a weak one, and no session ends by it', async () => {
    expect(await attempt('ANN@example.org', 'their password')).toEqual(ANN);
    const after = await opened.store.accounts.byId('ann');
    expect(after).toEqual({ ...ANN, passwordHash: expect.stringMatching(/^\$scrypt\$ln=15,r=8,p=3\$/) });
    expect(await attempt('ann@example.org', 'their password')).toEqual(after);
  });

  it('with a wrong password changes nothing', async () => {
    await expect(attempt('ann@example.org', 'their passwort')).rejects.toMatchObject({
      rejection: { code: 'sign-in-refused' },
    });
    expect(await opened.store.accounts.byId('ann')).toEqual(ANN);
  });

  it.each([
    ['within 24 hours', { passwordSetAt: Date.now() - 23 * HOUR }, null],
    ['later', { passwordSetAt: Date.now() - 24 * HOUR }, 'one-time-password-ended'],
    ['of an older version, with a new account', { createdAt: Date.now() - HOUR }, null],
    ['of an older version, with an old account', { createdAt: 0 }, 'one-time-password-ended'],
  ])('with a one-time password, %s', async (_, change, code) => {
    await opened.store.putRecords([oneTime(change)]);
    const outcome = attempt('ann@example.org', 'their password');
    if (code === null) expect((await outcome).accountId).toBe('ann');
    else await expect(outcome).rejects.toMatchObject({ rejection: { code } });
    // The right text tells that it has ended; a guess learns nothing.
    await expect(attempt('ann@example.org', 'their passwort')).rejects.toMatchObject({
      rejection: { code: 'sign-in-refused' },
    });
  });

  it('with a password of their own works however old it is', async () => {
    await opened.store.accounts.update('ann', { passwordSetAt: 1 });
    expect((await attempt('ann@example.org', 'their password')).accountId).toBe('ann');
  });

  it('with a wrong code is limited like a wrong password; asking for the code costs nothing', async () => {
    const authenticator = { secret: newSecret(), lastStep: 0, createdAt: 0 };
    await opened.store.accounts.replaceFactors(ANN, { ...NO_FACTORS, authenticator });
    const codeOf = async (code?: string, address = '192.0.2.1'): Promise<string> => {
      const credentials = { email: 'ann@example.org', password: 'their password', ...(code && { code }) };
      return signIn.accountOf(credentials, address).then(
        () => 'signed in',
        (error) => error.rejection?.code ?? error.failure.code,
      );
    };
    expect([await codeOf(), await codeOf()]).toEqual(['second-factor-missing', 'second-factor-missing']);
    const outcomes = await Promise.all(Array.from({ length: 11 }, () => codeOf('000 000')));
    expect(outcomes.slice(0, 10)).toEqual(Array(10).fill('second-factor-refused'));
    expect(outcomes[10]).toBe('too-many-sign-ins');
    // Each other address may try passwords, too, but the account has ten codes left for all of them.
    const elsewhere: string[] = [];
    for (let network = 0; network < 11; network += 1)
      elsewhere.push(await codeOf('000 000', `198.51.100.${network}`));
    expect(elsewhere.slice(0, 10)).toEqual(Array(10).fill('second-factor-refused'));
    expect(elsewhere[10]).toBe('too-many-sign-ins');
    const right = new TOTP({ secret: authenticator.secret }).generate();
    expect(await codeOf(right, '198.51.100.12')).toBe('too-many-sign-ins');
  });

  it('while the store fails is no guess: any number of times, and then it works', async () => {
    const authenticator = { secret: newSecret(), lastStep: 0, createdAt: 0 };
    await opened.store.accounts.replaceFactors(ANN, { ...NO_FACTORS, authenticator });
    const code = new TOTP({ secret: authenticator.secret }).generate();
    const credentials = { email: 'ann@example.org', password: 'their password', code };
    // Quickly.
    jest.spyOn(Passwords.prototype, 'check').mockResolvedValue({ matches: true, isOutdated: true });
    jest.spyOn(Passwords.prototype, 'hash').mockResolvedValue('hash');
    const outcome = () =>
      signIn.accountOf(credentials, '192.0.2.1').then(
        () => 'signed in',
        (error) => error.failure?.code ?? error.message,
      );
    for (const call of ['byEmail', 'replaceHash', 'replaceFactors'] as const) {
      const fails = jest.spyOn(opened.store.accounts, call);
      fails.mockRejectedValue(new OperationalUnavailableError('away', {}));
      // More than any limit.
      const outcomes = new Set<string>();
      for (let attempt = 0; attempt < 32; attempt += 1) outcomes.add(await outcome());
      expect([call, ...outcomes]).toEqual([call, 'away']);
      fails.mockRestore();
    }
    expect(await outcome()).toBe('signed in');
  });

  it('without an account is refused like a wrong password', async () => {
    await expect(attempt('bob@example.org', 'their password')).rejects.toMatchObject({
      rejection: { code: 'sign-in-refused' },
    });
  });
});
