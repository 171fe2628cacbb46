/** The query of an alert: checked before the alert is stored, and run over a window with its owner's rights and redaction. */
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { invalid, RejectedError } from '../../domain/rejections.js';
import { EndpointNames } from '../endpoints/endpoint-names.js';
import { StoredQueries } from '../endpoints/stored-queries.js';
import { Owners } from '../owners.js';
import { boundParameters, consumerOf, projectOfCall } from '../query/call-parameters.js';
import { CallEndpoint } from '../query/endpoint-call.js';
import { QueryCompiler } from '../query/query-compiler.js';
import { SavedFilters } from '../saved-filters/saved-filters.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import { requireScope } from '../tokens/token-check.js';
import { endpointScope } from '../tokens/token-scope.js';
import type { Alert, AlertConfig } from './alert.js';
import type { Outcome } from './condition.js';
import { WINDOW_PARAMETERS, type Window, windowOf, windowParameters } from './schedule.js';

@Injectable()
export class AlertQuery {
  constructor(
    private readonly queries: QueryBus,
    private readonly endpoints: EndpointNames,
    private readonly stored: StoredQueries,
    private readonly compiler: QueryCompiler,
    private readonly owners: Owners,
    private readonly filters: SavedFilters,
  ) {}

  /** Throws RejectedError `account-not-allowed`, `token-revoked`, and what CallEndpoint throws. */
  async run(alert: Alert, window: Window, signal?: AbortSignal): Promise<Outcome> {
    const { owner, endpointId, parameters, redactPii } = alert;
    const holder = await this.owners.holder(owner);
    const call = {
      holder,
      endpoint: endpointId,
      given: { ...parameters, ...windowParameters(window) },
      redact: redactPii,
      ...(signal && { signal }),
    };
    const { reply, truncated } = await this.queries.execute(new CallEndpoint(call));
    // Codec: QueryRuns has written it.
    const { result }: { readonly result: Outcome['rows'] } = JSON.parse(reply.body.toString());
    return { rows: result, truncated };
  }

  /**
   * Throws RejectedError `endpoint-not-found`, `token-scope`, `invalid-request`, `parameter-value`, and QueryProblem, when the query
   * cannot run, or looks at entries outside the window.
   */
  async check(config: AlertConfig, { scopes, project, tokenId }: TokenHolder): Promise<void> {
    const endpoint = await this.endpoints.find(config.endpointId, { fresh: true });
    requireScope({ scopes, project, tokenId }, endpointScope(endpoint.endpointId));
    const { stored } = await this.stored.of(endpoint.config);
    const given = { ...config.parameters, ...windowParameters(windowOf(Date.now(), config.windowMinutes)) };
    const consumer = await this.filters.namedIn(consumerOf(given), projectOfCall(given, { project }));
    const compiled = await this.compiler.compile({ stored, consumer, onlyProject: project, given });
    const missing = WINDOW_PARAMETERS.filter((name) => !compiled.parameters.includes(name));
    if (missing.length > 0) throw new RejectedError(invalid([unbounded(missing)]));
    boundParameters(compiled, given);
  }
}

const unbounded = (missing: readonly string[]) => ({
  field: 'endpoint',
  rule: 'window',
  message: `its query must bound its entries with ${missing.map((name) => `@${name}`).join(' and ')}`,
});
