/** The rights of an alert's owner, as they are now. An alert whose owner has lost them does not run. */
import { Inject, Injectable } from '@nestjs/common';
import { RejectedError } from '../../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { accountHolder } from '../log-callers.js';
import { accessTokenAggregate } from '../tokens/access-token.decider.js';
import { OPERATOR, type TokenHolder } from '../tokens/token.queries.js';
import type { AlertOwner } from './alert.js';

@Injectable()
export class AlertOwners {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: Pick<OperationalStore, 'accounts'>,
  ) {}

  /** Throws RejectedError `account-not-allowed`, `token-revoked`. */
  async holder(owner: AlertOwner): Promise<TokenHolder> {
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
    const detail = 'the account that owns the alert has no right to the logs';
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
      detail: 'the access token that owns the alert was revoked',
    });
  }
}
