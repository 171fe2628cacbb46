/**
 * Creates and changes accounts, for the command line and for the users page. A password set by an admin is for
 * one time: its owner can only choose a new one with it.
 */
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ContestRef } from '../domain/references.js';
import { type FieldError, invalid, RejectedError, type Rejection } from '../domain/rejections.js';
import type { CommandContext } from '../foundation/aggregates/aggregate.js';
import type { Account, ListedAccount } from '../foundation/operational/account.js';
import {
  EmailTakenError,
  LastAdminError,
  type StoredAccount,
} from '../foundation/operational/account-store.js';
import { AuditTrail } from '../foundation/operational/audit-trail.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../foundation/operational/operational-store.js';
import { publicOf } from './access-control.js';
import { accountErrors } from './account-rules.js';
import { factorKindsOf } from './factors/factors.js';
import { isPassword, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password-rules.js';
import { PasswordStrength } from './password-strength.js';
import { oneTimePassword, Passwords } from './passwords.js';

export type NewAccount = Omit<Account, 'accountId' | 'managesTokens'> &
  Partial<Pick<Account, 'managesTokens'>>;
export type AccountEdit = Partial<Omit<Account, 'accountId' | 'spaceId'>>;

export interface WithPassword {
  readonly account: Account;
  /** Shown this once; null when the caller has set the password. */
  readonly password: string | null;
}

/** Returns whether a contest was ever created, read from its stream. Injection token: CONTEST_EXISTS. */
export type ContestExists = (contest: ContestRef) => Promise<boolean>;
export const CONTEST_EXISTS = Symbol('ContestExists');

/** The access tokens that belong to accounts. Injection token: TOKENS_OF_ACCOUNTS. */
export interface TokensOfAccounts {
  /** Revokes all that belong to the account. Idempotent. */
  endAllOf(accountId: string, context: CommandContext): Promise<void>;
  /** Gives all of them to another account. Idempotent. */
  handOverAllOf(accountId: string, to: string, context: CommandContext): Promise<void>;
}
export const TOKENS_OF_ACCOUNTS = Symbol('TokensOfAccounts');

@Injectable()
export class Accounts {
  constructor(
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
    private readonly passwords: Passwords,
    private readonly strength: PasswordStrength,
    @Inject(CONTEST_EXISTS) private readonly contestExists: ContestExists,
    @Inject(TOKENS_OF_ACCOUNTS) private readonly tokens: TokensOfAccounts,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns the accounts of a space, ordered by email. */
  async list(spaceId: string): Promise<readonly ListedAccount[]> {
    const stored = await this.operational.accounts.ofSpace(spaceId);
    return stored.map((account) => ({ ...publicOf(account), factors: factorKindsOf(account) }));
  }

  /** Finds an account of the space by id or email. Throws RejectedError `account-not-found`. */
  async find(spaceId: string, idOrEmail: string): Promise<Account> {
    const { accounts } = this.operational;
    const found = (await accounts.byId(idOrEmail)) ?? (await accounts.byEmail(idOrEmail));
    if (found?.spaceId === spaceId) return publicOf(found);
    throw new RejectedError(notFound(idOrEmail));
  }

  /**
   * Creates an account. Without a password it gets a one-time password. Throws RejectedError `invalid-request`,
   * `email-taken`.
   */
  async create(account: NewAccount, password: string | null, context: CommandContext): Promise<WithPassword> {
    const errors = [
      ...accountErrors(account),
      ...(password === null ? [] : await this.#passwordErrors('password', password, account)),
    ];
    if (errors.length > 0) throw new RejectedError(invalid(errors));
    await this.#requireContests(account, []);
    const given = password === null ? oneTimePassword() : null;
    const stored: StoredAccount = {
      ...account,
      accountId: randomUUID(),
      contests: contestsOf(account),
      managesTokens: account.readsLogs && (account.managesTokens ?? false),
      createdAt: Date.now(),
      ...(await this.#passwordFields(given ?? password ?? '')),
      passwordIsOneTime: given !== null,
    };
    await translateStoreErrors(() => this.operational.accounts.create(stored));
    const { accountId: subject, spaceId } = stored;
    const { role, contests, readsLogs, managesTokens = false } = stored;
    const details = changesIn({ role, contests, readsLogs, managesTokens });
    await this.audit.note({ action: 'account-created', spaceId, subject, details }, context);
    return { account: publicOf(stored), password: given };
  }

  /** Throws RejectedError `invalid-request`, `account-not-found`, `email-taken`, `last-admin`. */
  async edit(
    { accountId, ...before }: Account,
    edit: AccountEdit,
    context: CommandContext,
  ): Promise<Account> {
    const after = { ...before, ...edit };
    const errors = accountErrors(after);
    if (errors.length > 0) throw new RejectedError(invalid(errors));
    await this.#requireContests(after, before.contests);
    // Contests that the edit does not name stay: another admin may have changed them in the meantime.
    const changesContests = edit.contests !== undefined || edit.role === 'admin';
    const changesRights = edit.readsLogs !== undefined || edit.managesTokens !== undefined;
    const change = {
      ...edit,
      ...(changesContests && { contests: contestsOf(after) }),
      ...(changesRights && { managesTokens: after.readsLogs && after.managesTokens }),
    };
    const changed = await translateStoreErrors(() => this.operational.accounts.update(accountId, change));
    if (!changed) throw new RejectedError(notFound(accountId));
    const { spaceId } = changed;
    const details = changesIn(change);
    await this.audit.note({ action: 'account-changed', spaceId, subject: accountId, details }, context);
    return publicOf(changed);
  }

  /**
   * Removes the account with its sessions. Its access tokens are revoked, or given to another account. After a crash, remove it
   * again. Throws RejectedError `last-admin`, and `invalid-request` when the other account cannot have them.
   */
  async remove(
    { accountId, spaceId }: Account,
    context: CommandContext,
    handTokensTo: Account | null = null,
  ): Promise<void> {
    if (handTokensTo !== null) requireHeir(handTokensTo, accountId);
    const { accounts } = this.operational;
    // The store refuses to make the last admin a moderator. From now on the account makes no token.
    const fewerRights = { role: 'moderator', managesTokens: false } as const;
    await translateStoreErrors(() => accounts.update(accountId, fewerRights));
    const passOn = (): Promise<void> =>
      handTokensTo === null
        ? this.tokens.endAllOf(accountId, context)
        : this.tokens.handOverAllOf(accountId, handTokensTo.accountId, context);
    await passOn();
    await accounts.erase(accountId);
    await this.audit.note({ action: 'account-removed', spaceId, subject: accountId }, context);
    // Those that another account has handed over to it meanwhile.
    await passOn();
  }

  /** Returns a new one-time password and ends the sessions of the old one. */
  async resetPassword({ accountId }: Pick<Account, 'accountId'>, context: CommandContext): Promise<string> {
    const password = oneTimePassword();
    const changed = await this.#setPassword({ accountId }, password, true);
    if (!changed) throw new RejectedError(notFound(accountId));
    await this.#noteReset(changed, context);
    return password;
  }

  /**
   * Replaces the password that `account` has. If an admin has reset the password in the meantime, that reset
   * stays and the holder is signed out. Throws RejectedError `invalid-request` when the new password breaks the
   * rules or equals the current one, and `session-missing`.
   */
  async changePassword(
    account: Pick<StoredAccount, 'accountId' | 'passwordId' | 'email' | 'name'>,
    { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
  ): Promise<StoredAccount> {
    const { accountId, passwordId } = account;
    const errors = await this.#passwordErrors('newPassword', newPassword, account);
    const message = 'newPassword must be another than the current one';
    if (newPassword === currentPassword) errors.push({ field: 'newPassword', rule: 'changed', message });
    if (errors.length > 0) throw new RejectedError(invalid(errors));
    const changed = await this.#setPassword({ accountId, passwordId }, newPassword, false);
    if (changed) return changed;
    const detail = 'the password was changed in the meantime: sign in with the new one';
    throw new RejectedError({ code: 'session-missing', detail });
  }

  /** Sets a password that an operator has chosen with the holder. Throws RejectedError `invalid-request`. */
  async setPassword(account: Account, password: string, context: CommandContext): Promise<void> {
    const errors = await this.#passwordErrors('password', password, account);
    const { accountId } = account;
    if (errors.length > 0) throw new RejectedError(invalid(errors));
    const changed = await this.#setPassword({ accountId }, password, false);
    if (!changed) throw new RejectedError(notFound(accountId));
    await this.#noteReset(changed, context);
  }

  #noteReset({ accountId: subject, spaceId }: StoredAccount, context: CommandContext): Promise<void> {
    return this.audit.note({ action: 'password-reset', spaceId, subject }, context);
  }

  /** One rule at a time: that of the length first. */
  async #passwordErrors(
    field: string,
    password: string,
    { email, name }: Pick<Account, 'email' | 'name'>,
  ): Promise<FieldError[]> {
    if (!isPassword(password)) {
      const message = `${field} must have from ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`;
      return [{ field, rule: 'password', message }];
    }
    const weakness = await this.strength.weaknessOf({ password, context: [email, name] });
    if (weakness === null) return [];
    return [{ field, rule: 'guessable', message: `${field} is too easy to guess. ${weakness}` }];
  }

  /**
   * A misspelt contest id would give the moderator no access. `before`: contests that the account already has.
   */
  async #requireContests(
    { spaceId, contests }: Pick<Account, 'spaceId' | 'contests'>,
    before: readonly string[],
  ): Promise<void> {
    const found = await Promise.all(
      contests.map(async (competitionId, index): Promise<readonly FieldError[]> => {
        if (before.includes(competitionId)) return [];
        const contest = { spaceId, competitionId };
        if (await this.contestExists(contest)) return [];
        const message = `there is no contest ${competitionId} in the space ${spaceId}`;
        return [{ field: `contests[${index}]`, rule: 'known', message }];
      }),
    );
    const errors = found.flat();
    if (errors.length > 0) throw new RejectedError(invalid(errors));
  }

  /** Returns null when there is no such account, or when `passwordId` is not its password any more. */
  async #setPassword(
    { accountId, passwordId }: { readonly accountId: string; readonly passwordId?: string },
    password: string,
    passwordIsOneTime: boolean,
  ): Promise<StoredAccount | null> {
    const { accounts } = this.operational;
    const fields = { ...(await this.#passwordFields(password)), passwordIsOneTime };
    const changed = await accounts.update(accountId, fields, passwordId);
    // These sessions are invalid already; this removes their rows.
    if (changed) await accounts.endSessionsOf(accountId);
    return changed;
  }

  async #passwordFields(password: string) {
    const passwordHash = await this.passwords.hash(password);
    return { passwordHash, passwordId: randomUUID(), passwordSetAt: Date.now() };
  }
}

/** An admin runs all contests of the space, so a list would only become outdated. */
const contestsOf = ({ role, contests }: Pick<Account, 'role' | 'contests'>): readonly string[] =>
  role === 'admin' ? [] : [...new Set(contests)];

/** It must be able to see and to revoke them. */
const requireHeir = (heir: Account, accountId: string): void => {
  const field = 'handTokensTo';
  if (heir.accountId === accountId) {
    const message = 'must be another account than the one that is removed';
    throw new RejectedError(invalid([{ field, rule: 'other', message }]));
  }
  if (heir.managesTokens) return;
  const message = 'must be an account with the right to manage access tokens';
  throw new RejectedError(invalid([{ field, rule: 'tokens', message }]));
};

const notFound = (idOrEmail: string): Rejection => ({
  code: 'account-not-found',
  detail: `there is no account ${idOrEmail}`,
});

/** What an account may do, as the audit trail has it. Of email and name it says only that they changed. */
const changesIn = ({
  email,
  name,
  role,
  contests,
  readsLogs,
  managesTokens,
}: AccountEdit): readonly string[] => [
  ...(email === undefined ? [] : ['email']),
  ...(name === undefined ? [] : ['name']),
  ...(role === undefined ? [] : [`role=${role}`]),
  ...(contests === undefined ? [] : [`contests=${contests.join(' ') || 'none'}`]),
  ...(readsLogs === undefined ? [] : [`logs=${readsLogs ? 'yes' : 'no'}`]),
  ...(managesTokens === undefined ? [] : [`tokens=${managesTokens ? 'yes' : 'no'}`]),
];

/** Turns the refusals of the store into a RejectedError for the caller. */
const translateStoreErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EmailTakenError) {
      const detail = 'another account has this email';
      const errors = [{ field: 'email', rule: 'unique', message: detail }];
      throw new RejectedError({ code: 'email-taken', detail, errors });
    }
    if (error instanceof LastAdminError) {
      const detail = 'this is the only admin of the space: make another one first';
      throw new RejectedError({ code: 'last-admin', detail });
    }
    throw error;
  }
};
