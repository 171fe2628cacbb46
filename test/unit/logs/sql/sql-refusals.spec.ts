/** What a refused query is told: the reason, and the line and column of the place that is at fault. */
import { describe, expect, it } from '@jest/globals';
import { PLATFORM_CATALOGUE } from '../../../../src/foundation/log-store/known-fields.js';
import { LOGS_ALL_QUERY } from '../../../../src/logs/endpoints/stored/logs-all.js';
import { type CompiledQuery, compile } from '../../../../src/logs/sql/compile.js';
import { QueryProblem } from '../../../../src/logs/sql/query-problem.js';

const compiled = (text: string, stored = LOGS_ALL_QUERY): CompiledQuery =>
  compile({
    stored: { text: stored, sandboxed: true },
    consumer: { language: 'sql', text },
    onlyProject: null,
    catalogue: PLATFORM_CATALOGUE,
  });

const problem = (text: string): QueryProblem => {
  try {
    compiled(text);
  } catch (error) {
    if (error instanceof QueryProblem) return error;
    throw error;
  }
  throw new Error('this query was let through');
};

const FROM =
  'from edge_logs t cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response';

describe('a query that cannot be read', () => {
  it.each([
    ['select from edge_logs', 'expected a value, found from', 1, 8],
    ['select id\nfrom', 'expected a table, found the end of the query', 2, 5],
    ['select id from edge_logs where', 'expected a value, found the end of the query', 1, 31],
    ['select id\n\nfrom edge_logs\norder timestamp', 'expected the end of the query', 4, 1],
    ['select (1', 'expected ")", found the end of the query', 1, 10],
    ["select 'a", 'this text is not closed', 1, 8],
    ["select '\\q'", '\\q is no escape', 1, 9],
    ["select timestamp '2026-03-17 25:00:00'", 'this text is no time; write one as in', 1, 18],
    ["select date 'today'", 'is no time', 1, 13],
    ['select case 1 end', 'expected WHEN, found end', 1, 15],
    ['select 1 not 2', 'expected LIKE, IN or BETWEEN, found 2', 1, 14],
    ['select 1 union select 2', 'expected DISTINCT or, after UNION, ALL, found select', 1, 16],
  ])('%s', (sql, message, line, column) => {
    const { code, message: told, place } = problem(sql);
    expect(code).toBe('sql-syntax');
    expect(told).toContain(message);
    expect(place).toMatchObject({ line, column });
  });
});

