/** Queries that authors begin with, by source. */
import type { LogSource } from '../../../../../src/foundation/log-store/sources.js';
import type { LogQuery } from './log-query.js';

export interface Template extends Pick<LogQuery, 'query'> {
  readonly title: string;
  readonly language: 'lql' | 'sql';
}

const lql = (title: string, query: string): Template => ({ title, language: 'lql', query });
const sql = (title: string, query: string): Template => ({ title, language: 'sql', query });

const TEMPLATES = {
  edge_logs: [
    lql('Failed requests', 'm.response.status_code:>=500'),
    lql('Refused requests', 'm.response.status_code:400..499'),
    sql(
      'Paths with most failures',
      `select request.path as path, count(*) as failed
from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.request) as request
cross join unnest(m.response) as response
where response.status_code >= 500
group by path order by failed desc limit 50`,
    ),
  ],
  postgres_logs: [
    lql('Errors', 'f:postgres_logs m.parsed.error_severity:~^(ERROR|FATAL|PANIC)$'),
    sql(
      'Most frequent errors',
      `select parsed.sql_state_code as code, event_message, count(*) as errors
from postgres_logs
cross join unnest(metadata) as m
cross join unnest(m.parsed) as parsed
where parsed.error_severity in ('ERROR', 'FATAL', 'PANIC')
group by code, event_message order by errors desc limit 50`,
    ),
  ],
  function_edge_logs: [
    lql('Failed calls', 'f:function_edge_logs m.response.status_code:>=500'),
    lql('Slow calls', 'f:function_edge_logs m.execution_time_ms:>1000'),
  ],
  function_logs: [lql('Errors', 'f:function_logs m.level:error')],
  auth_logs: [
    lql('Sign-ins', 'f:auth_logs m.auth_event.action:login'),
    lql('Refused requests', 'f:auth_logs m.status:>=400'),
  ],
  realtime_logs: [lql('Errors', 'f:realtime_logs m.level:error')],
  storage_logs: [lql('Failed requests', 'f:storage_logs m.res.statusCode:>=400')],
  postgrest_logs: [],
  pgbouncer_logs: [],
  otel_logs: [lql('Errors', 'f:otel_logs m.severity_number:>=17')],
  otel_traces: [lql('Slow spans', 'f:otel_traces m.duration_ms:>1000')],
} as const satisfies Record<LogSource, readonly Template[]>;

/** Those of the tables, by a name that no other has. */
export const templatesFor = (tables: readonly string[]): ReadonlyMap<string, Template> =>
  new Map(
    Object.entries<readonly Template[]>(TEMPLATES)
      .filter(([source]) => tables.includes(source))
      .flatMap(([source, templates]) => templates.map((one) => [`${source}: ${one.title}`, one] as const)),
  );
