/**
 * Decides what a caller's tail shows, as for a query of `logs.all`: the caller needs the scope of that endpoint, a tied token has
 * the entries of its project, and addresses are redacted when the endpoint or the call says so.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { CheckedQuery } from '../../foundation/log-store/checked-query.js';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { EndpointNames } from '../endpoints/endpoint-names.js';
import { LOGS_ALL_ID } from '../endpoints/well-known.js';
import type { SavedTexts } from '../lql/saved-filters.js';
import { tableOfTailFilter } from '../lql/tail-filter.js';
import { type ConsumerText, QueryCompiler } from '../query/query-compiler.js';
import { SavedFilters } from '../saved-filters/saved-filters.js';
import type { ResultColumn } from '../sql/compile.js';
import { ALL_TIMES, type TimeBounds, tailedTable, tailOf } from '../sql/tail.js';
import { projectFor, tenantOf } from '../tokens/tenant.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import { requireScope } from '../tokens/token-check.js';
import { endpointScope } from '../tokens/token-scope.js';
import type { TailFilter } from './tail-reads.js';
import type { AskedTail } from './tail-request.js';

/** The entries of an export. Its query stays the same from the first page to the last, so its columns do, too. */
export interface EntryRange extends Pick<TailFilter, 'tenant' | 'redact'> {
  readonly source: LogSource;
  /** Needs a range of positions. */
  readonly query: CheckedQuery;
  /** One row with the number of its rows: `entries`. */
  readonly count: CheckedQuery;
  readonly columns: readonly ResultColumn[];
}

type LqlText = Extract<ConsumerText, { readonly language: 'lql' }>;

const DEFAULT_SOURCE = 'edge_logs';

@Injectable()
export class TailRights {
  constructor(
    private readonly endpoints: EndpointNames,
    private readonly compiler: QueryCompiler,
    private readonly filters: SavedFilters,
    @Inject(LOG_STORE) private readonly store: Pick<LogStore, 'sources'>,
  ) {}

  /** The sources that there are. */
  sources(): Promise<readonly LogSource[]> {
    return this.store.sources();
  }

  /** Throws QueryProblem, RejectedError `token-scope`, `token-project`, `endpoint-not-found`. */
  async filterFor(holder: TokenHolder, asked: AskedTail): Promise<TailFilter> {
    const { source, onlyProject, saved, compile, ...rights } = await this.#rightsTo(holder, asked, ALL_TIMES);
    return {
      key: JSON.stringify([rights.tenant, source, onlyProject, asked.lql, rights.redact, saved]),
      compile: async () => tailOf((await compile()).query),
      ...rights,
    };
  }

  /** Returns what an export of the entries in the bounds reads. Throws as `filterFor`. */
  async rangeFor(holder: TokenHolder, asked: AskedTail, times: TimeBounds): Promise<EntryRange> {
    const { compile, onlyProject: _, saved: __, ...rights } = await this.#rightsTo(holder, asked, times);
    const { query, columns } = await compile();
    const { rows, count } = tailOf(query);
    return { query: rows, count, columns, ...rights };
  }

  async #rightsTo(holder: TokenHolder, asked: AskedTail, times: TimeBounds) {
    const redact = await this.redactionFor(holder, asked);
    const onlyProject = projectFor(holder, asked.project);
    const written = { language: 'lql', text: asked.lql } as const satisfies ConsumerText;
    const consumer = asked.lql === '' ? null : await this.filters.namedIn<LqlText>(written, onlyProject);
    const saved = consumer?.saved;
    const source = await sourceOf(asked, saved, await this.sources());
    const stored = tailedTable(source, times);
    const compile = () => this.compiler.compile({ stored, consumer, onlyProject, given: {} });
    return { source, onlyProject, saved, compile, tenant: tenantOf(holder), redact };
  }

  /** Whether addresses are redacted. Throws RejectedError `token-scope`, `endpoint-not-found`. */
  async redactionFor(holder: TokenHolder, { redact }: Pick<AskedTail, 'redact'>): Promise<boolean> {
    requireScope(holder, endpointScope(LOGS_ALL_ID));
    const { config } = await this.endpoints.find(LOGS_ALL_ID);
    return config.redactPii || redact;
  }
}

const sourceOf = async (
  { source, lql }: AskedTail,
  saved: SavedTexts | undefined,
  sources: readonly LogSource[],
): Promise<LogSource> => {
  const named = lql === '' ? null : await tableOfTailFilter(lql, saved);
  if (source !== null) return source;
  return named !== null && sources.includes(named) ? named : DEFAULT_SOURCE;
};
