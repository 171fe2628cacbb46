/** Checks the access token of a request, from X-API-KEY or `Authorization`, and its scopes. */

import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RejectedError } from '../../domain/rejections.js';
import { FailedCredentialLimiter } from '../../http/credentials/failed-credential-limiter.js';
import { keyOf, passwordOf } from '../../http/credentials/request-key.js';
import { TokenHolders } from './token.handlers.js';
import type { TokenHolder } from './token.queries.js';
import { scopesAllow, type TokenScope } from './token-scope.js';

@Injectable()
export class TokenCheck {
  constructor(
    private readonly holders: TokenHolders,
    private readonly failures: FailedCredentialLimiter,
  ) {}

  /**
   * Throws RejectedError `token-missing`, `token-unknown`, `token-revoked`. Throws FailureError 429 when the client's address
   * has sent too many wrong tokens.
   */
  holder(request: FastifyRequest): Promise<TokenHolder> {
    return this.#holderOf(keyOf(request.headers), request);
  }

  /** Returns the holder if its scopes allow `scope`. Throws what `holder` throws, and RejectedError `token-scope`. */
  async allowed(request: FastifyRequest, scope: TokenScope): Promise<TokenHolder> {
    const holder = await this.holder(request);
    requireScope(holder, scope);
    return holder;
  }

  /**
   * Returns who sends log entries, whose token may also be the password of `Authorization: Basic`. Throws what `allowed`
   * throws.
   */
  async sender(request: FastifyRequest): Promise<TokenHolder> {
    const { headers } = request;
    const holder = await this.#holderOf(keyOf(headers) ?? passwordOf(headers), request);
    requireScope(holder, 'ingest');
    return holder;
  }

  #holderOf(key: string | null, { ip }: Pick<FastifyRequest, 'ip'>): Promise<TokenHolder> {
    return this.failures.limited(ip, () => this.holders.of(key));
  }
}

/** Throws RejectedError `token-scope`. */
export const requireScope = ({ scopes }: TokenHolder, scope: TokenScope): void => {
  if (scopesAllow(scopes, scope)) return;
  const wanted = scope.startsWith('query:') ? `query, nor ${scope}` : scope;
  throw new RejectedError({ code: 'token-scope', detail: `the access token has no scope ${wanted}` });
};
