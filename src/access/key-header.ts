/**
 * The API key of a request: `x-api-key`, or `Authorization: Bearer KEY` as devices built for the association's
 * live-results API send it. A bad key is refused with 401, and with 429 when its address tries too many; a good one
 * never.
 */
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { RejectedError, type RejectionCode } from '../domain/rejections.js';
import { BadKeyLimiter } from '../http/bad-keys.js';
import { FailureError } from '../http/problems.js';
import { AuthenticateKey, type KeyHolder } from './access.queries.js';

/** What guessing looks like; a missing key guesses nothing. */
const GUESSES: ReadonlySet<RejectionCode> = new Set(['key-unknown', 'key-revoked', 'key-ended']);

@Injectable()
export class KeyCheck {
  private readonly limiter = new BadKeyLimiter();

  constructor(private readonly queries: QueryBus) {}

  /** `fresh`: as the key's stream has it this moment, whichever process ended or revoked it. */
  async holder(request: FastifyRequest, { fresh = false } = {}): Promise<KeyHolder> {
    try {
      return await this.queries.execute(new AuthenticateKey(keyOf(request.headers), fresh));
    } catch (error) {
      if (error instanceof RejectedError && GUESSES.has(error.rejection.code)) this.slowDown(request.ip);
      throw error;
    }
  }

  private slowDown(address: string): void {
    const seconds = this.limiter.count(address, Date.now());
    if (seconds === null) return;
    throw new FailureError({
      code: 'too-many-bad-keys',
      status: 429,
      detail: `Too many attempts with bad keys from this address; wait ${seconds} s before the next`,
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

/** Null when there is none. `x-api-key` goes first. */
export const keyOf = (headers: FastifyRequest['headers']): string | null => {
  const given = headers['x-api-key'];
  if (typeof given === 'string' && given !== '') return given;
  const [scheme = '', key = '', ...rest] = headers.authorization?.trim().split(/ +/) ?? [];
  return scheme.toLowerCase() === 'bearer' && key !== '' && rest.length === 0 ? key : null;
};
