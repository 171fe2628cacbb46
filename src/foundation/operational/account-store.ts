/**
 * The part of the operational store that holds accounts and their sessions. It keeps what only the store can keep: one
 * account for each email, and at least one admin for a space that has had one. Of a password it has the hash, of a session
 * the hash of what the cookie holds.
 */
import type { Account } from './account.js';

export interface StoredAccount extends Account {
  /** As src/accounts/passwords.ts writes it, with its parameters. */
  readonly passwordHash: string;
  /** UUID of the password: a session that was begun with another is over. */
  readonly passwordId: string;
  /** Given by somebody else: the holder has to change it before anything else. */
  readonly passwordIsOneTime: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export type AccountChange = Partial<Omit<StoredAccount, 'accountId' | 'spaceId' | 'createdAt'>>;

export interface StoredSession {
  /** SHA-256 of what the cookie holds, in hexadecimal digits. */
  readonly key: string;
  readonly accountId: string;
  /** The password that it was begun with. */
  readonly passwordId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Of the last request, known to a few minutes. */
  readonly seenAt: number;
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
   * Null when there is no such account, or none that has the password `passwordId` by now. Throws EmailTakenError, and
   * LastAdminError when nobody would be left to run the space; then nothing has changed.
   */
  update(accountId: string, change: AccountChange, passwordId?: string): Promise<StoredAccount | null>;
  /** The same password under a newer hash. Nothing happens where the account has another by now. */
  replaceHash(accountId: string, from: string, to: string): Promise<void>;
  /** Removes every trace of the account and its sessions. */
  erase(accountId: string): Promise<void>;

  startSession(session: StoredSession): Promise<void>;
  session(key: string): Promise<StoredSession | null>;
  /** Nothing happens when the session has ended. */
  seen(key: string, at: number): Promise<void>;
  endSession(key: string): Promise<void>;
  endSessionsOf(accountId: string): Promise<void>;
  /** Ends those that were begun, or last seen, before these times. */
  endSessionsBefore(times: { readonly startedAt: number; readonly seenAt: number }): Promise<void>;
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
