/** Queries of those who write log queries: what an endpoint has to offer, and whether a query could run. */
import { Query } from '@nestjs/cqrs';
import type { EndpointConfig } from '../endpoints/endpoint.events.js';
import type { QueryOutline } from '../sql/outline.js';
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

/** Whether a query of a caller's could run on the endpoint. Throws QueryProblem where not, and as DescribeEndpoint. */
export class CheckQuery extends Query<void> {
  constructor(
    readonly idOrName: string,
    readonly consumer: ConsumerText,
    readonly holder: TokenHolder,
  ) {
    super();
  }
}

/** What a stored query would offer. Throws QueryProblem where it cannot run. */
export class OutlineQuery extends Query<QueryOutline> {
  constructor(
    readonly query: string,
    readonly sandboxing: boolean,
  ) {
    super();
  }
}
