/**
 * Runs compiled queries and writes their replies: `{"result": [...]}` with at most the endpoint's max rows, and addresses
 * redacted when the call or the endpoint says so.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { LOG_STORE, type LogRows, type LogStore } from '../../foundation/log-store/log-store.js';
import type { CachedReply } from '../cache/result-cache.js';
import { redactRows } from '../redaction/redact.js';
import type { CompiledQuery } from '../sql/compile.js';
import { CLOCK, type Moment } from './clock.js';

export interface QueryRun {
  readonly compiled: CompiledQuery;
  /** Values of the parameters that the query declares. */
  readonly parameters: Readonly<Record<string, string | null>>;
  readonly maxRows: number;
  readonly redact: boolean;
  /** Whose turn it takes. */
  readonly tenant: string;
  readonly signal?: AbortSignal;
  /** The value of `current_timestamp()`: microseconds since 1970, UTC. Default: now. */
  readonly at?: number;
}

@Injectable()
export class QueryRuns {
  constructor(
    @Inject(LOG_STORE) private readonly store: LogStore,
    @Inject(CLOCK) private readonly now: Moment,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'logQueryTimeoutMs'>,
  ) {}

  /** The value of `current_timestamp()` for what runs now: microseconds since 1970, UTC. */
  moment(): number {
    return this.now();
  }

  /** Throws as `rows`. */
  async reply({ redact, ...run }: QueryRun): Promise<CachedReply> {
    const { rows, truncated } = await this.rows(run);
    return { body: JSON.stringify({ result: redact ? redactRows(rows) : rows }), truncated };
  }

  /** Throws LogQueryFailedError, LogStoreBusyError, LogStoreUnavailableError. */
  rows({
    compiled,
    parameters,
    maxRows,
    tenant,
    signal,
    at = this.moment(),
  }: Omit<QueryRun, 'redact'>): Promise<LogRows> {
    return this.store.run(compiled.query, {
      parameters,
      now: at,
      maxRows,
      timeoutMs: this.config.logQueryTimeoutMs,
      tenant,
      ...(signal && { signal }),
    });
  }
}
