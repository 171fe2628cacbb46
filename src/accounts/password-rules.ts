/**
 * Rules of a password: long enough against guessing, short enough to hash, any characters. They hold when a password is
 * set, so older accounts keep theirs. password-strength.ts has the rule that needs dictionaries.
 */
import type { StoredAccount } from '../foundation/operational/account-store.js';

export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 256;

/** A one-time password that was not used by then may have gone to the wrong person. Milliseconds. */
export const ONE_TIME_PASSWORD_MS = 24 * 3_600_000;

/** `now` in milliseconds since 1970. A password of an older version counts from the start of its account. */
export const hasEnded = (
  account: Pick<StoredAccount, 'passwordIsOneTime' | 'passwordSetAt' | 'createdAt'>,
  now: number,
): boolean =>
  account.passwordIsOneTime && now - (account.passwordSetAt ?? account.createdAt) >= ONE_TIME_PASSWORD_MS;

export const isPassword = (text: string): boolean => {
  const { length } = [...text];
  return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH;
};
