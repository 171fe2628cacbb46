/** Finds the account that a request is signed in with, and checks what it may do. */

import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ContestRef } from '../domain/references.js';
import { RejectedError } from '../domain/rejections.js';
import type { CommandContext } from '../foundation/aggregates/aggregate.js';
import { CONFIG, type PodiumConfig } from '../foundation/config.js';
import { type Account, canManage, type SignedInAccount } from '../foundation/operational/account.js';
import type { StoredAccount } from '../foundation/operational/account-store.js';
import { networkOf } from '../http/credentials/buckets.js';
import { hasSecondFactor } from './factors/factors.js';
import { requireSameSite } from './same-site.js';
import { sessionIdOf } from './session-cookie.js';
import { Sessions } from './sessions.js';

/**
 * Methods throw RejectedError `session-missing` (401) when the request has no valid session. They throw
 * `cross-site` (403) when a request that changes something is not from our own pages, `password-to-change` (403)
 * while the account has a one-time password, and `second-factor-to-set-up` (403) while it lacks a second factor
 * that it must have.
 */
@Injectable()
export class AccessControl {
  constructor(
    private readonly sessions: Sessions,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'adminsNeedSecondFactor'>,
  ) {}

  /** The account of the session, of any space. */
  async holder(request: FastifyRequest): Promise<Account> {
    const account = await this.withOwnPassword(request);
    if (!this.needsSecondFactor(account)) return publicOf(account);
    const detail = 'admins of this server need a passkey or an authenticator app: add one under Your account';
    throw new RejectedError({ code: 'second-factor-to-set-up', detail });
  }

  /**
   * The account, when it belongs to this space. Throws RejectedError `account-not-allowed` (403), as do the
   * methods below.
   */
  async of(request: FastifyRequest, spaceId: string): Promise<Account> {
    const account = await this.holder(request);
    if (account.spaceId !== spaceId) refuse(`the account is not of the space ${spaceId}`);
    return account;
  }

  async admin(request: FastifyRequest, spaceId: string): Promise<Account> {
    const account = await this.of(request, spaceId);
    if (account.role !== 'admin') refuse('only admins of the space may do this');
    return account;
  }

  /** An admin of the space, or a moderator of this contest. */
  async moderatorOf(request: FastifyRequest, { spaceId, competitionId }: ContestRef): Promise<Account> {
    const account = await this.of(request, spaceId);
    if (!canManage(account, competitionId)) refuse(`the account does not run the contest ${competitionId}`);
    return account;
  }

  async logReader(request: FastifyRequest): Promise<Account> {
    const account = await this.holder(request);
    if (!account.readsLogs) refuse('the account has no right to the logs');
    return account;
  }

  async tokenManager(request: FastifyRequest): Promise<Account> {
    const account = await this.holder(request);
    if (!account.managesTokens) refuse('the account has no right to manage access tokens');
    return account;
  }

  /** The account that views a page, or null when there is no session. Throws nothing of the above. */
  async orNull(request: FastifyRequest): Promise<StoredAccount | null> {
    const sessionId = sessionIdOf(request);
    return sessionId === null ? null : this.sessions.accountOf(sessionId, Date.now());
  }

  /** The account, also while it lacks a second factor: to look at those that it has, and to finish adding one. */
  async withOwnPassword(request: FastifyRequest): Promise<StoredAccount> {
    const account = await this.stored(request);
    if (!account.passwordIsOneTime) return account;
    const detail = 'this is a one-time password: choose your own first';
    throw new RejectedError({ code: 'password-to-change', detail });
  }

  /** The same, a short time after the sign-in: to change the factors. Throws RejectedError `sign-in-too-old` (403). */
  async afterRecentSignIn(request: FastifyRequest): Promise<StoredAccount> {
    const account = await this.withOwnPassword(request);
    const sessionId = sessionIdOf(request);
    if (sessionId !== null && (await this.sessions.isRecent(sessionId, Date.now()))) return account;
    const detail = 'passkeys and codes can be changed for 10 minutes after a sign-in: sign in again';
    throw new RejectedError({ code: 'sign-in-too-old', detail });
  }

  /** What pages of the signed-in account show. */
  shown(account: StoredAccount): SignedInAccount {
    const needsSecondFactor = this.needsSecondFactor(account);
    return { ...publicOf(account), passwordIsOneTime: account.passwordIsOneTime, needsSecondFactor };
  }

  /** The account, also while it has a one-time password: for changes to the account itself. */
  async stored(request: FastifyRequest): Promise<StoredAccount> {
    requireSameSite(request);
    const account = await this.orNull(request);
    if (account) return account;
    throw new RejectedError({ code: 'session-missing', detail: 'sign in first' });
  }

  private needsSecondFactor(account: StoredAccount): boolean {
    return this.config.adminsNeedSecondFactor && account.role === 'admin' && !hasSecondFactor(account);
  }
}

/** The fields of an account that others may see; the password is none of them. */
export const publicOf = (account: StoredAccount): Account => {
  const { accountId, spaceId, email, name, role, contests, readsLogs } = account;
  const managesTokens = readsLogs && (account.managesTokens ?? true);
  return { accountId, spaceId, email, name, role, contests, readsLogs, managesTokens };
};

/** The command context of an account, for the metadata of events. */
export const contextOf = (
  { accountId }: Pick<Account, 'accountId'>,
  request: Pick<FastifyRequest, 'id' | 'ip'>,
): CommandContext => ({
  actor: 'moderator',
  accountId,
  network: networkOf(request.ip),
  correlationId: request.id,
});

const refuse = (detail: string): never => {
  throw new RejectedError({ code: 'account-not-allowed', detail });
};
