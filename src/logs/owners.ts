/** The rights of the owner of an alert or a drain, as they are now. Without them it does not run. */
import { Inject, Injectable } from '@nestjs/common';
import { RejectedError } from '../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../foundation/aggregates/aggregate.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../foundation/operational/operational-store.js';
import { accountHolder } from './log-callers.js';
import type { Owner } from './owner.js';
import { accessTokenAggregate } from './tokens/access-token.decider.js';
import { OPERATOR, type TokenHolder } from './tokens/token.queries.js';

@Injectable()
export class Owners {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: Pick<OperationalStore, 'accounts'>,
  ) {}

  /** Throws RejectedError `account-not-allowed`, `token-revoked`. */
  async holder(owner: Owner): Promise<TokenHolder> {
    switch (owner.kind) {
      case 'operator':
        return OPERATOR;
      case 'account':
        return this.#account(owner.accountId);
      case 'token':
        return this.#token(owner.tokenId);
      default:
        return owner satisfies never;
    }
  }

  async #account(accountId: string): Promise<TokenHolder> {
    const account = await this.operational.accounts.byId(accountId);
    if (account?.readsLogs) return accountHolder(accountId);
    const detail = 'the account of its owner has no right to the logs';
    throw new RejectedError({ code: 'account-not-allowed', detail });
  }

  async #token(tokenId: string): Promise<TokenHolder> {
    const { state } = await this.aggregates.load(accessTokenAggregate, tokenId, { fresh: true });
    if (state.phase === 'active' && state.issued) {
      const { scopes, project } = state.issued;
      return { tokenId, scopes, project };
    }
    throw new RejectedError({
      code: 'token-revoked',
      detail: 'the access token of its owner was revoked',
    });
  }
}
