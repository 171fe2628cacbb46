/** Lists the projects with entries, from the entries themselves: retention may have removed the last one of a project. */
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { isLogSource, type JsonRecord, LOG_SOURCES } from '../../foundation/log-store/sources.js';
import { ListLogProjects, type LogProject, type SourceInUse } from './log-projects.queries.js';
import { QueryCompiler } from './query-compiler.js';
import { QueryRuns } from './query-runs.js';

/** Rows, one for each project and source. */
const MAX_ROWS = 10_000;

const PROJECTS_QUERY = `${Object.entries(LOG_SOURCES)
  .map(
    ([source, match]) => `select cast(${match} as string) as project, '${source}' as source,
  count(*) as entries, max(timestamp) as newest from ${source} group by 1`,
  )
  .join('\nunion all\n')}\norder by newest desc`;

@QueryHandler(ListLogProjects)
export class ListLogProjectsHandler implements IQueryHandler<ListLogProjects> {
  constructor(
    private readonly compiler: QueryCompiler,
    private readonly runs: QueryRuns,
  ) {}

  async execute({ tenant, signal }: ListLogProjects): Promise<readonly LogProject[]> {
    const stored = { text: PROJECTS_QUERY, sandboxed: false };
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
    if (inUse === null || typeof row.project !== 'string' || row.project === '') continue;
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

const sourceInUse = (row: JsonRecord): SourceInUse | null => {
  const source = String(row.source);
  if (!isLogSource(source)) return null;
  return {
    source,
    entries: Number(row.entries),
    newest: String(row.newest),
  };
};
