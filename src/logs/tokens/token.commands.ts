/** Commands on access tokens, as the command bus carries them. All throw RejectedError when refused. */

import { Command } from '@nestjs/cqrs';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { TokenScope } from './token-scope.js';

export interface IssuedToken extends Receipt {
  readonly tokenId: string;
  /** Available only here, because the store has only its hash. */
  readonly token: string;
  /** With endpoint ids, also where the request had endpoint names. */
  readonly scopes: readonly TokenScope[];
}

export interface TokenRequest {
  /** A label for the list of tokens. */
  readonly name: string;
  /** `ingest`, `query`, `query:<endpoint id or name>`, `admin`. */
  readonly scopes: readonly string[];
  /** The only project that the token can read and write; null: all. */
  readonly project: string | null;
  /** Id of the node that issues it to itself. The token is revoked when the node ends, also when it is killed. */
  readonly node?: string;
}

/** Throws RejectedError `invalid-request`, `endpoint-not-found`, and `account-not-allowed` when its account was removed meanwhile. */
export class IssueToken extends Command<IssuedToken> {
  constructor(
    readonly request: TokenRequest,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Gives a token to another account, with which it ends. Throws RejectedError `token-not-found`. */
export class HandOverToken extends Command<Receipt> {
  constructor(
    readonly tokenId: string,
    readonly accountId: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Throws RejectedError `token-not-found`. */
export class RevokeToken extends Command<Receipt> {
  constructor(
    readonly tokenId: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}
