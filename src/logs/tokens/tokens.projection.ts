/** The access tokens as operators list them. Whether a token is good is never read from here. */

import { idIn } from '../../foundation/event-store/streams.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import { domainEvent } from '../../foundation/projections/typed-events.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import { type AccessTokenEvent, accessTokenStream } from './access-token.events.js';
import type { TokenScope } from './token-scope.js';

/** Its id is the token's. */
export interface TokenDocument extends Document {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly project: string | null;
  /** The node that it ends with; null: none. */
  readonly node: string | null;
  readonly state: 'active' | 'revoked';
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  readonly revokedAt: number | null;
}

export const tokens: Collection<TokenDocument> = { name: 'tokens', indexes: { byAge: ['issuedAt'] } };

const EVENT_TYPES: readonly AccessTokenEvent['type'][] = ['AccessTokenIssued', 'AccessTokenRevoked'];

export const tokensProjection: Projection = {
  name: 'tokens',
  version: 2,
  collections: [tokens],
  eventTypes: EVENT_TYPES,

  async apply(event: ProjectedEvent, session: ProjectionSession): Promise<void> {
    const tokenId = idIn(accessTokenStream, event.subject);
    if (tokenId === null) return;
    const happened = domainEvent<AccessTokenEvent>(event);
    switch (happened.type) {
      case 'AccessTokenIssued': {
        const { name, scopes, project, node = null } = happened.data;
        const issuedAt = event.recordedAt;
        session.put(tokens, {
          id: tokenId,
          name,
          scopes,
          project,
          node,
          state: 'active',
          issuedAt,
          revokedAt: null,
        });
        break;
      }
      case 'AccessTokenRevoked': {
        const token = await session.get(tokens, tokenId);
        if (token) session.put(tokens, { ...token, state: 'revoked', revokedAt: event.recordedAt });
        break;
      }
      default:
        happened satisfies never;
    }
    session.touch(`token:${tokenId}`);
  },
};
