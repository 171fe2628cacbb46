/** Queries about access tokens. */
import { Query } from '@nestjs/cqrs';

/**
 * What a token may do. `ingest`: write entries. `query`: call every endpoint; `query:<endpoint id>`: that one (a rename
 * keeps it). `admin`: manage endpoints, and all of the others.
 */
export type TokenScope = 'ingest' | 'query' | 'admin' | `query:${string}`;

export interface TokenHolder {
  readonly tokenId: string;
  readonly scopes: readonly TokenScope[];
  /** The only project it reads and writes; null: all. */
  readonly project: string | null;
}

/**
 * Who holds this token; throws RejectedError: `token-missing`, `token-unknown`, `token-revoked` (401 each). A token that was
 * revoked is refused at once by this process, within 250 ms by others.
 */
export class AuthenticateToken extends Query<TokenHolder> {
  constructor(readonly token: string | null) {
    super();
  }
}
