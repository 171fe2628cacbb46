/**
 * Slows down the guessing of API keys: each address has a bucket of bad attempts that refills with time. Only an
 * attempt that has already turned out bad is ever asked about, so a good key behind the same address (a venue's one
 * router) is never refused.
 */
import { Buckets, networkOf } from './buckets.js';

/** Bad attempts an address may make in a burst, and how many it gets back in a minute. */
const BAD_ATTEMPTS = { burst: 30, perMinute: 30 };

export class FailedAttemptWindow {
  private readonly buckets = new Buckets(BAD_ATTEMPTS);

  /** Counts a bad attempt. Seconds to wait when there were too many, else null. */
  count(address: string, now: number): number | null {
    return this.buckets.take(networkOf(address), now);
  }
}
