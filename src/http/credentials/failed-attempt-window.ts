/**
 * Limits guessing of API keys: each network has a bucket of failed attempts that refills with time. Only a
 * failed attempt is counted, so a valid key behind the same address (a venue's one router) is never refused.
 */
import { Buckets, networkOf } from './buckets.js';

/** Failed attempts of one network: in a burst, and refilled per minute. */
const BAD_ATTEMPTS = { burst: 30, perMinute: 30 };

export class FailedAttemptWindow {
  private readonly buckets = new Buckets(BAD_ATTEMPTS);

  /** Counts a failed attempt. Returns the seconds to wait when there were too many, else null. */
  count(address: string, now: number): number | null {
    return this.buckets.take(networkOf(address), now);
  }
}
