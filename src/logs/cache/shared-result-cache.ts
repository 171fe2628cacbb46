/**
 * The result cache over the store that all nodes share, with the bytes of what is asked for most held in this process.
 * Whatever the store cannot do (it is away, a result is too large) costs the work of making the reply again, never the
 * reply. All time comes from one clock; `tick` does what is due, and whoever owns the cache calls it every second or so.
 */
import { LRUCache } from 'lru-cache';
import type {
  CachedResults,
  DueResult,
  ResultBounds,
  ResultUse,
} from '../../foundation/read-models/cached-results.js';
import { isPast, MemoryReply } from './memory-reply.js';
import { decodeRecipe, encodeRecipe, type Recipe } from './recipe.js';
import type {
  CachedReply,
  CachedRequest,
  CacheRule,
  LogResultCache,
  Making,
  Refresher,
  ServedReply,
} from './result-cache.js';
import { resultKey } from './result-key.js';
import { SingleFlight } from './single-flight.js';

export interface SharedResultCacheOptions {
  readonly results: CachedResults;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Told of what goes wrong without harming a reply. */
  readonly onError?: (error: unknown) => void;
  readonly bounds?: Partial<ResultBounds>;
  /** Bytes of replies that this process holds. */
  readonly memory?: number;
}

/** Of all nodes together. */
const BOUNDS: ResultBounds = { entries: 10_000, bytes: 256 * 1024 * 1024 };
const MEMORY = 64 * 1024 * 1024;
/** Larger bodies are not kept: one must not push out all others, and MongoDB takes 16 MB a document. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Made anew at a time: warming must leave the log store to those who wait. */
const TOGETHER = 2;
/** A claim outlives the longest query; a failed attempt is repeated when it has run out. */
const CLAIM_MS = 60_000;
const SWEEP_EVERY_MS = 60_000;

export class SharedResultCache implements LogResultCache {
  readonly #results: CachedResults;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #bounds: ResultBounds;
  readonly #held: LRUCache<string, MemoryReply>;
  readonly #finding = new SingleFlight<MemoryReply>();
  readonly #used = new Map<string, MemoryReply>();
  #refresher: Refresher | null = null;
  #ticking: Promise<void> | null = null;
  #grown = false;
  #sweptAt = 0;

  constructor(options: SharedResultCacheOptions) {
    const { results, now = Date.now, onError = () => undefined, bounds, memory = MEMORY } = options;
    this.#results = results;
    this.#now = now;
    this.#onError = onError;
    this.#bounds = { ...BOUNDS, ...bounds };
    this.#held = new LRUCache({ maxSize: memory, sizeCalculation: ({ reply }) => reply.bytes });
  }

  async serve(request: CachedRequest, rule: CacheRule, { make, signal }: Making): Promise<ServedReply> {
    const key = resultKey(request);
    const ready = this.peek(key);
    if (ready) return ready;
    const find = (until: AbortSignal) => this.#find(key, { request, rule }, () => make(until));
    return this.#use(key, await this.#finding.join(key, find, signal));
  }

  peek(key: string): ServedReply | undefined {
    const held = this.#held.get(key);
    return held?.isReady(this.#now()) ? this.#use(key, held) : undefined;
  }

  refreshWith(refresher: Refresher): void {
    this.#refresher = refresher;
  }

  /** Tells the store what was used, makes anew what is due, drops what nobody wants. One at a time. */
  tick(): Promise<void> {
    this.#ticking ??= this.#tick()
      .catch((error: unknown) => this.#onError(error))
      .finally(() => {
        this.#ticking = null;
      });
    return this.#ticking;
  }

  /** Finishes what is under way and tells the store of the last uses. */
  async close(): Promise<void> {
    this.#refresher = null;
    await this.#ticking;
    await this.#tellUses().catch((error: unknown) => this.#onError(error));
  }

  #use(key: string, held: MemoryReply): ServedReply {
    this.#used.set(key, held);
    return held.use(this.#now());
  }

  /** From the store where it is young enough, or else made. */
  async #find(key: string, recipe: Recipe, make: () => Promise<CachedReply>): Promise<MemoryReply> {
    const { rule } = recipe;
    const stored = await this.#attempt(() => this.#results.get(key));
    const madeAt = this.#now();
    if (stored && stored.madeAt + rule.lifetimeSeconds * 1_000 > madeAt && isPast(stored.madeAt, madeAt)) {
      return this.#hold(key, new MemoryReply(stored, { madeAt: stored.madeAt, rule, now: madeAt }));
    }
    // Else the store would keep it before all that are made now.
    if (stored && !isPast(stored.madeAt, madeAt)) await this.#attempt(() => this.#results.remove(key));
    const made = await make();
    const held = new MemoryReply(made, { madeAt, rule, now: this.#now() });
    if (held.reply.body.length > MAX_BODY_BYTES) return held;
    this.#grown = true;
    await this.#attempt(() =>
      this.#results.put({ key, recipe: encodeRecipe(recipe), ...made, ...held.times() }),
    );
    return this.#hold(key, held);
  }

  #hold(key: string, held: MemoryReply): MemoryReply {
    this.#held.set(key, held);
    return held;
  }

  async #tick(): Promise<void> {
    await this.#tellUses();
    const refresher = this.#refresher;
    if (!refresher) return;
    await this.#warm(refresher);
    await this.#sweep();
  }

  async #tellUses(): Promise<void> {
    if (this.#used.size === 0) return;
    const uses: ResultUse[] = [];
    for (const [key, held] of this.#used) {
      const { usedAt, keepUntil } = held.times();
      uses.push({ key, usedAt, keepUntil });
    }
    this.#used.clear();
    await this.#results.touch(uses);
  }

  async #warm(refresher: Refresher): Promise<void> {
    const tried = new Set<string>();
    while (this.#refresher === refresher) {
      const due = await this.#results.due(this.#now(), TOGETHER);
      const fresh = due.filter(({ key }) => !tried.has(key));
      if (fresh.length === 0) return;
      await Promise.all(
        fresh.map(async (one) => {
          tried.add(one.key);
          if (await this.#results.claim(one, this.#now() + CLAIM_MS)) await this.#refresh(one, refresher);
        }),
      );
    }
  }

  /** What fails is tried again when the claim has run out. */
  async #refresh({ key, recipe }: DueResult, refresher: Refresher): Promise<void> {
    try {
      const decoded = decodeRecipe(recipe);
      const madeAt = this.#now();
      const made = decoded && (await refresher(decoded.request));
      const held = made && new MemoryReply(made, { madeAt, rule: decoded.rule, now: this.#now() });
      if (!held || held.reply.body.length > MAX_BODY_BYTES) {
        this.#held.delete(key);
        return await this.#results.remove(key);
      }
      this.#grown = true;
      await this.#results.renew({ key, ...made, madeAt, warmAt: held.times().warmAt });
      if (this.#held.has(key)) this.#hold(key, held);
    } catch (error) {
      this.#onError(error);
    }
  }

  async #sweep(): Promise<void> {
    const now = this.#now();
    if (!this.#grown && now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#grown = false;
    this.#sweptAt = now;
    await this.#results.sweep(now, this.#bounds);
  }

  /** What the store cannot do is reported, and null stands for it. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.#onError(error);
      return null;
    }
  }
}
