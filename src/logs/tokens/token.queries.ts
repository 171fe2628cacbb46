/** Queries about access tokens. */
import { Query } from '@nestjs/cqrs';
import type { TokenScope } from './token-scope.js';

export type { TokenScope } from './token-scope.js';

export interface TokenHolder {
  readonly tokenId: string;
  readonly scopes: readonly TokenScope[];
  /** The only project that the token can read and write; null: all. */
  readonly project: string | null;
}

/** The command line: it reads all projects. */
export const OPERATOR: TokenHolder = { tokenId: 'operator', scopes: ['admin'], project: null };

export interface TokenMaker {
  readonly accountId: string;
  /** Null: the account was removed. */
  readonly name: string | null;
}

export interface TokenView {
  readonly tokenId: string;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly project: string | null;
  readonly state: 'active' | 'revoked';
  /** The account that made it; null: the command line or a node did. */
  readonly madeBy: TokenMaker | null;
  /** The account that it was handed over to, with which it ends; null: it was not. */
  readonly handedTo: TokenMaker | null;
  /** ISO 8601, UTC. */
  readonly issuedAt: string;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

/** Oldest first, with revoked tokens. */
export class ListTokens extends Query<readonly TokenView[]> {}
