/** Describes endpoints and checks queries. Does not run queries. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { EndpointNames, type LiveEndpoint } from '../endpoints/endpoint-names.js';
import { StoredQueries } from '../endpoints/stored-queries.js';
import { SavedFilters } from '../saved-filters/saved-filters.js';
import { outlineOf } from '../sql/outline.js';
import { QueryProblem } from '../sql/query-problem.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import { requireScope } from '../tokens/token-check.js';
import { endpointScope } from '../tokens/token-scope.js';
import { projectOfCall } from './call-parameters.js';
import {
  type CheckedStoredQuery,
  type CheckedText,
  CheckQuery,
  CheckStoredQuery,
  DescribeEndpoint,
  type EndpointOutline,
  type QueryFault,
} from './outline.queries.js';
import { QueryCompiler } from './query-compiler.js';

/** Throws RejectedError `endpoint-not-found`, `token-scope`. */
const callableEndpoint = async (
  names: EndpointNames,
  idOrName: string,
  holder: TokenHolder,
): Promise<LiveEndpoint> => {
  const endpoint = await names.find(idOrName);
  requireScope(holder, endpointScope(endpoint.endpointId));
  return endpoint;
};

@QueryHandler(DescribeEndpoint)
export class DescribeEndpointHandler implements IQueryHandler<DescribeEndpoint> {
  constructor(
    private readonly names: EndpointNames,
    private readonly queries: StoredQueries,
    @Inject(LOG_STORE) private readonly store: LogStore,
  ) {}

  async execute({ idOrName, holder }: DescribeEndpoint): Promise<EndpointOutline> {
    const { endpointId, config } = await callableEndpoint(this.names, idOrName, holder);
    const { name, description, maxRows, cachingSeconds, sandboxing } = config;
    const { stored, redactPii } = await this.queries.of(config);
    const outline = outlineOf(stored, await this.store.catalogue(holder.project));
    return { id: endpointId, name, description, maxRows, cachingSeconds, sandboxing, redactPii, ...outline };
  }
}

@QueryHandler(CheckQuery)
export class CheckQueryHandler implements IQueryHandler<CheckQuery> {
  constructor(
    private readonly names: EndpointNames,
    private readonly queries: StoredQueries,
    private readonly compiler: QueryCompiler,
    private readonly filters: SavedFilters,
  ) {}

  async execute({ idOrName, consumer, holder, given }: CheckQuery): Promise<CheckedText> {
    const { config } = await callableEndpoint(this.names, idOrName, holder);
    try {
      const { stored } = await this.queries.of(config);
      const named = await this.filters.namedIn(consumer, projectOfCall(given, holder));
      await this.compiler.compile({ stored, consumer: named, onlyProject: holder.project, given });
      return { fault: null };
    } catch (error) {
      return { fault: faultIn(error) };
    }
  }
}

@QueryHandler(CheckStoredQuery)
export class CheckStoredQueryHandler implements IQueryHandler<CheckStoredQuery> {
  constructor(
    private readonly queries: StoredQueries,
    @Inject(LOG_STORE) private readonly store: LogStore,
  ) {}

  async execute({ config }: CheckStoredQuery): Promise<CheckedStoredQuery> {
    try {
      const { stored } = await this.queries.of(config);
      const outline = outlineOf(stored, await this.store.catalogue(null));
      return { fault: null, outline };
    } catch (error) {
      return { fault: faultIn(error), outline: null };
    }
  }
}

/** Rethrows errors that are not the query's. */
const faultIn = (error: unknown): QueryFault => {
  if (!(error instanceof QueryProblem)) throw error;
  return { code: error.code, detail: error.message, position: error.place };
};

export const outlineQueryHandlers = [DescribeEndpointHandler, CheckQueryHandler, CheckStoredQueryHandler];