describe('a query that may not run', () => {
  it.each([
    [`select headers ${FROM}`, 'headers can be request.headers or response.headers; write which', 8],
    [
      'select e.id, timestamp from edge_logs e, postgres_logs p',
      'timestamp can be e.timestamp or p.timestamp',
      14,
    ],
    [
      'select id from edge_logs e cross join (postgres_logs p join auth_logs a using (id))',
      'id can be id or e.id; write which',
      8,
    ],
    [
      'select nothing from edge_logs',
      'there is no column nothing; the columns are id, timestamp, event_message, metadata',
      8,
    ],
    ['select t.nothing from edge_logs t', 't has no column nothing', 8],
    ['select id from edge_log', 'there is no table edge_log here; the tables are edge_logs', 16],
    ['select id, count(*) from edge_logs', 'has to be in GROUP BY or inside an aggregate', 8],
    [`select path, count(*) ${FROM} group by method`, 'has to be in GROUP BY or inside an aggregate', 8],
    ['select id from edge_logs where count(*) > 1', 'WHERE cannot depend on an aggregate', 32],
    ['select id from edge_logs where row_number() over (order by id) = 1', 'see QUALIFY', 32],
    ['select sum(count(*)) from edge_logs', 'an aggregate cannot stand inside another one', 12],
    ['select id from edge_logs group by count(*)', 'cannot group by an aggregate', 35],
    ['select id from edge_logs group by 2', 'there is no column 2; the query gives 1', 35],
    // The last name of a path of the list is known to no other path, and not when two have it.
    ['select metadata.a.c, c from edge_logs group by c', 'there is no column c', 22],
    ['select metadata.a.c, metadata.b.c from edge_logs group by c', 'there is no column c', 59],
    ['select metadata.a.c from edge_logs where c = 1', 'there is no column c', 42],
    ['select id from edge_logs order by 3', 'there is no column 3', 35],
    ['select distinct id from edge_logs order by timestamp', 'can only be ordered by what it selects', 44],
    ["select substr('a')", 'substr takes 2 to 3 arguments, not 1', 8],
    ['select lower()', 'lower takes 1 argument, not 0', 8],
    ['select row_number() from edge_logs', 'row_number needs OVER', 8],
    ['select lower(id) over () from edge_logs', 'lower is no aggregate', 8],
    ['select timestamp > 5 from edge_logs', 'timestamp and whole number cannot be compared', 8],
    ["select id from edge_logs where timestamp > 'yesterday'", 'this text is no time; write one as in', 44],
    ["select id from edge_logs where timestamp between '2026-03-17' and '2026-02-30'", 'is no time', 67],
    ["select id from edge_logs where timestamp in ('2026-03-17', '17.03.2026')", 'is no time', 60],
    ["select id from edge_logs where date(timestamp) = '2026-3'", 'is no time', 50],
    ["select id from edge_logs where '2026-03-17 10' <= timestamp", 'is no time', 32],
    ['select timestamp + 1 from edge_logs', 'a timestamp cannot be read as a number', 8],
    ['select timestamp_trunc(timestamp, fortnight) from edge_logs', 'FORTNIGHT is no unit here', 35],
    [
      "select timestamp_trunc(timestamp, day, 'Mars/Base') from edge_logs",
      'there is no time zone "Mars/Base"',
      40,
    ],
    ["select format_timestamp('%K', timestamp) from edge_logs", '%K is no element of a time format', 25],
    [
      "select regexp_contains(id, '[a') from edge_logs",
      'this [ is not closed, at character 1 of the pattern',
      28,
    ],
    ["select regexp_extract(id, '(a)(b)') from edge_logs", 'one group in parentheses at most', 27],
    ['select cast(id as uuid) from edge_logs', 'there is no type UUID', 8],
    ['select 1 union all select 1, 2', 'need as many columns: 1 and 2', 1],
    ["select if(true, 1, 'a')", 'these give different types, whole number and text', 8],
    ['select (select id, timestamp from edge_logs)', 'gives 2 columns and has to give one', 8],
    ['select id from edge_logs a join edge_logs b', 'this join needs ON or USING', 33],
    ["select json_value(metadata, 'a.b') from edge_logs", 'a JSONPath begins with $', 29],
  ])('%s', (sql, message, column) => {
    const { code, message: told, place } = problem(sql);
    expect(code).toBe('sql-refused');
    expect(told).toContain(message);
    expect(place).toMatchObject({ line: 1, column, offset: column - 1 });
  });

  it('is told in the terms of LQL where it is LQL', () => {
    const span = { start: 2, end: 5 };
    const query = {
      ctes: [],
      body: {
        kind: 'select',
        asStruct: false,
        distinct: false,
        items: [{ kind: 'expression', expression: { kind: 'path', parts: ['nix'], span }, alias: null }],
        from: { kind: 'table', name: 'edge_logs', alias: null, span },
        where: null,
        groupBy: null,
        having: null,
        qualify: null,
        windows: [],
        span,
      },
      orderBy: [],
      limit: null,
      offset: null,
    } as const;
    const ask = () =>
      compile({
        stored: { text: LOGS_ALL_QUERY, sandboxed: true },
        consumer: { language: 'lql', text: 's:nix', query },
        onlyProject: null,
        catalogue: PLATFORM_CATALOGUE,
      });
    expect(ask).toThrow(
      expect.objectContaining({ code: 'lql-refused', place: { offset: 2, line: 1, column: 3 } }),
    );
  });
});

describe('the query tree', () => {
  it('is the same for the same request', () => {
    const sql = `select request.path, count(*) ${FROM} group by 1`;
    expect(compiled(sql)).toEqual(compiled(sql));
  });
});

it('a list of stars that gives too many columns is refused before they are all made', () => {
  const processorTime = (sql: string): number => {
    const before = process.cpuUsage();
    try {
      compiled(sql);
    } catch (error) {
      expect(String(error)).toContain('at most 1000 columns');
    }
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const joined = (table: string) => Array.from({ length: 31 }, (_, at) => `${table} as t${at}`).join(', ');
  const wide = `select ${Array(1_000).fill('id').join(', ')} from edge_logs`;
  const stars = `with c as (select * from ${joined('edge_logs')}) select ${Array(600).fill('*').join(', ')} from ${joined('c')}`;
  processorTime(wide);
  expect(processorTime(stars)).toBeLessThan(20 * processorTime(wide));
});
