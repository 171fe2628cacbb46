/**
 * The part of the operational store that holds accounts and their sessions. Guarantees one account for each email, and
 * at least one admin for a space that has had one. Of passwords, session cookies and recovery codes it holds hashes only.
 */
import type { Account } from './account.js';
import type { StoredChallenge, StoredFactors } from './factors.js';

export interface StoredAccount extends Omit<Account, 'managesTokens'> {
  /** Missing in accounts of older versions, in which `readsLogs` was both rights. */
  readonly managesTokens?: boolean;
  /** As src/accounts/passwords.ts writes it, with its parameters. */
  readonly passwordHash: string;
  /** UUID of the password with the factors beside it: a session that started with others has ended. */
  readonly passwordId: string;
  /** Set by an admin or operator: the account's user has to change it before anything else. */
  readonly passwordIsOneTime: boolean;
  /** Milliseconds since 1970. Missing in accounts of older versions whose password has not changed since. */
  readonly passwordSetAt?: number;
  /** Missing: the account never had any. */
  readonly factors?: StoredFactors;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export type AccountChange = Partial<Omit<StoredAccount, 'accountId' | 'spaceId' | 'createdAt' | 'factors'>>;

export interface StoredSession {
  /** SHA-256 of what the cookie holds, in hexadecimal digits. */
  readonly key: string;
  readonly accountId: string;
  /** The password that the session started with. */
  readonly passwordId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds since 1970 of the last request, exact to a few minutes. */
  readonly seenAt: number;
  /** Browser and system in plain words. Missing, as the network, in sessions of older versions. */
  readonly device?: string;
  /** The network of the address that signed in. */
  readonly network?: string;
}

export interface AccountStore {
  /** Throws EmailTakenError. */
  create(account: StoredAccount): Promise<void>;
  byId(accountId: string): Promise<StoredAccount | null>;
  /** Without regard to case. */
  byEmail(email: string): Promise<StoredAccount | null>;
  /** All of a space, by email. */
  ofSpace(spaceId: string): Promise<readonly StoredAccount[]>;
  /**
   * Returns the changed account; null when there is none, or when its password is not `passwordId`. Throws
   * EmailTakenError, or LastAdminError when the space would be left without an admin; then nothing has changed.
   */
  update(accountId: string, change: AccountChange, passwordId?: string): Promise<StoredAccount | null>;
  /** Stores a newer hash of the same password. Does nothing when the account has another hash than `from`. */
  replaceHash(accountId: string, from: string, to: string): Promise<void>;
  /**
   * Stores other factors, and with them another `passwordId`. Returns the changed account; null when it is gone, or when its
   * password or its factors have changed since `account` was read.
   */
  replaceFactors(
    account: StoredAccount,
    factors: StoredFactors,
    passwordId?: string,
  ): Promise<StoredAccount | null>;
  /** Removes every trace of the account and its sessions. */
  erase(accountId: string): Promise<void>;

  startSession(session: StoredSession): Promise<void>;
  session(key: string): Promise<StoredSession | null>;
  /** All of an account, the last seen first. */
  sessionsOf(accountId: string): Promise<readonly StoredSession[]>;
  /** Updates `seenAt` to milliseconds since 1970. Does nothing when the session has ended. */
  seen(key: string, at: number): Promise<void>;
  endSession(key: string): Promise<void>;
  endSessionsOf(accountId: string): Promise<void>;
  /** Ends sessions that started, or were last seen, before these times in milliseconds since 1970. */
  endSessionsBefore(times: { readonly startedAt: number; readonly seenAt: number }): Promise<void>;

  /** Replaces the challenge of this key. Removes all that ended before `now`, in milliseconds since 1970. No record. */
  putChallenge(challenge: StoredChallenge, now: number): Promise<void>;
  /** Removes the challenge and returns it; null when there is none. Of several callers one gets it. */
  takeChallenge(key: string): Promise<StoredChallenge | null>;
}

/** Another account has this email. */
export class EmailTakenError extends Error {
  constructor(readonly email: string) {
    super(`${email} is taken by another account`);
    this.name = 'EmailTakenError';
  }
}

/** Throws EmailTakenError when another account holds this one's email. `holder`: the account that has the email now. */
export const refuseOtherHolder = (
  { accountId, email }: StoredAccount,
  holder: StoredAccount | null,
): void => {
  if (holder && holder.accountId !== accountId) throw new EmailTakenError(email);
};

/** The account is the only admin of its space. */
export class LastAdminError extends Error {
  constructor(readonly accountId: string) {
    super(`account ${accountId} is the only admin of its space`);
    this.name = 'LastAdminError';
  }
}
