/** Who owns an alert or a drain, and the rights of the owner as they are now. Without them it does not run. */
import { Inject, Injectable } from '@nestjs/common';
import { RejectedError } from '../domain/rejections.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../foundation/aggregates/aggregate.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../foundation/operational/operational-store.js';
import { accountHolder } from './log-callers.js';
import { accessTokenAggregate } from './tokens/access-token.decider.js';
import { OPERATOR, type TokenHolder } from './tokens/token.queries.js';

/** With whose rights it runs: those of who saved it last. */
export type Owner =
  | { readonly kind: 'operator' }
  | { readonly kind: 'account'; readonly accountId: string }
  | { readonly kind: 'token'; readonly tokenId: string };

/** `id`: of the account or the token; null: the command line has none. */
export interface OwnerView {
  readonly kind: Owner['kind'];
  readonly id: string | null;
}

/** The owner that the sender of a request becomes. */
export const ownerIn = ({ accountId, keyId }: CommandContext): Owner => {
  if (accountId !== undefined) return { kind: 'account', accountId };
  return keyId === undefined ? { kind: 'operator' } : { kind: 'token', tokenId: keyId };
};

export const ownerView = (owner: Owner): OwnerView => {
  switch (owner.kind) {
    case 'operator':
      return { kind: owner.kind, id: null };
    case 'account':
      return { kind: owner.kind, id: owner.accountId };
    case 'token':
      return { kind: owner.kind, id: owner.tokenId };
    default:
      return owner satisfies never;
  }
};

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
