/**
 * Who may use the log endpoints: a program with an access token, or somebody signed in whose account reads logs. An account
 * that does sees all projects and manages endpoints and tokens; a token may what its scopes say.
 */

import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccessControl, contextOf } from '../accounts/access-control.js';
import { sessionIdOf } from '../accounts/session-cookie.js';
import type { CommandContext } from '../foundation/aggregates/aggregate.js';
import { keyOf } from '../http/credentials/request-key.js';
import type { TokenHolder } from './tokens/token.queries.js';
import { TokenCheck } from './tokens/token-check.js';

/** A token goes before a session: whoever sends one means it. */
const isSignedIn = (request: FastifyRequest): boolean =>
  keyOf(request.headers) === null && sessionIdOf(request) !== null;

@Injectable()
export class LogCallers {
  constructor(
    private readonly tokens: TokenCheck,
    private readonly signedIn: AccessControl,
  ) {}

  /** Who calls an endpoint, an account as a holder of the scope `query`. Throws what TokenCheck and SignedIn throw. */
  async holder(request: FastifyRequest): Promise<TokenHolder> {
    if (!isSignedIn(request)) return this.tokens.holder(request);
    const { accountId } = await this.signedIn.logReader(request);
    return { tokenId: accountId, scopes: ['query'], project: null };
  }

  /** Who manages endpoints: scope `admin`, or an account that reads logs. Throws likewise. */
  async manager(request: FastifyRequest): Promise<CommandContext> {
    if (isSignedIn(request)) return contextOf(await this.signedIn.logReader(request), request);
    const { tokenId } = await this.tokens.allowed(request, 'admin');
    return { actor: 'operator', keyId: tokenId, correlationId: request.id };
  }
}
