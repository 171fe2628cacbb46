/** What becomes of the factors of an account when codes are used, and when the last factor goes. */
import { describe, expect, it } from '@jest/globals';
import { TOTP } from 'otpauth';
import {
  hasSecondFactor,
  shownIdOf,
  withAuthenticator,
  withCodeUsed,
  withNewRecoveryCodes,
  withoutAuthenticator,
  withoutPasskey,
  withPasskey,
} from '../../../../src/accounts/factors/factors.js';
import { newSecret, secretUri, stepOf } from '../../../../src/accounts/factors/time-codes.js';
import { NO_FACTORS, type StoredFactors } from '../../../../src/foundation/operational/factors.js';

const STEP_MS = 30_000;
/** In the middle of a step. */
const NOON = 1_700_000_010_000 - (1_700_000_010_000 % STEP_MS) + STEP_MS / 2;
const SECRET = newSecret();
const codeAt = (timestamp: number): string => new TOTP({ secret: SECRET }).generate({ timestamp });

const withApp: StoredFactors = withAuthenticator(NO_FACTORS, { secret: SECRET, lastStep: 0, createdAt: 0 });
const passkey = (passkeyId: string, name = passkeyId) => ({
  ...{ passkeyId, name, publicKey: 'key', counter: 0, transports: [] },
  ...{ isSynced: false, createdAt: 0, usedAt: null },
});

describe('a code of an authenticator app', () => {
  it.each([
    ['in its step', 0, true],
    ['one step late', STEP_MS, true],
    ['one step early', -STEP_MS, true],
    ['two steps late', 2 * STEP_MS, false],
    ['two steps early', -2 * STEP_MS, false],
  ])('counts %s: %d ms', (_, late, counts) => {
    expect(withCodeUsed(withApp, codeAt(NOON), NOON + late) !== null).toBe(counts);
  });

  it('is accepted once, and no earlier one after it', () => {
    const used = withCodeUsed(withApp, codeAt(NOON), NOON);
    if (!used) throw new Error('it is right');
    expect(used.revision).toBe(withApp.revision + 1);
    expect(withCodeUsed(used, codeAt(NOON), NOON)).toBeNull();
    expect(withCodeUsed(used, codeAt(NOON), NOON + STEP_MS)).toBeNull();
    expect(withCodeUsed(used, codeAt(NOON - STEP_MS), NOON)).toBeNull();
    expect(withCodeUsed(used, codeAt(NOON + STEP_MS), NOON + STEP_MS)).not.toBeNull();
  });

  it('may have spaces as apps show them, and nothing else', () => {
    const code = codeAt(NOON);
    expect(withCodeUsed(withApp, ` ${code.slice(0, 3)} ${code.slice(3)} `, NOON)).not.toBeNull();
    for (const typed of ['', '12345', `${code}0`, 'abcdef', '１２３４５６'])
      expect([typed, withCodeUsed(withApp, typed, NOON)]).toEqual([typed, null]);
  });

  it('is one of RFC 6238, for all apps', () => {
    // Appendix B, SHA-1, of the eight digits there the last six.
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    expect(stepOf(secret, '287082', 59_000)).toBe(1);
    expect(stepOf(secret, '005924', 1_234_567_890_000)).toBe(41_152_263);
    const uri = new URL(secretUri(secret, 'a b@example.org'));
    expect([uri.protocol, uri.hostname, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/Podium:a b@example.org',
    ]);
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret, digits: '6', period: '30' });
  });
});

describe('recovery codes', () => {
  const { factors, recoveryCodes } = withNewRecoveryCodes(withApp);

  it('are ten, each for once, typed as people type', () => {
    expect(new Set(recoveryCodes).size).toBe(10);
    let left = factors;
    for (const code of recoveryCodes) {
      const after = withCodeUsed(left, ` ${code.toUpperCase().replaceAll('-', ' ')}`, NOON);
      if (!after) throw new Error(`${code} is right`);
      expect(withCodeUsed(after, code, NOON)).toBeNull();
      left = after;
    }
    expect(left.recoveryHashes).toEqual([]);
    expect(withCodeUsed(left, '', NOON)).toBeNull();
  });

  it('are stored by hashes only, and end when others are made', () => {
    const [code = ''] = recoveryCodes;
    expect(JSON.stringify(factors)).not.toContain(code);
    expect(JSON.stringify(factors)).not.toContain(code.replaceAll('-', ''));
    expect(withCodeUsed(withNewRecoveryCodes(factors).factors, code, NOON)).toBeNull();
  });

  it('go with the last factor, not before', () => {
    const both = withPasskey(factors, passkey('k1'));
    const one = withoutAuthenticator(both);
    expect(one.recoveryHashes).toEqual(factors.recoveryHashes);
    const none = withoutPasskey(one, shownIdOf(passkey('k1')));
    expect(none).toEqual({ ...NO_FACTORS, revision: both.revision + 2 });
    expect(hasSecondFactor({ factors: none })).toBe(false);
    expect(() => withNewRecoveryCodes(none)).toThrow('the account has no passkey or authenticator app');
  });
});

describe('passkeys', () => {
  it('are at most ten; a name can be shown; one that is there again takes the place of the first', () => {
    const ten = Array.from({ length: 10 }, (_, index) => passkey(`k${index}`));
    const full = ten.reduce((factors, each) => withPasskey(factors, each), NO_FACTORS);
    expect(() => withPasskey(full, passkey('k10'))).toThrow('at most 10 passkeys');
    expect(withPasskey(full, passkey('k3', 'Renamed')).passkeys).toHaveLength(10);
    for (const name of ['', '  ', 'a\nb', 'x'.repeat(101)])
      expect(() => withPasskey(NO_FACTORS, passkey('k1', name))).toThrow('name must be 1 to 100 characters');
    expect(() => withoutPasskey(full, 'other')).toThrow('the account has no such passkey');
  });
});
