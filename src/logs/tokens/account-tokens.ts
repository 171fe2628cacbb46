/**
 * Which account a token belongs to, from the token's own stream, and the end of an account's tokens. An account that is
 * removed must not live on in tokens that it made, which could manage endpoints and write entries.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { TokensOfAccounts } from '../../accounts/accounts.js';
import { StreamNames } from '../../domain/streams.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import { EVENT_STORE, type EventStore } from '../../foundation/event-store/event-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { accessTokenAggregate } from './access-token.decider.js';
import { type AccessTokenEvent, accessTokenStream } from './access-token.events.js';
import { HandOverToken, RevokeToken } from './token.commands.js';
import { tokens } from './tokens.projection.js';

/** Longer than read models usually need. What they lack then is read from the event store. Milliseconds. */
const SHOWN_WITHIN_MS = 2_000;
const ISSUED: readonly AccessTokenEvent['type'][] = ['AccessTokenIssued'];

export interface TokenOwners {
  /** The account that made it; null: the command line or a node did. */
  readonly maker: string | null;
  /** The account that it belongs to now. */
  readonly owner: string | null;
}

@Injectable()
export class AccountTokens implements TokensOfAccounts {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(OPERATIONAL_STORE) private readonly operational: Pick<OperationalStore, 'accounts'>,
    private readonly names: StreamNames,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly commands: CommandBus,
  ) {}

  /** `fresh`: also what another process has just changed. */
  async ownersOf(tokenId: string, { fresh = false } = {}): Promise<TokenOwners> {
    const stream = this.names.of(accessTokenStream, tokenId);
    const [issued] = (await this.events.readStream(stream, { limit: 1 })) ?? [];
    const maker = issued?.metadata.accountId ?? null;
    const { state } = await this.aggregates.load(accessTokenAggregate, tokenId, { fresh });
    return { maker, owner: state.handedTo ?? maker };
  }

  async endAllOf(accountId: string, context: CommandContext): Promise<void> {
    for (const tokenId of await this.#activeOf(accountId))
      await this.commands.execute(new RevokeToken(tokenId, context));
  }

  async handOverAllOf(accountId: string, to: string, context: CommandContext): Promise<void> {
    for (const tokenId of await this.#activeOf(accountId))
      await this.commands.execute(new HandOverToken(tokenId, to, context));
    // An account that was removed meanwhile was asked for its tokens before.
    if ((await this.operational.accounts.byId(to)) === null) await this.endAllOf(to, context);
  }

  /**
   * The read model of tokens tells where to look, and the events that it does not show yet. Each token's own stream tells whose
   * it is. So read models that stand still hide none.
   */
  async #activeOf(accountId: string): Promise<readonly string[]> {
    await this.readModels.waitFor(await this.events.head(), SHOWN_WITHIN_MS);
    const shownUpTo = this.readModels.position;
    const listed = await this.readModels.snapshot((view) =>
      view.scan(tokens, { index: 'byAge', equals: {} }),
    );
    const ids = new Set(listed.filter(({ state }) => state === 'active').map(({ id }) => id));
    const filter = { streamPrefix: this.names.prefix, types: ISSUED };
    for await (const { stream } of this.events.readAll({ after: shownUpTo, filter })) {
      const id = this.names.idIn(accessTokenStream, stream);
      if (id !== null) ids.add(id);
    }
    const found: string[] = [];
    for (const id of ids) if ((await this.ownersOf(id, { fresh: true })).owner === accountId) found.push(id);
    return found;
  }
}
