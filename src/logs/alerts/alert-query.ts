/** The query of an alert: checked before the alert is stored, and run over a window with its owner's rights and redaction. */
import { Injectable } from '@nestjs/common';
import { invalid, RejectedError } from '../../domain/rejections.js';
import { Owners } from '../owners.js';
import { EndpointCalls } from '../query/endpoint-calls.js';
import { QueryChecks } from '../query/query-checks.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import type { Alert, AlertConfig } from './alert.js';
import type { Outcome } from './condition.js';
import { WINDOW_PARAMETERS, type Window, windowOf, windowParameters } from './schedule.js';

@Injectable()
export class AlertQuery {
  constructor(
    private readonly calls: EndpointCalls,
    private readonly checks: QueryChecks,
    private readonly owners: Owners,
  ) {}

  /** Throws RejectedError `account-not-allowed`, `token-revoked`, and what EndpointCalls.answer throws. */
  async run(alert: Alert, window: Window, signal: AbortSignal): Promise<Outcome> {
    const { owner, endpointId, parameters, redactPii } = alert;
    const holder = await this.owners.holder(owner);
    const call = {
      holder,
      endpoint: endpointId,
      given: { ...parameters, ...windowParameters(window) },
      redact: redactPii,
      signal,
    };
    const { reply, truncated } = await this.calls.answer(call);
    // Codec: QueryRuns has written it.
    const { result }: { readonly result: Outcome['rows'] } = JSON.parse(reply.body.toString());
    return { rows: result, truncated };
  }

  /**
   * Throws RejectedError `endpoint-not-found`, `token-scope`, `invalid-request`, `parameter-value`, and QueryProblem, when the query
   * cannot run, or looks at entries outside the window.
   */
  async check(config: AlertConfig, holder: TokenHolder): Promise<void> {
    const given = { ...config.parameters, ...windowParameters(windowOf(Date.now(), config.windowMinutes)) };
    const { compiled } = await this.checks.queryOf(config.endpointId, holder, given, { fresh: true });
    const missing = WINDOW_PARAMETERS.filter((name) => !compiled.parameters.includes(name));
    if (missing.length > 0) throw new RejectedError(invalid([unbounded(missing)]));
  }
}

const unbounded = (missing: readonly string[]) => ({
  field: 'endpoint',
  rule: 'window',
  message: `its query must bound its entries with ${missing.map((name) => `@${name}`).join(' and ')}`,
});
