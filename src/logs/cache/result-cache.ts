/**
 * The cache of log results: a read model that every node shares and a restart keeps. Concurrent misses of one key run one
 * query; an entry in use is made anew before anyone waits for it, and dropped when nobody has asked within its lifetime.
 */
import type { ReadyReply } from '../../foundation/replies/ready-reply.js';

/** What an entry is the result of. All of it makes the key: nobody gets what was made for another project or endpoint version. */
export interface CachedRequest {
  readonly endpointId: string;
  readonly endpointVersion: number;
  /** Only the declared ones. */
  readonly parameters: Readonly<Record<string, string | null>>;
  readonly consumer: { readonly language: 'sql' | 'lql'; readonly text: string } | null;
  readonly redact: boolean;
  /** The project that the token is tied to. */
  readonly onlyProject: string | null;
}

export interface CacheRule {
  readonly lifetimeSeconds: number;
  /** How old an entry in use grows before it is made anew; null: only when somebody asks after its lifetime. */
  readonly warmSeconds: number | null;
}

export interface CachedReply {
  /** The JSON of the reply. */
  readonly body: string;
  readonly truncated: boolean;
}

export interface ServedReply extends CachedReply {
  /** The bytes of the body, once for all who get this entry. */
  readonly reply: ReadyReply;
  /** Whole seconds since it was made; 0: made for this request. */
  readonly ageSeconds: number;
}

/** How a reply comes about that is not there yet. */
export interface Making {
  /** The signal is aborted when nobody waits for the reply any more. */
  readonly make: (signal: AbortSignal) => Promise<CachedReply>;
  /** Aborted when this one who asks does not wait any more; without it somebody always does. */
  readonly signal?: AbortSignal;
}

/** Makes the reply to a request anew; null when it is not to be had any more (the endpoint is gone or has another version). */
export type Refresher = (request: CachedRequest) => Promise<CachedReply | null>;

export interface LogResultCache {
  /** From the cache, or made by `make`, once for all who ask at the same time. What `make` throws is not kept. */
  serve(request: CachedRequest, rule: CacheRule, making: Making): Promise<ServedReply>;
  /**
   * What this process holds under a `resultKey` and may be served without a look at the store; undefined: ask `serve`.
   * It counts as a use.
   */
  peek(key: string): ServedReply | undefined;
  /** From now on this process makes entries anew, its own and those found in the store. Its owner registers once. */
  refreshWith(refresher: Refresher): void;
}

/** Injection token of the LogResultCache. */
export const LOG_RESULT_CACHE = Symbol('LogResultCache');
