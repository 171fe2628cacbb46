/** Queries about access tokens. */
import { Query } from '@nestjs/cqrs';
import type { TokenScope } from './token-scope.js';

export type { TokenScope } from './token-scope.js';

export interface TokenHolder {
  readonly tokenId: string;
  readonly scopes: readonly TokenScope[];
  /** The only project it reads and writes; null: all. */
  readonly project: string | null;
}

/**
 * Who holds this token, from the token's own stream; throws RejectedError: `token-missing`, `token-unknown`, `token-revoked`
 * (401 each). A token that was revoked is refused at once by this process, within 250 ms by others. The use is recorded.
 */
export class AuthenticateToken extends Query<TokenHolder> {
  constructor(readonly token: string | null) {
    super();
  }
}

export interface TokenView {
  readonly tokenId: string;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly project: string | null;
  readonly state: 'active' | 'revoked';
  /** ISO 8601, UTC. */
  readonly issuedAt: string;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

/** All there ever were, oldest first. */
export class ListTokens extends Query<readonly TokenView[]> {}
