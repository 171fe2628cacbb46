/** Queries of those who write log queries: what an endpoint has to offer, and whether a query could run. */

import { Query } from '@nestjs/cqrs';
import type { QueryPlace } from '../../http/problems/failure.js';
import type { EndpointConfig } from '../endpoints/endpoint.events.js';
import type { QueryOutline } from '../sql/outline.js';
import type { QueryProblemCode } from '../sql/query-problem.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import type { ConsumerText } from './query-compiler.js';

/** The endpoint as its callers have to know it. */
export interface EndpointOutline
  extends Omit<EndpointConfig, 'query' | 'queryLanguage' | 'cacheWarmingSeconds'>,
    QueryOutline {
  readonly id: string;
}

/** Throws RejectedError `endpoint-not-found`, `token-scope`. */
export class DescribeEndpoint extends Query<EndpointOutline> {
  constructor(
    readonly idOrName: string,
    readonly holder: TokenHolder,
  ) {
    super();
  }
}

/** Why a query cannot run, as the problem document of its call would say. */
export interface QueryFault {
  readonly code: QueryProblemCode;
  readonly detail: string;
  /** Null where no one place is at fault. */
  readonly position: QueryPlace | null;
}

/** What there is to say of a query before it runs; null: it could. */
export interface CheckedText {
  readonly fault: QueryFault | null;
}

/** Whether a query of a caller's could run on the endpoint. Throws as DescribeEndpoint. */
export class CheckQuery extends Query<CheckedText> {
  constructor(
    readonly idOrName: string,
    readonly consumer: ConsumerText,
    readonly holder: TokenHolder,
  ) {
    super();
  }
}

export interface CheckedStoredQuery extends CheckedText {
  /** What it would offer; null where it cannot run. */
  readonly outline: QueryOutline | null;
}

/** Whether a query could be stored, and what it would offer. */
export class CheckStoredQuery extends Query<CheckedStoredQuery> {
  constructor(
    readonly query: string,
    readonly sandboxing: boolean,
  ) {
    super();
  }
}
