/** Commands on access tokens, as the command bus carries them. All throw RejectedError when refused. */

import { Command } from '@nestjs/cqrs';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { TokenScope } from './token-scope.js';

export interface IssuedToken extends Receipt {
  readonly tokenId: string;
  /** Shown this once: the store has only its hash. */
  readonly token: string;
  /** With the ids of the endpoints that were named. */
  readonly scopes: readonly TokenScope[];
}

export interface TokenRequest {
  /** What its issuer calls it. */
  readonly name: string;
  /** `ingest`, `query`, `query:<endpoint id or name>`, `admin`. */
  readonly scopes: readonly string[];
  /** The only project that it reads and writes; null: all. */
  readonly project: string | null;
  /** The node that issues it to itself, by its id: the token ends with it, however it ends. */
  readonly node?: string;
}

/** Throws RejectedError `invalid-request`, `endpoint-not-found`. */
export class IssueToken extends Command<IssuedToken> {
  constructor(
    readonly request: TokenRequest,
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
