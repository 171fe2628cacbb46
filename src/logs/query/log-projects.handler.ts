/** Lists the projects with entries, from the entries themselves: retention may have removed the last one of a project. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { type JsonRecord, type LogSource, projectMatchOf } from '../../foundation/log-store/sources.js';
import { ListLogProjects, type LogProject, type SourceInUse } from './log-projects.queries.js';
import { QueryCompiler } from './query-compiler.js';
import { QueryRuns } from './query-runs.js';

/** Rows, one for each project and source. */
const MAX_ROWS = 10_000;

const projectsQuery = (sources: readonly LogSource[]): string => {
  const selects = sources.map(
    (source) => `select cast(${projectMatchOf(source)} as string) as project, '${source}' as source,
  count(*) as entries, max(timestamp) as newest from ${source} group by 1`,
  );
  return `${selects.join('\nunion all\n')}\norder by newest desc`;
};

@QueryHandler(ListLogProjects)
export class ListLogProjectsHandler implements IQueryHandler<ListLogProjects> {
  constructor(
    private readonly compiler: QueryCompiler,
    private readonly runs: QueryRuns,
    @Inject(LOG_STORE) private readonly store: Pick<LogStore, 'sources'>,
  ) {}

  async execute({ tenant, signal }: ListLogProjects): Promise<readonly LogProject[]> {
    const stored = { text: projectsQuery(await this.store.sources()), sandboxed: false };
    const compiled = await this.compiler.compile({ stored, consumer: null, onlyProject: null, given: {} });
    const run = { compiled, parameters: {}, maxRows: MAX_ROWS, tenant, ...(signal && { signal }) };
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
