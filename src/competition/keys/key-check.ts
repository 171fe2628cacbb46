/**
 * Reads the API key of a request: from `x-api-key`, or from `Authorization: Bearer KEY`. Devices built for the
 * association's live-results API send the latter. Access tokens use the same two headers.
 */

import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { FailedCredentialLimiter } from '../../http/credentials/failed-credential-limiter.js';
import { keyOf } from '../../http/credentials/request-key.js';
import { AuthenticateKey, type KeyHolder } from './key.queries.js';

@Injectable()
export class KeyCheck {
  constructor(
    private readonly queries: QueryBus,
    private readonly failures: FailedCredentialLimiter,
  ) {}

  /** `fresh`: reads the tail of the key's stream, so that a revocation by another process counts at once. */
  holder(request: FastifyRequest, { fresh = false } = {}): Promise<KeyHolder> {
    return this.failures.limited(request.ip, () =>
      this.queries.execute(new AuthenticateKey(keyOf(request.headers), fresh)),
    );
  }
}
