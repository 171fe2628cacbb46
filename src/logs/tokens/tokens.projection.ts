/** Read model for the list of access tokens. Tokens are checked against their streams, never here. */

import { domainEvent } from '../../domain/decider.js';
import { idIn } from '../../domain/streams.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import { type AccessTokenEvent, accessTokenStream } from './access-token.events.js';
import type { TokenScope } from './token-scope.js';

/** `id`: the token's id. */
export interface TokenDocument extends Document {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly project: string | null;
  /** The node that issued it to itself; null: none. */
  readonly node: string | null;
  readonly state: 'active' | 'revoked';
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  readonly revokedAt: number | null;
}

export const tokens: Collection<TokenDocument> = { name: 'tokens', indexes: { byAge: ['issuedAt'] } };

const EVENT_TYPES: readonly AccessTokenEvent['type'][] = ['AccessTokenIssued', 'AccessTokenRevoked'];

const tokenAfter = (
  before: TokenDocument | null,
  { type, data }: AccessTokenEvent,
  at: number,
): Omit<TokenDocument, 'id'> | null => {
  switch (type) {
    case 'AccessTokenIssued': {
      const { name, scopes, project, node = null } = data;
      return { name, scopes, project, node, state: 'active', issuedAt: at, revokedAt: null };
    }
    case 'AccessTokenRevoked':
      return before && { ...before, state: 'revoked', revokedAt: at };
    case 'AccessTokenHandedOver':
      return before;
    default:
      return type satisfies never;
  }
};

export const tokensProjection: Projection = {
  name: 'tokens',
  version: 2,
  collections: [tokens],
  eventTypes: EVENT_TYPES,

  async apply(event: ProjectedEvent, session: ProjectionSession): Promise<void> {
    const tokenId = idIn(accessTokenStream, event.subject);
    if (tokenId === null) return;
    const before = await session.get(tokens, tokenId);
    const after = tokenAfter(before, domainEvent<AccessTokenEvent>(event), event.recordedAt);
    if (after) session.put(tokens, { ...after, id: tokenId });
    session.touch(() => `token:${tokenId}`);
  },
};
