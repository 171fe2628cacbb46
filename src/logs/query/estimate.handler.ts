/** Estimates what a query reads, without running it. */
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { EndpointNames } from '../endpoints/endpoint-names.js';
import { StoredQueries } from '../endpoints/stored-queries.js';
import { SavedFilters } from '../saved-filters/saved-filters.js';
import { planOf } from '../sql/plan.js';
import { tenantOf } from '../tokens/tenant.js';
import { requireScope } from '../tokens/token-check.js';
import { endpointScope } from '../tokens/token-scope.js';
import { boundParameters, consumerOf, projectOfCall } from './call-parameters.js';
import { EstimateQuery, type QueryEstimate } from './estimate.queries.js';
import { QueryCompiler } from './query-compiler.js';
import { RunningQueries } from './running-queries.js';
import { ScanAmounts, totalOf } from './scan-amounts.js';

@QueryHandler(EstimateQuery)
export class EstimateQueryHandler implements IQueryHandler<EstimateQuery> {
  constructor(
    private readonly endpoints: EndpointNames,
    private readonly stored: StoredQueries,
    private readonly compiler: QueryCompiler,
    private readonly amounts: ScanAmounts,
    private readonly filters: SavedFilters,
    private readonly running: RunningQueries,
  ) {}

  async execute({ idOrName, holder, given, signal }: EstimateQuery): Promise<QueryEstimate> {
    const { endpointId, config } = await this.endpoints.find(idOrName);
    requireScope(holder, endpointScope(endpointId));
    const { stored } = await this.stored.of(config);
    const consumer = await this.filters.namedIn(consumerOf(given), projectOfCall(given, holder));
    const compiled = await this.compiler.compile({ stored, consumer, onlyProject: holder.project, given });
    const parameters = boundParameters(compiled, given);
    const tenant = tenantOf(holder);
    const started = { tenant, endpoint: config.name, consumer, ...(signal && { signal }) };
    const scans = await this.running.run(started, (until) =>
      this.amounts.of({ compiled, parameters, tenant, signal: until }),
    );
    return { estimated: totalOf(scans), scans, plan: planOf(compiled.query) };
  }
}
