/**
 * The result cache over the store that all nodes share, with an LRU cache of reply bytes in this process. A failing
 * store or a result that is too large costs one more query, but never the reply. All times come from one clock. The
 * owner of the cache calls `tick` about once a second.
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
  Refresher,
  ReplyMaker,
  ServedReply,
} from './result-cache.js';
import { resultKey } from './result-key.js';
import { SingleFlight } from './single-flight.js';

export interface SharedResultCacheOptions {
  readonly results: CachedResults;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Called with errors that do not affect a reply. */
  readonly onError?: (error: unknown) => void;
  readonly bounds?: ResultBounds;
  /** Size of the LRU cache in this process, in bytes. */
  readonly memoryBytes?: number;
}

/** Bounds of the store, which all nodes share. Four tenants may have as much as one can, and none gives way to another. */
const BOUNDS: ResultBounds = {
  total: { entries: 10_000, bytes: 256 * 1024 * 1024 },
  each: { entries: 2_500, bytes: 64 * 1024 * 1024 },
};
const MEMORY_BYTES = 64 * 1024 * 1024;
/** Larger bodies are not cached: one would evict all others, and a MongoDB document holds 16 MB at most. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Concurrent refreshes of a tenant. Few, so that warming leaves the log store to clients that wait. */
const MAX_REFRESHES = 2;
/** Longer than the longest query. A failed refresh is retried when its claim has expired. */
const CLAIM_MS = 60_000;
const SWEEP_EVERY_MS = 60_000;

export class SharedResultCache implements LogResultCache {
  readonly #results: CachedResults;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #bounds: ResultBounds;
  readonly #held: LRUCache<string, MemoryReply>;
  readonly #lookups = new SingleFlight<MemoryReply>();
  readonly #used = new Map<string, MemoryReply>();
  /** The tenants whose results are refreshed now, each until none is due. */
  readonly #warming = new Map<string, Promise<void>>();
  #refresher: Refresher | null = null;
  #ticking: Promise<void> | null = null;
  #grown = false;
  #sweptAt = 0;

  constructor(options: SharedResultCacheOptions) {
    const { results, now = Date.now, onError = () => undefined, bounds = BOUNDS } = options;
    const { memoryBytes = MEMORY_BYTES } = options;
    this.#results = results;
    this.#now = now;
    this.#onError = onError;
    this.#bounds = bounds;
    this.#held = new LRUCache({ maxSize: memoryBytes, sizeCalculation: ({ reply }) => reply.bytes });
  }

  async serve(request: CachedRequest, rule: CacheRule, { make, signal }: ReplyMaker): Promise<ServedReply> {
    const key = resultKey(request);
    const ready = this.peek(key);
    if (ready) return ready;
    const find = (until: AbortSignal) => this.#find(key, { request, rule }, () => make(until));
    return this.#use(key, await this.#lookups.join(key, find, signal));
  }

  peek(key: string): ServedReply | undefined {
    const held = this.#held.get(key);
    return held?.isReady(this.#now()) ? this.#use(key, held) : undefined;
  }

  refreshWith(refresher: Refresher): void {
    this.#refresher = refresher;
  }

  /**
   * Writes recent uses to the store, refreshes due entries, evicts unused ones. A call during a tick joins that tick. Resolves
   * when the refreshes are done; those of a slow tenant delay neither the next tick nor another tenant.
   */
  async tick(): Promise<void> {
    this.#ticking ??= this.#tick()
      .catch((error: unknown) => this.#onError(error))
      .finally(() => {
        this.#ticking = null;
      });
    await this.#ticking;
    await Promise.all(this.#warming.values());
  }

  /** Waits for a running tick, then writes the last uses to the store. */
  async close(): Promise<void> {
    this.#refresher = null;
    await this.#ticking;
    await Promise.all(this.#warming.values());
    await this.#recordUses().catch((error: unknown) => this.#onError(error));
  }

  #use(key: string, held: MemoryReply): ServedReply {
    this.#used.set(key, held);
    return held.use(this.#now());
  }

  /** Returns the stored reply if it is fresh enough. Otherwise makes it and stores it. */
  async #find(key: string, recipe: Recipe, make: () => Promise<CachedReply>): Promise<MemoryReply> {
    const { rule } = recipe;
    const stored = await this.#attempt(() => this.#results.get(key));
    const madeAt = this.#now();
    if (stored && stored.madeAt + rule.lifetimeSeconds * 1_000 > madeAt && isPast(stored.madeAt, madeAt)) {
      return this.#hold(key, new MemoryReply(stored, { madeAt: stored.madeAt, rule, now: madeAt }));
    }
    // The store evicts the oldest entries first, so an entry from the future would outlive all new ones.
    if (stored && !isPast(stored.madeAt, madeAt)) await this.#attempt(() => this.#results.remove(key));
    const made = await make();
    const held = new MemoryReply(made, { madeAt, rule, now: this.#now() });
    if (held.reply.body.length > MAX_BODY_BYTES) return held;
    this.#grown = true;
    await this.#attempt(() =>
      this.#results.put({
        key,
        tenant: recipe.request.tenant,
        recipe: encodeRecipe(recipe),
        ...made,
        ...held.times(),
      }),
    );
    return this.#hold(key, held);
  }

  #hold(key: string, held: MemoryReply): MemoryReply {
    this.#held.set(key, held);
    return held;
  }

  async #tick(): Promise<void> {
    await this.#recordUses();
    const refresher = this.#refresher;
    if (!refresher) return;
    for (const tenant of await this.#results.dueTenants(this.#now())) this.#warm(tenant, refresher);
    await this.#sweep();
  }

  async #recordUses(): Promise<void> {
    if (this.#used.size === 0) return;
    const uses: ResultUse[] = [];
    for (const [key, held] of this.#used) {
      const { usedAt, keepUntil } = held.times();
      uses.push({ key, usedAt, keepUntil });
    }
    this.#used.clear();
    await this.#results.touch(uses);
  }

  #warm(tenant: string, refresher: Refresher): void {
    if (this.#warming.has(tenant)) return;
    const warmed = this.#refreshAll(tenant, refresher)
      .catch((error: unknown) => this.#onError(error))
      .finally(() => this.#warming.delete(tenant));
    this.#warming.set(tenant, warmed);
  }

  async #refreshAll(tenant: string, refresher: Refresher): Promise<void> {
    const tried = new Set<string>();
    while (this.#refresher === refresher) {
      const due = await this.#results.due(tenant, this.#now(), MAX_REFRESHES);
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

  /** A failed refresh is retried when its claim has expired. */
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

  /** Reports an error of the store and returns null. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.#onError(error);
      return null;
    }
  }
}
