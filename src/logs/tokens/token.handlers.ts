/** Issuing, revoking and checking access tokens. */

import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { publicOf } from '../../accounts/access-control.js';
import { invalid, RejectedError, type Rejection } from '../../domain/rejections.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import { accepted, type Receipt } from '../../foundation/aggregates/outcome.js';
import { CredentialCheck, type CredentialKind } from '../../foundation/credentials/credential-check.js';
import { CredentialCommandHandler } from '../../foundation/credentials/credential-command.handler.js';
import {
  ACCESS_TOKEN_TEXT,
  hashSecret,
  secretMatches,
} from '../../foundation/credentials/credential-text.js';
import { AuditTrail } from '../../foundation/operational/audit-trail.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { EndpointNames } from '../endpoints/endpoint-names.js';
import {
  type AccessTokenCommand,
  type AccessTokenState,
  accessTokenAggregate,
} from './access-token.decider.js';
import type { AccessTokenEvent } from './access-token.events.js';
import { HandOverToken, type IssuedToken, IssueToken, RevokeToken } from './token.commands.js';
import type { TokenHolder } from './token.queries.js';
import { endpointOfScope, endpointScope, readScope, SCOPES_ALLOWED, type TokenScope } from './token-scope.js';

@CommandHandler(IssueToken)
export class IssueTokenHandler implements ICommandHandler<IssueToken> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: Pick<OperationalStore, 'accounts'>,
    private readonly endpoints: EndpointNames,
    private readonly audit: AuditTrail,
  ) {}

  async execute({ request, context }: IssueToken): Promise<IssuedToken> {
    const { name, project, node } = request;
    const text = ACCESS_TOKEN_TEXT.make();
    const tokenId = text.id;
    const secretHash = hashSecret(text.secret);
    const scopes = await Promise.all(request.scopes.map(scopeOrRefuse).map((scope) => this.#bound(scope)));
    const issue = {
      type: 'IssueAccessToken',
      tokenId,
      name,
      scopes,
      project,
      secretHash,
      ...(node === undefined ? {} : { node }),
    } as const;
    const outcome = accepted(await this.aggregates.execute(accessTokenAggregate, tokenId, issue, context));
    const issued = outcome.state.issued?.scopes ?? [];
    await this.#requireMaker(tokenId, context);
    // A node's own token concerns no account.
    if (node === undefined)
      await this.audit.note({ action: 'token-issued', subject: tokenId, details: issued }, context);
    return { tokenId, token: ACCESS_TOKEN_TEXT.write(text), scopes: issued, position: outcome.position };
  }

  /** An account whose removal has begun meanwhile may have been asked for its tokens before this one was there. */
  async #requireMaker(tokenId: string, context: CommandContext): Promise<void> {
    const { accountId } = context;
    if (accountId === undefined) return;
    const account = await this.operational.accounts.byId(accountId);
    if (account && publicOf(account).managesTokens) return;
    const revoke = { type: 'RevokeAccessToken' } as const;
    accepted(await this.aggregates.execute(accessTokenAggregate, tokenId, revoke, context));
    const detail = 'the account was removed meanwhile, or may no longer manage access tokens';
    throw new RejectedError({ code: 'account-not-allowed', detail });
  }

  /** Replaces the name of an endpoint by its id. */
  async #bound(scope: TokenScope): Promise<TokenScope> {
    const named = endpointOfScope(scope);
    if (named === null) return scope;
    const { endpointId } = await this.endpoints.find(named, { fresh: true });
    return endpointScope(endpointId);
  }
}

const scopeOrRefuse = (text: string, index: number): TokenScope => {
  const scope = readScope(text);
  if (scope !== null) return scope;
  const message = `must be one of ${SCOPES_ALLOWED}`;
  throw new RejectedError(invalid([{ field: `scopes[${index}]`, rule: 'one-of', message }]));
};

@CommandHandler(RevokeToken)
export class RevokeTokenHandler extends CredentialCommandHandler implements ICommandHandler<RevokeToken> {
  async execute({ tokenId, context }: RevokeToken): Promise<Receipt> {
    const command = { type: 'RevokeAccessToken' } as const;
    const outcome = await this.aggregates.execute(accessTokenAggregate, tokenId, command, context);
    const { position, state } = accepted(outcome);
    if (state.issued?.node === undefined)
      await this.audit.note({ action: 'token-revoked', subject: tokenId }, context);
    return { position };
  }
}

@CommandHandler(HandOverToken)
export class HandOverTokenHandler extends CredentialCommandHandler implements ICommandHandler<HandOverToken> {
  async execute({ tokenId, accountId, context }: HandOverToken): Promise<Receipt> {
    const command = { type: 'HandOverAccessToken', accountId } as const;
    const outcome = await this.aggregates.execute(accessTokenAggregate, tokenId, command, context);
    const { position } = accepted(outcome);
    const details = [`to=${accountId}`];
    await this.audit.note({ action: 'token-handed-over', subject: tokenId, details }, context);
    return { position };
  }
}

const UNKNOWN: Rejection = { code: 'token-unknown', detail: 'the access token is not known' };

const accessTokens: CredentialKind<AccessTokenState, AccessTokenCommand, AccessTokenEvent, TokenHolder> = {
  text: ACCESS_TOKEN_TEXT,
  aggregate: accessTokenAggregate,
  missing: { code: 'token-missing', detail: 'send an access token in the X-API-KEY header' },
  unknown: UNKNOWN,
  holderOf: ({ issued, phase }, secret) => {
    if (issued === null || !secretMatches(secret, issued.secretHash)) return UNKNOWN;
    if (phase === 'revoked') return { code: 'token-revoked', detail: 'the access token was revoked' };
    const { tokenId, scopes, project } = issued;
    return { tokenId, scopes, project };
  },
};

const RECORD_USE_EVERY_MS = 1_000;

@Injectable()
export class TokenHolders {
  readonly #check: CredentialCheck<AccessTokenState, AccessTokenCommand, AccessTokenEvent, TokenHolder>;
  readonly #usedAt = new WeakMap<TokenHolder, number>();

  constructor(
    @Inject(AGGREGATES) aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
  ) {
    this.#check = new CredentialCheck(aggregates, accessTokens);
  }

  /** Returns what CredentialCheck.peek returns. Does not record a use. */
  peek(token: string): TokenHolder | undefined {
    return this.#check.peek(token);
  }

  /**
   * Returns the holder from the token's stream, and records the use. Throws RejectedError `token-missing`, `token-unknown`,
   * `token-revoked` (401 each). The process that revokes a token refuses it at once, others within 250 ms.
   */
  async of(token: string | null): Promise<TokenHolder> {
    const holder = await this.#check.holder(token);
    this.used(holder);
    return holder;
  }

  /** Records a use, at most once a second for each token, to keep frequent calls cheap. */
  used(holder: TokenHolder): void {
    const at = Date.now();
    if (at - (this.#usedAt.get(holder) ?? 0) < RECORD_USE_EVERY_MS) return;
    this.#usedAt.set(holder, at);
    this.operational.recordKeyUse(holder.tokenId, { at, accepted: 1, refused: 0 });
  }
}

export const tokenCommandHandlers = [IssueTokenHandler, RevokeTokenHandler, HandOverTokenHandler];
