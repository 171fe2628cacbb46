/** What authors of log queries are told: what an endpoint offers, and whether a query could run. */
import type { QueryPlace } from '../../http/problems/failure.js';
import type { EndpointConfig } from '../endpoints/endpoint.events.js';
import type { QueryOutline } from '../sql/outline.js';
import type { QueryProblemCode } from '../sql/query-problem.js';

/** What a client needs to know to call the endpoint. */
export interface EndpointOutline
  extends Omit<EndpointConfig, 'query' | 'queryLanguage' | 'cacheWarmingSeconds'>,
    QueryOutline {
  readonly id: string;
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

export interface CheckedStoredQuery extends CheckedText {
  /** What it would offer; null when it cannot run. */
  readonly outline: QueryOutline | null;
}
