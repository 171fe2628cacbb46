/** Reads entries of tails from the log store. Filters that differ in their project alone are read by one query. */
import { groupedBy } from '../../domain/grouped-by.js';
import type { PodiumConfig } from '../../foundation/config.js';
import type { CheckedQuery } from '../../foundation/log-store/checked-query.js';
import type { LogRows, LogStore, RunOptions, TailRange } from '../../foundation/log-store/log-store.js';
import { OWNER_COLUMN } from '../../foundation/log-store/query-tree.js';
import type { TailQuery } from '../sql/tail.js';
import { type TailEvent, tailEvents } from './tail-member.js';

export interface TailFilter {
  /** Filters with the same key have the same entries. */
  readonly key: string;
  /** Compiles with the fields that entries have now. Throws QueryProblem. */
  readonly compile: () => Promise<TailQuery>;
  readonly tenant: string;
  readonly redact: boolean;
}

interface TailPage {
  readonly events: readonly TailEvent[];
  /** All entries up to this position are among them. */
  readonly upTo: number;
}

type TailRead = Required<Pick<RunOptions, 'range' | 'tenant' | 'maxRows'>> & Pick<RunOptions, 'signal'>;

const PAGE_ENTRIES = 1_000;
/** Of all filters that are read together. When more match, they are read one by one. */
const SHARED_ENTRIES = 5_000;
/** Whose turn a query for several tenants takes. */
const SHARED_TENANT = 'tails';

export class TailReads {
  constructor(
    private readonly store: Pick<LogStore, 'run'>,
    private readonly config: Pick<PodiumConfig, 'logQueryTimeoutMs'>,
  ) {}

  async page({ compile, redact, tenant }: TailFilter, range: TailRange): Promise<TailPage> {
    const { rows: query } = await compile();
    const { rows, truncated } = await this.run(query, { range, tenant, maxRows: PAGE_ENTRIES });
    const events = tailEvents(rows, redact);
    return { events, upTo: truncated ? (events.at(-1)?.position ?? range.upTo) : range.upTo };
  }

  async count({ compile, tenant }: TailFilter, range: TailRange): Promise<number> {
    const { count } = await compile();
    const { rows } = await this.run(count, { range, tenant, maxRows: 1 });
    return Number(rows[0]?.entries ?? 0);
  }

  /** Returns the rows of each project; null: there are too many for one read. */
  async rowsOf(
    { rowsOf }: TailQuery,
    projects: readonly string[],
    range: TailRange,
  ): Promise<ReadonlyMap<string, LogRows['rows']> | null> {
    const options = { range, tenant: SHARED_TENANT, maxRows: SHARED_ENTRIES };
    const { rows, truncated } = await this.run(rowsOf(projects), options);
    return truncated ? null : groupedBy(rows, ({ [OWNER_COLUMN]: project }) => String(project));
  }

  run(query: CheckedQuery, options: TailRead): Promise<LogRows> {
    const { logQueryTimeoutMs: timeoutMs } = this.config;
    return this.store.run(query, { parameters: {}, now: 0, timeoutMs, ...options });
  }
}
