/**
 * The log queries that run now on this node, which owns the log store. They are listed, and cancelled by id. Those of one tenant are
 * limited: the log store runs few at a time, and one tenant must not fill its whole queue. Calls answered from the cache are none.
 */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RejectedError } from '../../domain/rejections.js';
import { tooMany } from '../../http/problems/failure.js';
import type { ConsumerText } from './query-compiler.js';

export interface RunningQuery {
  /** UUID. */
  readonly id: string;
  /** Name of the endpoint; of an export, its source. */
  readonly endpoint: string;
  /** The caller's own query; null: the stored query runs. */
  readonly language: ConsumerText['language'] | null;
  readonly query: string | null;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
}

/** Queries of a tenant at a time. */
export const MAX_CONCURRENT = 16;
const TOO_MANY = `the access token, or its project, has ${MAX_CONCURRENT} queries under way, which is as many as it may`;

interface StartedQuery {
  /** Whose query it is: src/logs/tokens/tenant.ts. */
  readonly tenant: string;
  readonly endpoint: string;
  readonly consumer: ConsumerText | null;
  readonly signal?: AbortSignal;
}

interface Running {
  readonly tenant: string;
  readonly view: RunningQuery;
  readonly cancellation: AbortController;
}

@Injectable()
export class RunningQueries {
  readonly #running = new Map<string, Running>();

  /**
   * `work` gets a signal that aborts when the client has gone, and when the query is cancelled. Throws FailureError
   * `too-many-queries`, without starting the work.
   */
  async run<T>(
    { tenant, endpoint, consumer, signal }: StartedQuery,
    work: (until: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.list(tenant).length >= MAX_CONCURRENT) throw tooMany('too-many-queries', 1, TOO_MANY);
    const id = randomUUID();
    const cancellation = new AbortController();
    const { language = null, text: query = null } = consumer ?? {};
    const view = { id, endpoint, language, query, startedAt: new Date().toISOString() };
    this.#running.set(id, { tenant, view, cancellation });
    try {
      return await work(signal ? AbortSignal.any([signal, cancellation.signal]) : cancellation.signal);
    } finally {
      this.#running.delete(id);
    }
  }

  /** Oldest first. `tenant` null: of all tenants. */
  list(tenant: string | null): readonly RunningQuery[] {
    return [...this.#running.values()]
      .filter((running) => tenant === null || running.tenant === tenant)
      .map(({ view }) => view);
  }

  /** Its caller gets `query-cancelled`. Throws RejectedError `query-not-found`, also for a query of another tenant. */
  cancel(id: string, tenant: string | null): void {
    const running = this.#running.get(id);
    if (!running || (tenant !== null && running.tenant !== tenant))
      throw new RejectedError({ code: 'query-not-found', detail: `no query ${id} runs now` });
    running.cancellation.abort();
  }
}
