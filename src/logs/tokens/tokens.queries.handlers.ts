/** Lists the access tokens with their makers and their last use. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { AccountTokens } from './account-tokens.js';
import { ListTokens, type TokenMaker, type TokenView } from './token.queries.js';
import { tokens } from './tokens.projection.js';

const instant = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString();

@QueryHandler(ListTokens)
export class ListTokensHandler implements IQueryHandler<ListTokens> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(OPERATIONAL_STORE) private readonly store: OperationalStore,
    private readonly accountTokens: AccountTokens,
  ) {}

  async execute(): Promise<readonly TokenView[]> {
    const all = await this.readModels.snapshot((view) => view.scan(tokens, { index: 'byAge', equals: {} }));
    // Revoked tokens of nodes are left out. No operator knows them, and each start of a node adds one.
    const issued = all.filter(({ node, state }) => node === null || state === 'active');
    const uses = await this.store.keyUses(issued.map(({ id }) => id));
    const owners = await Promise.all(issued.map(({ id }) => this.#ownersOf(id)));
    return issued.map(({ id, name, scopes, project, state, issuedAt, revokedAt }, index) => ({
      tokenId: id,
      name,
      scopes,
      project,
      state,
      madeBy: owners[index]?.madeBy ?? null,
      handedTo: owners[index]?.handedTo ?? null,
      issuedAt: new Date(issuedAt).toISOString(),
      revokedAt: instant(revokedAt),
      lastUsedAt: instant(uses.get(id)?.lastUsedAt ?? null),
    }));
  }

  async #ownersOf(tokenId: string): Promise<Pick<TokenView, 'madeBy' | 'handedTo'>> {
    const { maker, owner } = await this.accountTokens.ownersOf(tokenId);
    return {
      madeBy: await this.#named(maker),
      handedTo: owner === maker ? null : await this.#named(owner),
    };
  }

  async #named(accountId: string | null): Promise<TokenMaker | null> {
    return accountId === null
      ? null
      : { accountId, name: (await this.store.accounts.byId(accountId))?.name ?? null };
  }
}

export const tokenListHandlers = [ListTokensHandler];
