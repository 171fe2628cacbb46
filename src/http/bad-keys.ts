/**
 * Slows down the guessing of API keys: each address has a bucket of bad attempts that refills with time. Only an
 * attempt that has already turned out bad is ever asked about, so a good key behind the same address (a venue's one
 * router) is never refused.
 */
import { LRUCache } from 'lru-cache';

/** Bad attempts an address may make in a burst, and how many it gets back in a minute. */
const BURST = 30;
const PER_MINUTE = 30;
const ADDRESSES = 10_000;

interface Bucket {
  tokens: number;
  /** Milliseconds; when `tokens` was true. */
  at: number;
}

export class BadKeyLimiter {
  private readonly buckets = new LRUCache<string, Bucket>({ max: ADDRESSES });

  /** Counts a bad attempt. Seconds to wait when there were too many, else null. */
  count(address: string, now: number): number | null {
    const key = networkOf(address);
    const bucket = this.buckets.get(key) ?? { tokens: BURST, at: now };
    const tokens = Math.min(BURST, bucket.tokens + ((now - bucket.at) * PER_MINUTE) / 60_000);
    const allowed = tokens >= 1;
    this.buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at: now });
    return allowed ? null : Math.ceil(((1 - tokens) * 60) / PER_MINUTE);
  }
}

/** One host owns a whole /64 of IPv6 addresses, so it shares one bucket. */
const networkOf = (address: string): string => {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  return [...groups, '0', '0', '0', '0'].slice(0, 4).join(':');
};
