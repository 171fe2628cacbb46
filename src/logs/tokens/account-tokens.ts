/**
 * Which account made a token, from the first event of its stream, and the end of an account's tokens. An account that is
 * removed must not live on in tokens that it made, which could manage endpoints and write entries.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { EndTokensOf } from '../../accounts/accounts.js';
import { StreamNames } from '../../domain/streams.js';
import { EVENT_STORE, type EventStore } from '../../foundation/event-store/event-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { accessTokenStream } from './access-token.events.js';
import { RevokeToken } from './token.commands.js';
import { tokens } from './tokens.projection.js';

/** Longer than any node needs to show a token. Milliseconds. */
const SHOWN_WITHIN_MS = 2_000;

@Injectable()
export class AccountTokens {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(StreamNames) private readonly names: StreamNames,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {}

  /** Returns the id of the account that made the token; null: the command line or a node did. */
  async makerOf(tokenId: string): Promise<string | null> {
    const stream = this.names.of(accessTokenStream, tokenId);
    const [issued] = (await this.events.readStream(stream, { limit: 1 })) ?? [];
    return issued?.metadata.accountId ?? null;
  }

  /** Revokes every active token that the account has made. Idempotent. */
  readonly endAllOf: EndTokensOf = async (accountId, context) => {
    await this.readModels.waitFor(await this.events.head(), SHOWN_WITHIN_MS);
    const all = await this.readModels.snapshot((view) => view.scan(tokens, { index: 'byAge', equals: {} }));
    for (const { id, state } of all)
      if (state === 'active' && (await this.makerOf(id)) === accountId)
        await this.commands.execute(new RevokeToken(id, context));
  };
}
