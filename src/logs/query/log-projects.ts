/** Lists the projects with entries, from the entries themselves: retention may have removed the last one of a project. */
import { Inject, Injectable } from '@nestjs/common';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { type JsonRecord, type LogSource, projectMatchOf } from '../../foundation/log-store/sources.js';
import { QueryCompiler } from './query-compiler.js';
import { QueryRuns } from './query-runs.js';

export interface EntriesCount {
  readonly entries: number;
  /** ISO 8601 in UTC with microseconds. */
  readonly newest: string;
}

export interface SourceInUse extends EntriesCount {
  readonly source: LogSource;
}

export interface LogProject extends EntriesCount {
  readonly project: string;
  /** Those with entries of the project. */
  readonly sources: readonly SourceInUse[];
}

/** Rows, one for each project and source. */
const MAX_ROWS = 10_000;

const projectsQuery = (sources: readonly LogSource[]): string => {
  const selects = sources.map(
    (source) => `select cast(${projectMatchOf(source)} as string) as project, '${source}' as source,
  count(*) as entries, max(timestamp) as newest from ${source} group by 1`,
  );
  return `${selects.join('\nunion all\n')}\norder by newest desc`;
};

@Injectable()
export class LogProjects {
  constructor(
    private readonly compiler: QueryCompiler,
    private readonly runs: QueryRuns,
    @Inject(LOG_STORE) private readonly store: Pick<LogStore, 'sources'>,
  ) {}

  /** The one with the newest entry first. `tenant`: whose turn at the log store it takes. Throws what LogStore.run throws. */
  async list(tenant: string, signal: AbortSignal): Promise<readonly LogProject[]> {
    const stored = { text: projectsQuery(await this.store.sources()), sandboxed: false };
    const compiled = await this.compiler.compile({ stored, consumer: null, onlyProject: null, given: {} });
    const run = { compiled, parameters: {}, maxRows: MAX_ROWS, tenant, signal };
    const { rows } = await this.runs.rows(run);
    return projectsIn(rows);
  }
}

/** `rows`: the newest first. So the first of a project has its newest entry. */
const projectsIn = (rows: readonly JsonRecord[]): readonly LogProject[] => {
  const found = new Map<string, LogProject>();
  for (const row of rows) {
    const inUse = sourceInUse(row);
    // An entry without a project has nowhere a query could find it by one.
    if (typeof row.project !== 'string' || row.project === '') continue;
    const { project } = row;
    const { entries, newest } = inUse;
    const before = found.get(project) ?? { project, entries: 0, newest, sources: [] };
    found.set(project, {
      ...before,
      entries: before.entries + entries,
      sources: [...before.sources, inUse],
    });
  }
  return [...found.values()];
};

const sourceInUse = ({ source, entries, newest }: JsonRecord): SourceInUse => ({
  source: String(source),
  entries: Number(entries),
  newest: String(newest),
});
