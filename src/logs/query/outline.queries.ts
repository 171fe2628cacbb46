/** Queries for authors of log queries: what an endpoint offers, and whether a query could run. */

import { Query } from '@nestjs/cqrs';
import type { QueryPlace } from '../../http/problems/failure.js';
import type { EndpointConfig } from '../endpoints/endpoint.events.js';
import type { QueryConfig } from '../endpoints/stored-queries.js';
import type { QueryOutline } from '../sql/outline.js';
import type { QueryProblemCode } from '../sql/query-problem.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import type { ConsumerText } from './query-compiler.js';

/** What a client needs to know to call the endpoint. */
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

/** Why a query cannot run. The problem document of its call would say the same. */
export interface QueryFault {
  readonly code: QueryProblemCode;
  readonly detail: string;
  /** Null when the error has no single place. */
  readonly position: QueryPlace | null;
}

/** The result of a check. */
export interface CheckedText {
  /** Null: the query could run. */
  readonly fault: QueryFault | null;
}

/** Returns whether a client's query could run on the endpoint. Throws what DescribeEndpoint throws. */
export class CheckQuery extends Query<CheckedText> {
  constructor(
    readonly idOrName: string,
    readonly consumer: ConsumerText,
    readonly holder: TokenHolder,
    /** Parameters of the call that it is for. */
    readonly given: Readonly<Record<string, unknown>>,
  ) {
    super();
  }
}

export interface CheckedStoredQuery extends CheckedText {
  /** What it would offer; null when it cannot run. */
  readonly outline: QueryOutline | null;
}

/** Returns whether a query could be stored, and what it would offer. */
export class CheckStoredQuery extends Query<CheckedStoredQuery> {
  constructor(readonly config: QueryConfig) {
    super();
  }
}
