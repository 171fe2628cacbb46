/**
 * Port of the cache of log results, which all nodes share and which survives restarts. Concurrent misses of one key run
 * one query. An entry in use is refreshed before a client has to wait for it. An entry without a use within its lifetime
 * is evicted.
 */
import type { ReadyReply } from '../../http/replies/ready-reply.js';

/** The request behind an entry. All fields are in the key, so tenants and endpoint versions never share an entry. */
export interface CachedRequest {
  /** Whose entry it is: what another tenant does never changes it. */
  readonly tenant: string;
  readonly endpointId: string;
  readonly endpointVersion: number;
  /** The endpoints that it reads. */
  readonly reads: readonly { readonly endpointId: string; readonly version: number }[];
  /** Only the parameters that the query declares. */
  readonly parameters: Readonly<Record<string, string | null>>;
  readonly consumer: {
    readonly language: 'sql' | 'lql';
    readonly text: string;
    /** The filters that it names. */
    readonly saved?: Readonly<Record<string, string>>;
  } | null;
  readonly redact: boolean;
  /** The project that the token is tied to; null: none. */
  readonly onlyProject: string | null;
}

export interface CacheRule {
  readonly lifetimeSeconds: number;
  /** The age at which an entry in use is refreshed; null: no refresh, a call after the lifetime runs the query again. */
  readonly warmSeconds: number | null;
}

export interface CachedReply {
  /** The JSON of the reply. */
  readonly body: string;
  readonly truncated: boolean;
}

export interface ServedReply extends Pick<CachedReply, 'truncated'> {
  /** Its bytes, shared by all clients that get this entry. */
  readonly reply: ReadyReply;
  /** Whole seconds since it was made; 0 when it was made for this request. */
  readonly ageSeconds: number;
}

/** How a missing reply is made. */
export interface ReplyMaker {
  /** Its signal is aborted when no client waits for the reply any more. */
  readonly make: (signal: AbortSignal) => Promise<CachedReply>;
  /** Aborted when this client no longer waits. Without it the client waits to the end. */
  readonly signal?: AbortSignal;
}

/** Makes the reply to a request again. Returns null when the endpoint is gone or has another version. */
export type Refresher = (request: CachedRequest) => Promise<CachedReply | null>;

export interface LogResultCache {
  /** Returns the cached reply, or makes it with `make`, once for all concurrent callers. Errors of `make` are not cached. */
  serve(request: CachedRequest, rule: CacheRule, making: ReplyMaker): Promise<ServedReply>;
  /**
   * Returns the reply that this process holds under a `resultKey`, when it may be served without a read of the store.
   * Returns undefined otherwise; the caller then calls `serve`. A returned reply counts as used.
   */
  peek(key: string): ServedReply | undefined;
  /** Registers the function that refreshes entries, those of other nodes too. Called once. */
  refreshWith(refresher: Refresher): void;
}

/** Injection token of the LogResultCache. */
export const LOG_RESULT_CACHE = Symbol('LogResultCache');
