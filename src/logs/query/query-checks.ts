/** Describes endpoints, checks queries, and estimates what they read. Does not run queries. */
import { Inject, Injectable } from '@nestjs/common';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { EndpointNames, type LiveEndpoint } from '../endpoints/endpoint-names.js';
import { type QueryConfig, StoredQueries } from '../endpoints/stored-queries.js';
import { SavedFilters } from '../saved-filters/saved-filters.js';
import { outlineOf } from '../sql/outline.js';
import { planOf } from '../sql/plan.js';
import { QueryProblem } from '../sql/query-problem.js';
import { tenantOf } from '../tokens/tenant.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import { requireScope } from '../tokens/token-check.js';
import { endpointScope } from '../tokens/token-scope.js';
import { boundParameters, consumerOf, type Given, projectOfCall } from './call-parameters.js';
import type { QueryEstimate } from './estimate-views.js';
import type { CheckedStoredQuery, CheckedText, EndpointOutline, QueryFault } from './outline-views.js';
import { type ConsumerText, QueryCompiler } from './query-compiler.js';
import { RunningQueries } from './running-queries.js';
import { ScanAmounts, totalOf } from './scan-amounts.js';

/** What a caller asks of an endpoint. */
interface AskedQuery {
  readonly consumer: ConsumerText | null;
  readonly given: Given;
}

@Injectable()
export class QueryChecks {
  constructor(
    private readonly names: EndpointNames,
    private readonly queries: StoredQueries,
    private readonly compiler: QueryCompiler,
    private readonly filters: SavedFilters,
    private readonly amounts: ScanAmounts,
    private readonly running: RunningQueries,
    @Inject(LOG_STORE) private readonly store: Pick<LogStore, 'catalogue'>,
  ) {}

  /** Throws RejectedError `endpoint-not-found`, `token-scope`. */
  async describe(idOrName: string, holder: TokenHolder): Promise<EndpointOutline> {
    const { endpointId, config } = await this.#callable(idOrName, holder);
    const { name, description, maxRows, cachingSeconds, sandboxing } = config;
    const { stored, redactPii } = await this.queries.of(config);
    const outline = outlineOf(stored, await this.store.catalogue(holder.project));
    return { id: endpointId, name, description, maxRows, cachingSeconds, sandboxing, redactPii, ...outline };
  }

  /**
   * Whether a client's query could run on the endpoint. `given`: the parameters of the call that it is for. Throws what `describe`
   * throws.
   */
  async check(idOrName: string, holder: TokenHolder, asked: AskedQuery): Promise<CheckedText> {
    const { config } = await this.#callable(idOrName, holder);
    try {
      await this.#compiled(config, holder, asked);
      return { fault: null };
    } catch (error) {
      return { fault: faultIn(error) };
    }
  }

  /** Whether a query could be stored, and what it would offer. */
  async checkStored(config: QueryConfig): Promise<CheckedStoredQuery> {
    try {
      const { stored } = await this.queries.of(config);
      return { fault: null, outline: outlineOf(stored, await this.store.catalogue(null)) };
    } catch (error) {
      return { fault: faultIn(error), outline: null };
    }
  }

  /** Throws what EndpointCalls.answer throws. */
  async estimate(
    idOrName: string,
    holder: TokenHolder,
    { given, signal }: { readonly given: Given; readonly signal?: AbortSignal },
  ): Promise<QueryEstimate> {
    const { config, consumer, compiled, parameters } = await this.queryOf(idOrName, holder, given);
    const tenant = tenantOf(holder);
    const started = { tenant, endpoint: config.name, consumer, ...(signal && { signal }) };
    const scans = await this.running.run(started, (until) =>
      this.amounts.of({ compiled, parameters, tenant, signal: until }),
    );
    return { estimated: totalOf(scans), scans, plan: planOf(compiled.query) };
  }

  /**
   * The query of a call, and the values of its parameters. `given`: with `sql` or `lql`; without them, the stored query is meant. With
   * `fresh`, reads the endpoint's stream. Throws what EndpointCalls.answer throws before it runs the query.
   */
  async queryOf(idOrName: string, holder: TokenHolder, given: Given, { fresh = false } = {}) {
    const { config } = await this.#callable(idOrName, holder, fresh);
    const asked = await this.#compiled(config, holder, { consumer: consumerOf(given), given });
    return { config, ...asked, parameters: boundParameters(asked.compiled, given) };
  }

  async #compiled(config: QueryConfig, holder: TokenHolder, asked: AskedQuery) {
    const { given } = asked;
    const { stored } = await this.queries.of(config);
    const consumer = await this.filters.namedIn(asked.consumer, projectOfCall(given, holder));
    const compiled = await this.compiler.compile({ stored, consumer, onlyProject: holder.project, given });
    return { consumer, compiled };
  }

  async #callable(idOrName: string, holder: TokenHolder, fresh = false): Promise<LiveEndpoint> {
    const endpoint = await this.names.find(idOrName, { fresh });
    requireScope(holder, endpointScope(endpoint.endpointId));
    return endpoint;
  }
}

/** Rethrows errors that are not the query's. */
const faultIn = (error: unknown): QueryFault => {
  if (!(error instanceof QueryProblem)) throw error;
  return { code: error.code, detail: error.message, position: error.place };
};
