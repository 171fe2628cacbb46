/** A cached reply in this process: its bytes, how old it is, and how long it may be served without asking the store. */
import type { CachedResult, ResultUse } from '../../foundation/read-models/cached-results.js';
import { ReadyReply } from '../../foundation/replies/ready-reply.js';
import type { CachedReply, CacheRule, ServedReply } from './result-cache.js';

/**
 * How long to serve one that is due to be made anew before the store is asked whether another node has done so; also
 * how far the ages that two nodes tell may be apart.
 */
const LOOK_AGAIN_MS = 1_000;

/** One from a later time was made before the clock was set back, and would be served until the clock has caught up. */
export const isPast = (madeAt: number, now: number): boolean => madeAt <= now + LOOK_AGAIN_MS;

export class MemoryReply {
  readonly reply: ReadyReply;
  readonly #truncated: boolean;
  readonly #madeAt: number;
  readonly #rule: CacheRule;
  readonly #readyUntil: number;
  #usedAt: number;
  /** What was served last: the same for all who ask within a second. */
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

  /** To be served at `now`, which is a use. */
  use(now: number): ServedReply {
    this.#usedAt = Math.max(this.#usedAt, now);
    const ageSeconds = Math.max(0, Math.floor((now - this.#madeAt) / 1_000));
    if (this.#served?.ageSeconds !== ageSeconds) this.#served = this.#servedAt(ageSeconds);
    return this.#served;
  }

  #servedAt(ageSeconds: number): ServedReply {
    const { reply } = this;
    return {
      reply,
      truncated: this.#truncated,
      ageSeconds,
      get body() {
        return reply.body.toString();
      },
    };
  }

  /** Its times as the store keeps them, as of its last use. */
  times(): Pick<CachedResult, 'madeAt' | 'warmAt'> & Omit<ResultUse, 'key'> {
    const { lifetimeSeconds, warmSeconds } = this.#rule;
    const warmed = warmSeconds !== null;
    return {
      madeAt: this.#madeAt,
      usedAt: this.#usedAt,
      // One that nobody makes anew is of no use once it is too old to be served.
      keepUntil: (warmed ? this.#usedAt : this.#madeAt) + lifetimeSeconds * 1_000,
      warmAt: warmed ? this.#madeAt + warmSeconds * 1_000 : null,
    };
  }
}
