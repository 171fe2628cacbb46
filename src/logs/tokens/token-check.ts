/** Checks the access token of a request, from X-API-KEY or `Authorization: Bearer`, and its scopes. */

import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { RejectedError } from '../../domain/rejections.js';
import { FailedCredentialLimiter } from '../../http/credentials/failed-credential-limiter.js';
import { keyOf } from '../../http/credentials/request-key.js';
import { AuthenticateToken, type TokenHolder } from './token.queries.js';
import { scopesAllow, type TokenScope } from './token-scope.js';

@Injectable()
export class TokenCheck {
  constructor(
    private readonly queries: QueryBus,
    private readonly failures: FailedCredentialLimiter,
  ) {}

  /**
   * Throws RejectedError `token-missing`, `token-unknown`, `token-revoked`. Throws FailureError 429 when the client's address
   * has sent too many wrong tokens.
   */
  holder(request: FastifyRequest): Promise<TokenHolder> {
    return this.failures.limited(request.ip, () =>
      this.queries.execute(new AuthenticateToken(keyOf(request.headers))),
    );
  }

  /** Returns the holder if its scopes allow `scope`. Throws what `holder` throws, and RejectedError `token-scope`. */
  async allowed(request: FastifyRequest, scope: TokenScope): Promise<TokenHolder> {
    const holder = await this.holder(request);
    requireScope(holder, scope);
    return holder;
  }
}

/** Throws RejectedError `token-scope`. */
export const requireScope = ({ scopes }: TokenHolder, scope: TokenScope): void => {
  if (scopesAllow(scopes, scope)) return;
  throw new RejectedError({ code: 'token-scope', detail: `the access token has no scope ${scope}` });
};
