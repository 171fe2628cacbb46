/** Finds the account that a request is signed in with, and checks what it may do. */

import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ContestRef } from '../domain/references.js';
import { RejectedError } from '../domain/rejections.js';
import type { CommandContext } from '../foundation/aggregates/aggregate.js';
import { type Account, canManage, type SignedInAccount } from '../foundation/operational/account.js';
import type { StoredAccount } from '../foundation/operational/account-store.js';
import { requireSameSite } from './same-site.js';
import { sessionIdOf } from './session-cookie.js';
import { Sessions } from './sessions.js';

/**
 * Methods throw RejectedError `session-missing` (401) when the request has no valid session. They throw
 * `cross-site` (403) when a request that changes something is not from our own pages, and `password-to-change`
 * (403) while the account has a one-time password.
 */
@Injectable()
export class AccessControl {
  constructor(private readonly sessions: Sessions) {}

  /** The account of the session, of any space. */
  async holder(request: FastifyRequest): Promise<Account> {
    const account = await this.stored(request);
    if (!account.passwordIsOneTime) return publicOf(account);
    const detail = 'this is a one-time password: choose your own first';
    throw new RejectedError({ code: 'password-to-change', detail });
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

  /** The account, also while it has a one-time password: for changes to the account itself. */
  async stored(request: FastifyRequest): Promise<StoredAccount> {
    requireSameSite(request);
    const account = await this.orNull(request);
    if (account) return account;
    throw new RejectedError({ code: 'session-missing', detail: 'sign in first' });
  }
}

/** What pages of the signed-in account show. */
export const signedInAs = (account: StoredAccount): SignedInAccount => ({
  ...publicOf(account),
  passwordIsOneTime: account.passwordIsOneTime,
});

/** The fields of an account that others may see; the password is none of them. */
export const publicOf = ({
  accountId,
  spaceId,
  email,
  name,
  role,
  contests,
  readsLogs,
  managesTokens = readsLogs,
}: StoredAccount): Account => ({
  ...{ accountId, spaceId, email, name, role, contests },
  ...{ readsLogs, managesTokens: readsLogs && managesTokens },
});

/** The command context of an account, for the metadata of events. */
export const contextOf = ({ accountId }: Account, request: Pick<FastifyRequest, 'id'>): CommandContext => ({
  actor: 'moderator',
  accountId,
  correlationId: request.id,
});

const refuse = (detail: string): never => {
  throw new RejectedError({ code: 'account-not-allowed', detail });
};
