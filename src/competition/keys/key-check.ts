/**
 * The API key of a request: `x-api-key`, or `Authorization: Bearer KEY` as devices built for the association's
 * live-results API send it. An access token comes the same two ways.
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

  /** `fresh`: as the key's stream has it this moment, whichever process ended or revoked it. */
  holder(request: FastifyRequest, { fresh = false } = {}): Promise<KeyHolder> {
    return this.failures.limited(request.ip, () =>
      this.queries.execute(new AuthenticateKey(keyOf(request.headers), fresh)),
    );
  }
}
