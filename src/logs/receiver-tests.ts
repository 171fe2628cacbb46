/**
 * Limits the tests of alerts and drains. Each sends messages at once, to addresses that its caller has chosen. So without a limit
 * one token could flood others through this server, by e-mail in the operator's name.
 */
import { Injectable } from '@nestjs/common';
import { Buckets } from '../http/credentials/buckets.js';
import { tooMany } from '../http/problems/failure.js';
import { tenantOf } from './tokens/tenant.js';
import type { TokenHolder } from './tokens/token.queries.js';

/** Of one tenant, on each node that has the logs. */
const TESTS = { burst: 20, perMinute: 10 };

@Injectable()
export class ReceiverTests {
  readonly #buckets = new Buckets(TESTS);

  /** Throws FailureError `too-many-tests`. `now` in milliseconds. */
  count(holder: TokenHolder, now: number): void {
    const seconds = this.#buckets.take(tenantOf(holder), now);
    if (seconds === null) return;
    const detail = `Too many tests of alerts and drains; wait ${seconds} s before the next`;
    throw tooMany('too-many-tests', seconds, detail);
  }
}
