/** A cached reply in this process: its bytes, its age, and how long it may be served without a read of the store. */
import type { CachedResult, ResultUse } from '../../foundation/read-models/cached-results.js';
import { ReadyReply } from '../../http/replies/ready-reply.js';
import type { CachedReply, CacheRule, ServedReply } from './result-cache.js';

/**
 * How long a reply that is due for a refresh is still served from memory. Then the store is read again, because another
 * node may have refreshed it. The ages that two nodes report differ at most by this.
 */
const LOOK_AGAIN_MS = 1_000;

/** Returns false for a reply from the future. The clock was set back after it was made, so its age would be wrong. */
export const isPast = (madeAt: number, now: number): boolean => madeAt <= now + LOOK_AGAIN_MS;

export class MemoryReply {
  readonly reply: ReadyReply;
  readonly #truncated: boolean;
  readonly #madeAt: number;
  readonly #rule: CacheRule;
  readonly #readyUntil: number;
  #usedAt: number;
  /** The last served reply. All clients of the same second share it. */
  #served: ServedReply | null = null;

  constructor(
    { body, truncated }: CachedReply,
    { madeAt, rule, now }: { readonly madeAt: number; readonly rule: CacheRule; readonly now: number },
  ) {
    this.reply = new ReadyReply(Buffer.from(body));
    this.#truncated = truncated;
    this.#madeAt = madeAt;
    this.#rule = rule;
    this.#usedAt = madeAt;
    const expires = madeAt + rule.lifetimeSeconds * 1_000;
    const due = rule.warmSeconds === null ? expires : madeAt + rule.warmSeconds * 1_000;
    this.#readyUntil = Math.min(expires, Math.max(due, now + LOOK_AGAIN_MS));
  }

  isReady(now: number): boolean {
    return now < this.#readyUntil && isPast(this.#madeAt, now);
  }

  /** Returns the reply with its age at `now`, and records the use. */
  use(now: number): ServedReply {
    this.#usedAt = Math.max(this.#usedAt, now);
    const ageSeconds = Math.max(0, Math.floor((now - this.#madeAt) / 1_000));
    if (this.#served?.ageSeconds !== ageSeconds)
      this.#served = { reply: this.reply, truncated: this.#truncated, ageSeconds };
    return this.#served;
  }

  /** Returns its times in the form of the store, as of its last use. */
  times(): Pick<CachedResult, 'madeAt' | 'warmAt'> & Omit<ResultUse, 'key'> {
    const { lifetimeSeconds, warmSeconds } = this.#rule;
    const warmed = warmSeconds !== null;
    return {
      madeAt: this.#madeAt,
      usedAt: this.#usedAt,
      // Without warming, an entry is useless once its lifetime is over.
      keepUntil: (warmed ? this.#usedAt : this.#madeAt) + lifetimeSeconds * 1_000,
      warmAt: warmed ? this.#madeAt + warmSeconds * 1_000 : null,
    };
  }
}
