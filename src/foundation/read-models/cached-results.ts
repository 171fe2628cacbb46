/**
 * A cache of computed results in the read-model store, shared by all nodes. The results come from no events, so replay
 * and rebuild leave them alone, and losing them costs only the work. All times are milliseconds since 1970 by the
 * caller's clock; a store only compares them.
 */

export interface CachedResult {
  readonly key: string;
  /** Whose result it is: it counts against the share of this tenant. */
  readonly tenant: string;
  /** What its owner needs to renew it; opaque to the store. */
  readonly recipe: string;
  readonly body: string;
  /** Whether the body holds only a part of the result. */
  readonly truncated: boolean;
  readonly madeAt: number;
  readonly usedAt: number;
  /** From this time on it may be evicted. */
  readonly keepUntil: number;
  /** From this time on it is due for renewal; null: never. */
  readonly warmAt: number | null;
}

/** The fields that a renewal changes. */
export type RenewedResult = Omit<CachedResult, 'tenant' | 'recipe' | 'usedAt' | 'keepUntil'>;

export interface ResultUse {
  readonly key: string;
  readonly usedAt: number;
  readonly keepUntil: number;
}

export interface DueResult {
  readonly key: string;
  readonly recipe: string;
  readonly warmAt: number;
}

export interface ResultSizes {
  readonly entries: number;
  /** UTF-8 bytes of all bodies and recipes. */
  readonly bytes: number;
}

export interface ResultBounds {
  readonly total: ResultSizes;
  /** Of one tenant. */
  readonly each: ResultSizes;
}

/** Every method throws ReadModelUnavailableError when the store cannot be used. */
export interface CachedResults {
  /** Returns the result while it is stored, even when it may be evicted. */
  get(key: string): Promise<CachedResult | null>;
  /** Stores the result, unless the stored one was made later. `usedAt` and `keepUntil` never decrease. */
  put(result: CachedResult): Promise<void>;
  /** Replaces the stored result. Does nothing when it was made later, or when there is none. */
  renew(result: RenewedResult): Promise<void>;
  /** Raises `usedAt` and `keepUntil`; they never decrease. */
  touch(uses: readonly ResultUse[]): Promise<void>;
  /** Returns the tenants that have due results. */
  dueTenants(now: number): Promise<readonly string[]>;
  /** Returns results of a tenant that are due and not yet evictable, the longest due first. */
  due(tenant: string, now: number, limit: number): Promise<readonly DueResult[]>;
  /** Claims a due result. Returns true for one of the competing nodes; until `until` no other node sees it as due. */
  claim(seen: Pick<DueResult, 'key' | 'warmAt'>, until: number): Promise<boolean>;
  remove(key: string): Promise<void>;
  /** Evicts what may be evicted, then the results that `beyondShares` names. Returns how many. */
  sweep(now: number, bounds: ResultBounds): Promise<number>;
}
