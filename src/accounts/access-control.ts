/** The account that a request is signed in with, and whether it may do this. */

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
 * All throw RejectedError `session-missing` (401) when nobody is signed in, `cross-site` (403) when a request that changes
 * something is not from our own pages, `password-to-change` (403) as long as the password is one that somebody else
 * has given.
 */
@Injectable()
export class AccessControl {
  constructor(private readonly sessions: Sessions) {}

  /** Whoever is signed in, to whatever space. */
  async holder(request: FastifyRequest): Promise<Account> {
    const account = await this.stored(request);
    if (!account.passwordIsOneTime) return publicOf(account);
    const detail = 'the password was given for one time: choose your own first';
    throw new RejectedError({ code: 'password-to-change', detail });
  }

  /** Signed in to this space. Throws RejectedError `account-not-allowed` (403), as all that follow. */
  async of(request: FastifyRequest, spaceId: string): Promise<Account> {
    const account = await this.holder(request);
    if (account.spaceId !== spaceId) refuse(`the account is not of the space ${spaceId}`);
    return account;
  }

  async admin(request: FastifyRequest, spaceId: string): Promise<Account> {
    const account = await this.of(request, spaceId);
    if (account.role !== 'admin') refuse('this is for admins of the space');
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

  /** Who looks at a page, where nobody need be signed in. Throws nothing of this. */
  async orNull(request: FastifyRequest): Promise<StoredAccount | null> {
    const sessionId = sessionIdOf(request);
    return sessionId === null ? null : this.sessions.accountOf(sessionId, Date.now());
  }

  /** Also with a password that has to be changed: for the account's own affairs. */
  async stored(request: FastifyRequest): Promise<StoredAccount> {
    requireSameSite(request);
    const account = await this.orNull(request);
    if (account) return account;
    throw new RejectedError({ code: 'session-missing', detail: 'sign in first' });
  }
}

/** What its holder's own pages are told. */
export const signedInAs = (account: StoredAccount): SignedInAccount => ({
  ...publicOf(account),
  passwordIsOneTime: account.passwordIsOneTime,
});

/** What of an account others may know: nothing of its password. */
export const publicOf = ({
  accountId,
  spaceId,
  email,
  name,
  role,
  contests,
  readsLogs,
}: StoredAccount): Account => ({ accountId, spaceId, email, name, role, contests, readsLogs });

/** Who commands, for the metadata of the events. */
export const contextOf = ({ accountId }: Account, request: Pick<FastifyRequest, 'id'>): CommandContext => ({
  actor: 'moderator',
  accountId,
  correlationId: request.id,
});

const refuse = (detail: string): never => {
  throw new RejectedError({ code: 'account-not-allowed', detail });
};
