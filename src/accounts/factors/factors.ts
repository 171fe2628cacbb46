/**
 * What happens to the factors of an account when one is added, removed or used. Functions of the stored factors; the
 * store keeps their outcome only when nothing has changed them meanwhile.
 */
import { isName, nameRule } from '../../domain/ids.js';
import { invalid, RejectedError } from '../../domain/rejections.js';
import { hashSecret, readableText } from '../../foundation/credentials/credential-text.js';
import type { StoredAccount } from '../../foundation/operational/account-store.js';
import {
  FACTOR_KINDS,
  type FactorKind,
  NO_FACTORS,
  type StoredAuthenticator,
  type StoredFactors,
  type StoredPasskey,
} from '../../foundation/operational/factors.js';
import { stepOf } from './time-codes.js';

export const MAX_PASSKEYS = 10;
export const MAX_PASSKEY_NAME_LENGTH = 100;
const RECOVERY_CODES = 10;
/** About 74 bits, so a fast hash is enough. */
const RECOVERY_CODE_GROUPS = 3;

export const factorsOf = ({ factors = NO_FACTORS }: Pick<StoredAccount, 'factors'>): StoredFactors => factors;

export const factorKindsOf = (account: Pick<StoredAccount, 'factors'>): readonly FactorKind[] => {
  const { passkeys, authenticator } = factorsOf(account);
  return FACTOR_KINDS.filter((kind) => (kind === 'passkey' ? passkeys.length > 0 : authenticator !== null));
};

export const hasSecondFactor = (account: Pick<StoredAccount, 'factors'>): boolean =>
  factorKindsOf(account).length > 0;

/** Without a factor there is nothing to recover. */
const changed = (factors: StoredFactors, change: Partial<Omit<StoredFactors, 'revision'>>): StoredFactors => {
  const after = { ...factors, ...change, revision: factors.revision + 1 };
  return hasSecondFactor({ factors: after }) ? after : { ...after, recoveryHashes: [] };
};

export const withoutFactors = (factors: StoredFactors): StoredFactors =>
  changed(factors, { passkeys: [], authenticator: null });

/** Throws RejectedError `too-many-passkeys`, and `invalid-request` for a name that cannot be shown. */
export const withPasskey = (factors: StoredFactors, passkey: StoredPasskey): StoredFactors => {
  if (!isName(passkey.name, MAX_PASSKEY_NAME_LENGTH)) {
    const message = `name ${nameRule(MAX_PASSKEY_NAME_LENGTH)}`;
    throw new RejectedError(invalid([{ field: 'name', rule: 'name', message }]));
  }
  const others = factors.passkeys.filter(({ passkeyId }) => passkeyId !== passkey.passkeyId);
  if (others.length < MAX_PASSKEYS) return changed(factors, { passkeys: [...others, passkey] });
  const detail = `an account has at most ${MAX_PASSKEYS} passkeys: remove one first`;
  throw new RejectedError({ code: 'too-many-passkeys', detail });
};

/** Throws RejectedError `factor-not-found`. */
export const withoutPasskey = (factors: StoredFactors, shownId: string): StoredFactors => {
  const passkeys = factors.passkeys.filter((passkey) => shownIdOf(passkey) !== shownId);
  if (passkeys.length === factors.passkeys.length) throw notFound('such passkey');
  return changed(factors, { passkeys });
};

export const withAuthenticator = (
  factors: StoredFactors,
  authenticator: StoredAuthenticator,
): StoredFactors => changed(factors, { authenticator });

/** Throws RejectedError `factor-not-found`. */
export const withoutAuthenticator = (factors: StoredFactors): StoredFactors => {
  if (factors.authenticator === null) throw notFound('authenticator app');
  return changed(factors, { authenticator: null });
};

export interface WithRecoveryCodes {
  readonly factors: StoredFactors;
  /** Shown this once. */
  readonly recoveryCodes: readonly string[];
}

/** Ten new codes in the place of all before. Throws RejectedError `factor-not-found`. */
export const withNewRecoveryCodes = (factors: StoredFactors): WithRecoveryCodes => {
  if (!hasSecondFactor({ factors })) throw notFound('passkey or authenticator app to recover');
  const recoveryCodes = Array.from({ length: RECOVERY_CODES }, () => readableText(RECOVERY_CODE_GROUPS));
  return { factors: changed(factors, { recoveryHashes: recoveryCodes.map(recoveryHash) }), recoveryCodes };
};

/** The typed code of the app, or a recovery code, is used up. Returns null when it is neither. `now` in milliseconds. */
export const withCodeUsed = (factors: StoredFactors, typed: string, now: number): StoredFactors | null => {
  const { authenticator, recoveryHashes } = factors;
  const lastStep = authenticator && stepOf(authenticator.secret, typed, now);
  if (authenticator && lastStep !== null && lastStep > authenticator.lastStep)
    return changed(factors, { authenticator: { ...authenticator, lastStep } });
  const left = recoveryHashes.filter((hash) => hash !== recoveryHash(typed));
  return left.length < recoveryHashes.length ? changed(factors, { recoveryHashes: left }) : null;
};

export const withPasskeyUsed = (
  factors: StoredFactors,
  used: string,
  change: Pick<StoredPasskey, 'counter' | 'isSynced' | 'usedAt'>,
): StoredFactors =>
  changed(factors, {
    passkeys: factors.passkeys.map((passkey) =>
      passkey.passkeyId === used ? { ...passkey, ...change } : passkey,
    ),
  });

/** Devices choose ids of up to 1,023 bytes, which are too long for a path. */
export const shownIdOf = ({ passkeyId }: Pick<StoredPasskey, 'passkeyId'>): string =>
  hashSecret(passkeyId).slice(0, 16);

/** Users type the codes from paper: with any spacing and case. */
const recoveryHash = (typed: string): string => hashSecret(typed.toLowerCase().replaceAll(/[\s-]/g, ''));

const notFound = (what: string): RejectedError =>
  new RejectedError({ code: 'factor-not-found', detail: `the account has no ${what}` });
