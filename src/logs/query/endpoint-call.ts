/** The query that endpoints are for: one call of one saved endpoint. */
import { Query } from '@nestjs/cqrs';
import type { ReadyReply } from '../../foundation/replies/ready-reply.js';
import type { TokenHolder } from '../tokens/token.queries.js';

export interface EndpointCall {
  readonly holder: TokenHolder;
  /** The endpoint's id or its name. */
  readonly endpoint: string;
  /** As the caller sent them, `sql` and `lql` among them; those that the query does not declare are ignored. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Redacts where the endpoint itself does not. */
  readonly redact: boolean;
  /** Aborted when nobody waits for the reply any more: the query is then ended, unless others wait for the same. */
  readonly signal?: AbortSignal;
}

export interface EndpointReply {
  /** `{"result": [...]}` */
  readonly reply: ReadyReply;
  /** There were more rows than the endpoint may give. */
  readonly truncated: boolean;
  /** Whole seconds since the result was made; null where the endpoint does not cache. */
  readonly ageSeconds: number | null;
  /** What the result is kept as; null where it is not. */
  readonly kept: KeptAs | null;
}

/** What a result is kept under, for as long as the endpoint has this version. */
export interface KeptAs {
  readonly endpointId: string;
  readonly version: number;
  /** Of LogResultCache. */
  readonly key: string;
}

/**
 * Throws RejectedError `endpoint-not-found`, `token-scope`, `invalid-request`, `parameter-value`, `too-many-queries`,
 * QueryProblem, and what LogStore.run throws.
 */
export class CallEndpoint extends Query<EndpointReply> {
  constructor(readonly call: EndpointCall) {
    super();
  }
}
