/**
 * A small capability of the read-model store beside its projections: results that were worked out once and are kept
 * for all nodes. They follow from no events, so replay and rebuild leave them alone, and losing them costs nothing but
 * the work. All times are milliseconds since 1970 by the caller's clock; a store only compares them.
 */

export interface CachedResult {
  readonly key: string;
  /** What its owner needs to make it anew; opaque to the store. */
  readonly recipe: string;
  readonly body: string;
  /** The result has more than the body holds. */
  readonly truncated: boolean;
  readonly madeAt: number;
  readonly usedAt: number;
  /** From then on it may be dropped. */
  readonly keepUntil: number;
  /** From then on it is due to be made anew; null: never. */
  readonly warmAt: number | null;
}

/** What making anew changes. */
export type RenewedResult = Omit<CachedResult, 'recipe' | 'usedAt' | 'keepUntil'>;

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

export interface ResultBounds {
  readonly entries: number;
  /** Of UTF-8, bodies and recipes together. */
  readonly bytes: number;
}

/** Every method throws ReadModelUnavailableError where the store cannot be used. */
export interface CachedResults {
  /** Even one that may be dropped, as long as it is there. */
  get(key: string): Promise<CachedResult | null>;
  /** Keeps it, unless one under this key was made later; a later use that is known stays. */
  put(result: CachedResult): Promise<void>;
  /** Changes the result that is there, unless that was made later or none is there. */
  renew(result: RenewedResult): Promise<void>;
  /** Uses and times to keep only ever rise. */
  touch(uses: readonly ResultUse[]): Promise<void>;
  /** Those that are due and still to be kept, the longest due first. */
  due(now: number, limit: number): Promise<readonly DueResult[]>;
  /** Of all who saw it due at the same time one gets it, and until then nobody else sees it due. */
  claim(seen: Pick<DueResult, 'key' | 'warmAt'>, until: number): Promise<boolean>;
  remove(key: string): Promise<void>;
  /** Drops what may be dropped, then what was used longest ago until the rest is within the bounds. Returns how many. */
  sweep(now: number, bounds: ResultBounds): Promise<number>;
}
