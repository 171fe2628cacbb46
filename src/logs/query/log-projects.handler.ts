/** Lists the projects with entries, from the entries themselves: retention may have removed the last one of a project. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { isLogSource, type JsonRecord, LOG_SOURCES } from '../../foundation/log-store/sources.js';
import { CLOCK, type Moment } from './clock.js';
import { ListLogProjects, type LogProject, type SourceInUse } from './log-projects.queries.js';
import { QueryCompiler } from './query-compiler.js';

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
    @Inject(LOG_STORE) private readonly store: LogStore,
    @Inject(CLOCK) private readonly now: Moment,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'logQueryTimeoutMs'>,
  ) {}

  async execute({ tenant, signal }: ListLogProjects): Promise<readonly LogProject[]> {
    const stored = { text: PROJECTS_QUERY, sandboxed: false };
    const { query } = await this.compiler.compile({ stored, consumer: null, onlyProject: null, given: {} });
    const { rows } = await this.store.run(query, {
      parameters: {},
      now: this.now(),
      maxRows: MAX_ROWS,
      timeoutMs: this.config.logQueryTimeoutMs,
      tenant,
      ...(signal && { signal }),
    });
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
