/**
 * One call of a saved endpoint: checks the token's scope, compiles the query, binds its parameters, and answers from the
 * cache or the log store. The key of a cached result holds everything it depends on. Results in use are refreshed here.
 */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { isSameData } from '../../domain/equality.js';
import { ReadyReply } from '../../http/replies/ready-reply.js';
import {
  type CachedReply,
  type CachedRequest,
  LOG_RESULT_CACHE,
  type LogResultCache,
} from '../cache/result-cache.js';
import { resultKey } from '../cache/result-key.js';
import { EndpointNames } from '../endpoints/endpoint-names.js';
import { StoredQueries } from '../endpoints/stored-queries.js';
import { SavedFilters } from '../saved-filters/saved-filters.js';
import type { CompiledQuery, StoredQuery } from '../sql/compile.js';
import { tenantOf } from '../tokens/tenant.js';
import { requireScope } from '../tokens/token-check.js';
import { endpointScope } from '../tokens/token-scope.js';
import { askedFormat } from './asked-format.js';
import { boundParameters, consumerOf, consumerOfPart, projectOfCall } from './call-parameters.js';
import type { EndpointCall, EndpointReply } from './endpoint-call.js';
import type { Amount } from './estimate-views.js';
import { QueryCompiler } from './query-compiler.js';
import { QueryRuns } from './query-runs.js';
import { RunningQueries } from './running-queries.js';
import { ScanAmounts } from './scan-amounts.js';

@Injectable()
export class EndpointCalls implements OnModuleInit {
  constructor(
    private readonly endpoints: EndpointNames,
    private readonly stored: StoredQueries,
    private readonly runs: QueryRuns,
    private readonly running: RunningQueries,
    private readonly compiler: QueryCompiler,
    private readonly amounts: ScanAmounts,
    private readonly filters: SavedFilters,
    @Inject(LOG_RESULT_CACHE) private readonly cache: LogResultCache,
  ) {}

  onModuleInit(): void {
    this.cache.refreshWith((request) => this.#refresh(request));
  }

  /**
   * Throws RejectedError `endpoint-not-found`, `token-scope`, `invalid-request`, `parameter-value`, QueryProblem, FailureError
   * `too-many-queries`, and what LogStore.run throws.
   */
  async answer(call: EndpointCall): Promise<EndpointReply> {
    const { holder, given, part, signal } = call;
    const endpoint = await this.endpoints.find(call.endpoint);
    requireScope(holder, endpointScope(endpoint.endpointId));
    const { config } = endpoint;
    const { stored, redactPii, reads } = await this.stored.of(config);
    const asked = {
      tenant: tenantOf(holder),
      parameters: given,
      consumer: await this.filters.namedIn(
        part ? consumerOfPart(given, part) : consumerOf(given),
        projectOfCall(given, holder),
      ),
      onlyProject: holder.project,
      redact: redactPii || call.redact,
    };
    const compiled = await this.#compiled(stored, asked);
    const format = askedFormat(given, compiled.parameters, call.accepted ?? 'json');
    const answered = { endpoint: config.name, format, columns: compiled.columns };
    const parameters = boundParameters(compiled, given);
    const { tenant, consumer } = asked;
    const maxRows = part && 'rows' in part ? Math.min(part.rows, config.maxRows) : config.maxRows;
    let read: Amount | null = NOTHING;
    const make = (until?: AbortSignal): Promise<CachedReply> => {
      const started = { tenant, endpoint: config.name, consumer, ...(until && { signal: until }) };
      return this.running.run(started, async (signal) => {
        const at = this.runs.moment();
        const run = { compiled, parameters, maxRows, redact: asked.redact, tenant, signal, at };
        const made = await this.runs.reply(run);
        if (call.cost) read = await this.amounts.ofFinished(run);
        return made;
      });
    };
    const cost = (): Pick<EndpointReply, 'read'> => (call.cost && read ? { read } : {});
    if (config.cachingSeconds === null || part) {
      const made = await make(signal);
      return { ...answered, ...uncached(made), ...cost() };
    }
    const { endpointId, version: endpointVersion } = endpoint;
    const request = { ...asked, endpointId, endpointVersion, reads, parameters };
    const rule = { lifetimeSeconds: config.cachingSeconds, warmSeconds: config.cacheWarmingSeconds };
    const served = await this.cache.serve(request, rule, { make, ...(signal && { signal }) });
    // Without a read of the store nothing tells that another endpoint, or a saved filter, has changed.
    const dependsOnOthers =
      reads.length > 0 || (consumer?.language === 'lql' && consumer.saved !== undefined);
    const kept = dependsOnOthers ? null : { endpointId, version: endpointVersion, key: resultKey(request) };
    return { ...answered, ...served, kept, ...cost() };
  }

  /** Runs the query of a cached result again. Returns null when the endpoint is gone, or it or one it reads has another version. */
  async #refresh(request: CachedRequest): Promise<CachedReply | null> {
    const endpoint = await this.endpoints.current(request.endpointId);
    if (endpoint?.version !== request.endpointVersion) return null;
    const { stored, reads } = await this.stored.of(endpoint.config);
    if (!isSameData(reads, request.reads)) return null;
    const compiled = await this.#compiled(stored, request);
    const { tenant, parameters, redact } = request;
    return this.runs.reply({ compiled, parameters, maxRows: endpoint.config.maxRows, redact, tenant });
  }

  #compiled(stored: StoredQuery, { consumer, onlyProject, parameters }: Asked): Promise<CompiledQuery> {
    return this.compiler.compile({ stored, consumer, onlyProject, given: parameters });
  }
}

/** What a call reads whose result another call has made. */
const NOTHING: Amount = { entries: 0, bytes: 0 };

/** `parameters`: as sent, or as bound. */
interface Asked extends Pick<CachedRequest, 'consumer' | 'onlyProject'> {
  readonly parameters: Readonly<Record<string, unknown>>;
}

const uncached = ({
  body,
  truncated,
}: CachedReply): Omit<EndpointReply, 'endpoint' | 'format' | 'columns' | 'read'> => ({
  reply: new ReadyReply(Buffer.from(body)),
  truncated,
  ageSeconds: null,
  kept: null,
});
