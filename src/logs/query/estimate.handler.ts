/**
 * Estimates what a query reads: counts its entries, and measures the bytes of some. The engine counts them as a query of the same
 * caller, so a tied token learns of its own project alone.
 */
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { JsonRecord } from '../../foundation/log-store/sources.js';
import { EndpointNames } from '../endpoints/endpoint-names.js';
import { StoredQueries } from '../endpoints/stored-queries.js';
import type { CompiledQuery } from '../sql/compile.js';
import { planOf } from '../sql/plan.js';
import { estimateQuery, type SourceScan, scansOf } from '../sql/scans.js';
import { tenantOf } from '../tokens/tenant.js';
import { requireScope } from '../tokens/token-check.js';
import { endpointScope } from '../tokens/token-scope.js';
import { boundParameters, consumerOf } from './call-parameters.js';
import { type EstimatedScan, EstimateQuery, type QueryEstimate } from './estimate.queries.js';
import { QueryCompiler } from './query-compiler.js';
import { QueryRuns } from './query-runs.js';
import { RunningQueries } from './running-queries.js';
import { TokenConcurrency } from './token-concurrency.js';

@QueryHandler(EstimateQuery)
export class EstimateQueryHandler implements IQueryHandler<EstimateQuery> {
  constructor(
    private readonly endpoints: EndpointNames,
    private readonly stored: StoredQueries,
    private readonly compiler: QueryCompiler,
    private readonly runs: QueryRuns,
    private readonly concurrency: TokenConcurrency,
    private readonly running: RunningQueries,
  ) {}

  async execute({ idOrName, holder, given, signal }: EstimateQuery): Promise<QueryEstimate> {
    const { endpointId, config } = await this.endpoints.find(idOrName);
    requireScope(holder, endpointScope(endpointId));
    const { stored } = await this.stored.of(config);
    const consumer = consumerOf(given);
    const compiled = await this.compiler.compile({ stored, consumer, onlyProject: holder.project, given });
    const parameters = boundParameters(compiled, given);
    const scans = scansOf(compiled.query);
    const query = estimateQuery(scans);
    const tenant = tenantOf(holder);
    const asked = { tenant, endpoint: config.name, consumer, ...(signal && { signal }) };
    const count = (counted: CompiledQuery): Promise<readonly JsonRecord[]> =>
      this.concurrency.run(tenant, () =>
        this.running.run(asked, async (until) => {
          const run = { compiled: counted, parameters, maxRows: scans.length, tenant, signal: until };
          return (await this.runs.rows(run)).rows;
        }),
      );
    const rows = query === null ? [] : await count({ ...compiled, query });
    return estimateIn(scans, rows, compiled);
  }
}

const estimateIn = (
  scans: readonly SourceScan[],
  rows: readonly JsonRecord[],
  { query }: CompiledQuery,
): QueryEstimate => {
  const estimated = scans.map(({ source, narrowedBy }, index): EstimatedScan => {
    const row = rows.find(({ scan }) => scan === index);
    const entries = Number(row?.entries ?? 0);
    return { source, narrowedBy, entries, bytes: Math.round(entries * Number(row?.bytes ?? 0)) };
  });
  const total = (of: (scan: EstimatedScan) => number): number =>
    estimated.reduce((sum, scan) => sum + of(scan), 0);
  return {
    estimated: { entries: total(({ entries }) => entries), bytes: total(({ bytes }) => bytes) },
    scans: estimated,
    plan: planOf(query),
  };
};
