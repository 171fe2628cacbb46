/** The explorer's templates on the engine: each finds what its title says among entries of the source's shape. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LOG_SOURCES } from '../../../src/foundation/log-store/sources.js';
import type { StoredQuery } from '../../../src/logs/sql/compile.js';
import { templatesFor } from '../../../web/src/dashboard/areas/logs/templates.js';
import { LOGS_ALL, type LogQueries, openLogQueries } from '../../support/log-queries.js';
import { askLql } from '../../support/lql-queries.js';

/** Reads what `logs.all` does not. */
const OTEL: StoredQuery = {
  text: `with otel_logs as (select * from otel_logs where project = 'one'),
  otel_traces as (select * from otel_traces where project = 'one') select * from otel_logs`,
  sandboxed: true,
};
const request = (status_code: number) => ({ request: { path: '/rest' }, response: { status_code } });
const metadata = (...records: readonly object[]) => records.map((record) => ({ metadata: { ...record } }));
const project_ref = 'one';
const project = 'one';

/** Of each source, entries that a template is to find beside others. */
const ENTRIES = {
  edge_logs: metadata(request(200), request(404), request(503), request(500)),
  postgres_logs: metadata(
    { parsed: { error_severity: 'LOG', sql_state_code: '00000' } },
    { parsed: { error_severity: 'FATAL', sql_state_code: '57P03' } },
  ),
  function_edge_logs: metadata(
    { project_ref, execution_time_ms: 12, ...request(500) },
    { project_ref, execution_time_ms: 1_200, ...request(200) },
  ),
  function_logs: metadata({ project_ref, level: 'error' }, { project_ref, level: 'info' }),
  auth_logs: metadata({ status: 400 }, { status: 200, auth_event: { action: 'login' } }),
  realtime_logs: metadata({ project, level: 'error' }, { project, level: 'info' }),
  storage_logs: metadata({ project, res: { statusCode: 200 } }, { project, res: { statusCode: 404 } }),
  otel_logs: metadata({ severity_number: 9 }, { severity_number: 17 }),
  otel_traces: metadata({ duration_ms: 3.5 }, { duration_ms: 2_000 }),
};

const FOUND: Readonly<Record<string, number>> = {
  'edge_logs: Failed requests': 2,
  'edge_logs: Refused requests': 1,
  'edge_logs: Paths with most failures': 1,
  'postgres_logs: Errors': 1,
  'postgres_logs: Most frequent errors': 1,
  'function_edge_logs: Failed calls': 1,
  'function_edge_logs: Slow calls': 1,
  'function_logs: Errors': 1,
  'auth_logs: Sign-ins': 1,
  'auth_logs: Refused requests': 1,
  'realtime_logs: Errors': 1,
  'storage_logs: Failed requests': 1,
  'otel_logs: Errors': 1,
  'otel_traces: Slow spans': 1,
};

let queries: LogQueries;
beforeAll(async () => {
  queries = await openLogQueries(ENTRIES);
});
afterAll(() => queries.close());

const templates = templatesFor(Object.keys(LOG_SOURCES));

it('are all of these', () => expect([...templates.keys()].sort()).toEqual(Object.keys(FOUND).sort()));

it.each([...templates])('%s', async (name, { language, query }) => {
  const asked = { stored: name.startsWith('otel') ? OTEL : LOGS_ALL };
  const { rows } = await (language === 'lql' ? askLql(queries, query, asked) : queries.ask(query, asked));
  expect(rows.length).toBe(FOUND[name]);
});

it('are about the tables of the endpoint only', () => {
  expect([...templatesFor(['function_logs', 'other']).keys()]).toEqual(['function_logs: Errors']);
});
