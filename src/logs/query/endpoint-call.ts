/** One call of a saved endpoint, and the reply to it. */
import type { ReadyReply } from '../../http/replies/ready-reply.js';
import type { LqlPart } from '../lql/lql-part.js';
import type { ResultColumn } from '../sql/compile.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import type { ReplyFormat } from './asked-format.js';
import type { Amount } from './estimate-views.js';

export interface EndpointCall {
  readonly holder: TokenHolder;
  /** The endpoint's id or its name. */
  readonly endpoint: string;
  /** The parameters as the client sent them, with `sql` and `lql`. Those that the query does not declare are ignored. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The part of what the filter in `lql` finds. Missing: the result of the query. Parts are not cached. */
  readonly part?: LqlPart;
  /** Redacts addresses even if the endpoint does not. */
  readonly redact: boolean;
  /** Counts what the query read. */
  readonly cost?: boolean;
  /** What `Accept` asks for. Default: JSON. */
  readonly accepted?: ReplyFormat;
  /** Aborted when the client has disconnected. The query is then cancelled, unless other clients wait for the same. */
  readonly signal?: AbortSignal;
}

export interface EndpointReply {
  /** Name of the endpoint. */
  readonly endpoint: string;
  /** What the client wants; `reply` is JSON in any case. */
  readonly format: ReplyFormat;
  readonly columns: readonly ResultColumn[];
  /** `{"result": [...]}` */
  readonly reply: ReadyReply;
  /** Whether there were more rows than the endpoint's limit. */
  readonly truncated: boolean;
  /** Whole seconds since the result was made; null: the endpoint does not cache. */
  readonly ageSeconds: number | null;
  /** Where the result is cached; null: it is not. */
  readonly kept: KeptAs | null;
  /** What the query read for this call, none of it when the result was cached. Missing: it was not to be counted. */
  readonly read?: Amount;
}

/** The cache key of a result. It is valid while the endpoint has this version. */
export interface KeptAs {
  readonly endpointId: string;
  readonly version: number;
  /** Key of LogResultCache. */
  readonly key: string;
}
