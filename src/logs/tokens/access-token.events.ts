/** The events of an access token. Its scopes never change. Only a hash of its secret is stored. */
import type { EventKinds } from '../../domain/decider.js';
import type { StreamCategory } from '../../domain/streams.js';
import type { TokenScope } from './token-scope.js';

export const accessTokenStream: StreamCategory<string> = { name: 'access-token', id: 'text' };

export type AccessTokenEvent =
  | {
      readonly type: 'AccessTokenIssued';
      readonly data: {
        readonly tokenId: string;
        /** A label for the list of tokens. */
        readonly name: string;
        readonly scopes: readonly TokenScope[];
        /** The only project whose entries it reads and writes; null: all. */
        readonly project: string | null;
        /** SHA-256 of the secret, hex. */
        readonly secretHash: string;
        /** The node that issued it to itself. The token is revoked when the node ends. Left out: none. */
        readonly node?: string;
      };
    }
  | { readonly type: 'AccessTokenRevoked'; readonly data: Record<string, never> }
  /** The token belongs to another account from now on: it ends with that one. */
  | { readonly type: 'AccessTokenHandedOver'; readonly data: { readonly accountId: string } };

export const accessTokenEvents: EventKinds<AccessTokenEvent> = {
  AccessTokenIssued: 'control',
  AccessTokenRevoked: 'control',
  AccessTokenHandedOver: 'control',
};
