/**
 * Limits guessing of API keys and access tokens. A bad one is refused with 401, and with 429 after too many from the
 * same network, on all nodes. A valid one is never refused, so a valid key behind the same address (a venue's one router) still works.
 */
import { Injectable } from '@nestjs/common';
import { RejectedError, type RejectionCode } from '../../domain/rejections.js';
import { AuditTrail } from '../../foundation/operational/audit-trail.js';
import { tooMany } from '../problems/failure.js';
import { networkOf } from './buckets.js';
import { FailureExchange, type SharedBuckets } from './failure-exchange.js';

/** Failed attempts of one network: in a burst, and refilled per minute. */
export const BAD_ATTEMPTS = { burst: 30, perMinute: 30 };

/**
 * Refusals that count as a guess. A missing key is none. Nor is one that was revoked, or ended with its contest: the devices
 * of a venue still send theirs after the finish, and each has to hear why it is refused.
 */
const GUESSES: ReadonlySet<RejectionCode> = new Set(['key-unknown', 'token-unknown']);

@Injectable()
export class FailedCredentialLimiter {
  private readonly buckets: SharedBuckets;

  constructor(
    private readonly exchange: FailureExchange,
    private readonly audit: AuditTrail,
  ) {
    this.buckets = exchange.buckets('credential', BAD_ATTEMPTS);
  }

  /** Returns the result of `check`. A refusal of a bad key or token counts against the address. */
  async limited<T>(address: string, check: () => Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (error) {
      if (error instanceof RejectedError && GUESSES.has(error.rejection.code)) {
        const action = error.rejection.code.startsWith('token') ? 'token-failed' : 'key-failed';
        this.audit.failed({ action }, { network: networkOf(address) });
        await this.count(address);
      }
      throw error;
    }
  }

  private async count(address: string): Promise<void> {
    await this.exchange.refresh();
    const seconds = this.buckets.take(networkOf(address), Date.now());
    if (seconds === null) return;
    const detail = `Too many attempts with bad keys from this address; wait ${seconds} s before the next`;
    throw tooMany('too-many-bad-keys', seconds, detail);
  }
}
