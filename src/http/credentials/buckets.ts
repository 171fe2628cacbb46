/** Token buckets that refill with time, one per key. The least recently used keys are forgotten. */
import { LRUCache } from 'lru-cache';

export interface BucketSize {
  /** Attempts in a burst. */
  readonly burst: number;
  /** Tokens that are refilled per minute. */
  readonly perMinute: number;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was computed, in milliseconds. */
  at: number;
}

const MAX_KEYS = 10_000;

export class Buckets {
  private readonly buckets = new LRUCache<string, Bucket>({ max: MAX_KEYS });

  constructor(private readonly size: BucketSize) {}

  /** Takes a token. Returns null, or the seconds to wait when there is none. `now` in milliseconds. */
  take(key: string, now: number): number | null {
    const tokens = this.tokensOf(key, now);
    const allowed = tokens >= 1;
    this.buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at: now });
    return allowed ? null : Math.ceil(((1 - tokens) * 60) / this.size.perMinute);
  }

  /** Returns a token to the bucket: the attempt was right. */
  giveBack(key: string, now: number): void {
    this.buckets.set(key, { tokens: Math.min(this.size.burst, this.tokensOf(key, now) + 1), at: now });
  }

  isFull(key: string, now: number): boolean {
    return this.tokensOf(key, now) >= this.size.burst;
  }

  /**
   * Takes the tokens that other nodes have given out until `at`; a negative count gives them back. What they gave out at
   * once can be more than there was: the bucket then owes it, up to 10 s of its refill.
   */
  charge(key: string, { count, at }: { readonly count: number; readonly at: number }, now: number): void {
    const { burst, perMinute } = this.size;
    const then = Math.max(this.buckets.get(key)?.at ?? 0, Math.min(at, now));
    const tokens = Math.max(-perMinute / 6, Math.min(burst, this.tokensOf(key, then) - count));
    this.buckets.set(key, { tokens, at: then });
  }

  private tokensOf(key: string, now: number): number {
    const { burst, perMinute } = this.size;
    const bucket = this.buckets.get(key) ?? { tokens: burst, at: now };
    // A clock that was set back must not empty buckets: their users would wait until it has caught up.
    const passed = Math.max(0, now - bucket.at);
    return Math.min(burst, bucket.tokens + (passed * perMinute) / 60_000);
  }
}

/** Returns the network of an address. One host owns a whole /64 of IPv6 addresses, so these share one bucket. */
export const networkOf = (address: string): string => {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  return [...groups, '0', '0', '0', '0'].slice(0, 4).join(':');
};
