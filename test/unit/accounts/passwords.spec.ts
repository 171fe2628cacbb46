/** How passwords are kept and checked. */

import { scryptSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isPassword } from '../../../src/accounts/password-rules.js';
import { oneTimePassword, Passwords } from '../../../src/accounts/passwords.js';
import { FailureError } from '../../../src/http/problems/failure.js';

const weakSalt = Buffer.from('0123456789abcdef');
const weakHash = scryptSync('their password', weakSalt, 32, { N: 2 ** 10, r: 8, p: 1 });
const WEAK = `$scrypt$ln=10,r=8,p=1$${weakSalt.toString('base64url')}$${weakHash.toString('base64url')}`;

describe('a password', () => {
  it('is known by its hash, in either form of its letters, and no other is', async () => {
    const passwords = new Passwords();
    const hash = await passwords.hash('Zoe\u0308 und ihr Passwort');
    expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    expect(await passwords.check('Zo\u00eb und ihr Passwort', hash)).toEqual({
      matches: true,
      isOutdated: false,
    });
    expect((await passwords.check('Zoe und ihr Passwort', hash)).matches).toBe(false);
    expect(await passwords.hash('Zoe\u0308 und ihr Passwort')).not.toBe(hash);
  });

  it('under a weaker hash is known, and said to need another', async () => {
    expect(await new Passwords().check('their password', WEAK)).toEqual({ matches: true, isOutdated: true });
  });

  it('of an account that does not exist is always wrong', async () => {
    expect((await new Passwords().check('', null)).matches).toBe(false);
  });

  it('is refused at once where too many are being checked', async () => {
    const passwords = new Passwords();
    const attempts = await Promise.allSettled(
      Array.from({ length: 30 }, () => passwords.check('their password', WEAK)),
    );
    const refused = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []));
    expect(refused).toHaveLength(4);
    for (const reason of refused) expect(reason).toBeInstanceOf(FailureError);
    expect((await passwords.check('their password', WEAK)).matches).toBe(true);
  });

  it.each([
    ['eleven char', false],
    ['twelve chars', true],
    ['🔑'.repeat(12), true],
    ['x'.repeat(257), false],
  ])('%j may be one: %j', (text, expected) => {
    expect(isPassword(text)).toBe(expected);
  });

  it('for one time is long, and made of letters that are not mistaken', () => {
    expect(oneTimePassword()).toMatch(/^[a-hj-km-np-z2-9]{5}(?:-[a-hj-km-np-z2-9]{5}){3}$/);
    expect(oneTimePassword()).not.toBe(oneTimePassword());
  });
});
