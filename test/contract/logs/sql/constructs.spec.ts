/**
 * Structs, arrays of queries, named windows, sets of groups, stars with replacements, worked out by hand over few entries;
 * and what the dialect has besides, which is refused by its name and at its place.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../../../src/foundation/log-store/sources.js';
import { QueryProblem } from '../../../../src/logs/sql/query-problem.js';
import { ASKED_AT, type LogQueries, openLogQueries } from '../../../support/log-queries.js';

const MINUTE = 60_000_000;
const id = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;

/** Newest first: GET 200, GET 500, POST 200, one without a method. */
const REQUESTS = [
  { request: { method: 'GET', path: '/a' }, response: { status_code: 200 }, time: 10 },
  { request: { method: 'GET', path: '/b' }, response: { status_code: 500 }, time: 30 },
  { request: { method: 'POST', path: '/a' }, response: { status_code: 200 }, time: 20 },
  { request: { path: '/a' }, response: { status_code: 200 }, time: 40 },
];

const AT = ['11:59', '11:58', '11:57', '11:56'].map((time) => `2026-03-17T${time}:00.000000Z`);

let world: LogQueries;
beforeAll(async () => {
  world = await openLogQueries({
    edge_logs: REQUESTS.map((metadata, at) => ({
      id: id(at + 1),
      timestamp: ASKED_AT - (at + 1) * MINUTE,
      eventMessage: `request ${at + 1}`,
      metadata,
    })),
    auth_logs: [
      {
        id: id(9),
        timestamp: ASKED_AT,
        eventMessage: 'login',
        metadata: { path: '/login', status: 200, level: 'info' },
      },
    ],
  });
});
afterAll(() => world.close());

/** Rows as lists of their values in the order of the columns. */
const table = (
  name: string,
  cases: readonly (readonly [sql: string, rows: readonly (readonly Json[])[]])[],
): void => {
  describe(name, () => {
    it.each(cases)('%s', async (sql, expected) => {
      const { columns, rows } = await world.ask(sql);
      expect(rows.map((row) => columns.map((column) => row[column] ?? null))).toEqual(expected);
    });
  });
};

const FROM = 'from edge_logs t cross join unnest(metadata) as m cross join unnest(m.request) as request';

table('structs', [
  ["select struct(1 as a, 'x' as b, null as c)", [[{ a: 1, b: 'x', c: null }]]],
  ['select struct(1, true)', [[{ _field_1: 1, _field_2: true }]]],
  [`select struct(id, m.time) ${FROM} limit 1`, [[{ id: id(1), time: 10 }]]],
  ['select struct(timestamp as t).t from edge_logs limit 1', [[AT[0] ?? null]]],
  ["select struct(date '2026-03-17' as day).day + 1", [['2026-03-18']]],
  ['select struct(struct(2 as b) as a).a.b * 3', [[6]]],
  [
    'select struct(timestamp as t, [timestamp] as list) from edge_logs limit 1',
    [[{ t: AT[0] ?? null, list: [AT[0] ?? null] }]],
  ],
  ["select struct<a int64, b string>('7', 8)", [[{ a: 7, b: '8' }]]],
  [
    "select s.x, s.y from unnest([struct(1 as x, 'p' as y), struct(2.5, 'q')]) as s order by x",
    [
      [1, 'p'],
      [2.5, 'q'],
    ],
  ],
  ['select max(s.a) from (select struct(1 as a) as s union all select struct(2 as a))', [[2]]],
  [
    `select array_agg(struct(request.path as p, m.time) order by m.time limit 2) ${FROM}`,
    [
      [
        [
          { p: '/a', time: 10 },
          { p: '/a', time: 20 },
        ],
      ],
    ],
  ],
  ['select to_json_string(t) from (select 1 as a, null as b) as t', [['{"a":1,"b":null}']]],
  ['select x from (select 1 as a) as x', [[{ a: 1 }]]],
  ["select metadata['request']['path'] from edge_logs limit 1", [['/a']]],
]);

table('arrays of queries', [
  ['select array(select x from unnest([3, 1, 2]) as x order by x desc)', [[[3, 2, 1]]]],
  ['select array(select x from unnest([3, 1, 2]) as x order by x limit 2)', [[[1, 2]]]],
  ['select array(select x from unnest([1]) as x where x > 1)', [[[]]]],
  [
    'select array(select event_message from edge_logs)',
    [[['request 1', 'request 2', 'request 3', 'request 4']]],
  ],
  [
    'select array(select as struct x as n, x * x as square from unnest([2, 1]) as x order by x)',
    [
      [
        [
          { n: 1, square: 1 },
          { n: 2, square: 4 },
        ],
      ],
    ],
  ],
  ['select s.n + 1 from unnest(array(select as struct x as n from unnest([1]) as x)) as s', [[2]]],
  ['select array(with one as (select 1 as x) select x from one)', [[[1]]]],
  [
    'select event_message, array(select other.event_message from edge_logs other where other.timestamp < t.timestamp order by other.timestamp) from edge_logs t where t.metadata.time > 15 limit 1',
    [['request 2', ['request 4', 'request 3']]],
  ],
  ['select array_length(array(select 1 union all select 2))', [[2]]],
  ["select array<int64>['1', '2'], array<string>[]", [[[1, 2], []]]],
  ['select (select event_message from edge_logs limit 1)', [['request 1']]],
  [
    'select event_message from auth_logs where timestamp > (select timestamp from edge_logs limit 1)',
    [['login']],
  ],
]);

table('named windows', [
  [
    'select event_message, row_number() over w from edge_logs window w as (order by timestamp) order by 2 limit 1',
    [['request 4', 1]],
  ],
  [
    'select x, sum(x) over (w rows between 1 preceding and current row), sum(x) over whole from unnest([1, 2, 3]) as x window w as (order by x), whole as () order by x',
    [
      [1, 1, 6],
      [2, 3, 6],
      [3, 5, 6],
    ],
  ],
  [
    `select m.time, rank() over later ${FROM} window by_path as (partition by request.path), later as (by_path order by m.time desc) order by 1`,
    [
      [10, 3],
      [20, 2],
      [30, 1],
      [40, 1],
    ],
  ],
  ['select x from unnest([1, 2]) as x qualify row_number() over W = 1 window w as (order by x desc)', [[2]]],
  [
    'select x from unnest([1, 2]) as x window w as (order by x desc) order by row_number() over w',
    [[2], [1]],
  ],
  [
    'select last_value(x) over b from unnest([1, 2]) as x window a as (order by x rows between unbounded preceding and unbounded following), b as a limit 1',
    [[2]],
  ],
]);

table('sets of groups', [
  [
    `select request.path, request.method, count(*) ${FROM} group by rollup (request.path, request.method) order by 1, 2, 3`,
    [
      [null, null, 4],
      ['/a', null, 1],
      ['/a', null, 3],
      ['/a', 'GET', 1],
      ['/a', 'POST', 1],
      ['/b', null, 1],
      ['/b', 'GET', 1],
    ],
  ],
  [
    `select path, m.response.status_code as code, count(*) as n, grouping(path) as p, grouping(m.response.status_code) as c ${FROM} group by cube (path, code) order by p, c, path, code`,
    [
      ['/a', 200, 3, 0, 0],
      ['/b', 500, 1, 0, 0],
      ['/a', null, 3, 0, 1],
      ['/b', null, 1, 0, 1],
      [null, 200, 3, 1, 0],
      [null, 500, 1, 1, 0],
      [null, null, 4, 1, 1],
    ],
  ],
  [
    `select ifnull(path, 'all') as p, sum(m.time) ${FROM} group by grouping sets (path, ()) order by 2`,
    [
      ['/b', 30],
      ['/a', 70],
      ['all', 100],
    ],
  ],
  [
    'select a, b, count(*) from (select 1 as a, 2 as b union all select 1, 3) group by grouping sets ((a, b), rollup ((a, b))) order by 1, 2, 3',
    [
      [null, null, 2],
      [1, 2, 1],
      [1, 2, 1],
      [1, 3, 1],
      [1, 3, 1],
    ],
  ],
  [
    `select path, count(*) as n ${FROM} group by all order by n`,
    [
      ['/b', 1],
      ['/a', 3],
    ],
  ],
  ['select count(*) from edge_logs where false group by all', [[0]]],
  ['select 1 from edge_logs group by all', [[1]]],
  ['select count(*) from edge_logs where false group by ()', [[0]]],
  [
    'select count(*) from (select metadata from edge_logs group by rollup (metadata)), unnest(metadata) as m',
    [[4]],
  ],
  [
    'select count(*) from edge_logs group by rollup (event_message) having grouping(event_message) = 1',
    [[4]],
  ],
]);

table('stars', [
  [
    'select * except (id, metadata) replace (upper(event_message) as event_message) from edge_logs limit 1',
    [[AT[0] ?? null, 'REQUEST 1']],
  ],
  ['select t.* replace (1 as b) from (select 2 as a, 3 as b) as t', [[2, 1]]],
  [
    'select m.request.* except (url, host, search, protocol, headers, cf) from edge_logs, unnest(metadata) m limit 1',
    [['GET', '/a']],
  ],
  [
    "select metadata.response.status_code, path from (select * from edge_logs union all select * from auth_logs) cross join unnest(metadata) as m where m.path = '/login'",
    [[null, '/login']],
  ],
]);

table('tests', [
  [
    'select 1 is distinct from null, null is not distinct from null, 1 is distinct from 1',
    [[true, true, false]],
  ],
  ['select count(*) from edge_logs where metadata.request.method is distinct from @project', [[4]]],
  [
    "select 'ab' like any ('x', 'a%'), 'ab' like some ('x', 'y'), 'ab' like all ('a%', '%b'), 'ab' not like any ('a%')",
    [[true, false, true, false]],
  ],
  ["select json '{\"a\": [1]}', numeric '1.5'", [[{ a: [1] }, 1.5]]],
]);

describe('a set operation without an order', () => {
  const UNION = 'select event_message from edge_logs union all select event_message from auth_logs';
  it('comes newest first where its rows have times', async () => {
    const newest = ['login', 'request 1', 'request 2', 'request 3', 'request 4'];
    const messages = async (sql: string, maxRows = 9) =>
      (await world.ask(sql, { maxRows })).rows.map((row) => row.event_message);
    expect(await messages(UNION)).toEqual(newest);
    expect(await messages(UNION, 2)).toEqual(newest.slice(0, 2));
    expect(await messages(`${UNION} limit 1`)).toEqual(['login']);
    expect(await messages(`with u as (${UNION}) select event_message from u limit 2`)).toEqual(
      newest.slice(0, 2),
    );
    expect(await messages(`select event_message from (${UNION}) limit 9 offset 3`)).toEqual(newest.slice(3));
    const nested = `(select event_message from edge_logs order by timestamp limit 1) union all (${UNION})`;
    expect(await messages(nested)).toEqual([...newest, 'request 4']);
  });
  it('is as it comes where equal rows become one, or a side has no times', async () => {
    const count = async (sql: string) => (await world.ask(sql)).rows.length;
    expect(await count(`(${UNION}) union distinct select 'login'`)).toBe(5);
    expect(await count(`${UNION} union all select 'login'`)).toBe(6);
  });
});

it('a series that is too long ends the query, and says why', async () => {
  for (const series of [
    'generate_array(1, 10001)',
    'generate_array(1000000000, 1, -1)',
    "generate_timestamp_array(timestamp '2020-01-01', timestamp '2026-01-01', interval 1 second)",
    "generate_date_array(date '0001-01-01', date '9999-01-01')",
  ])
    await expect(world.ask(`select count(*) from unnest(${series}) as x`)).rejects.toMatchObject({
      failure: 'value',
      message: 'a series has at most 10,000 elements',
    });
});

describe('what the dialect has and this has not', () => {
  it.each([
    ["select b'x'", 'bytes are not supported', 8],
    ["select rb'x'", 'bytes are not supported', 8],
    ["select time '10:00:00'", 'there is no type TIME', 8],
    ['select (1, 2)', 'several values in parentheses', 10],
    ['select 1 & 2', '& is not supported', 10],
    ['select 1 | 2', '| is not supported', 10],
    ['select ~1', '~ is not supported', 8],
    ['from edge_logs |> limit 1', 'there is no pipe syntax', 16],
    ['select count(*) filter (where true) from edge_logs', 'FILTER is not supported; see countif', 17],
    ["select cast(timestamp as string format 'YYYY') from edge_logs", 'FORMAT in a cast', 33],
    ["select * from edge_logs pivot (count(*) for id in ('a'))", 'PIVOT is not supported', 25],
    ["select * from edge_logs as e pivot (count(*) for id in ('a'))", 'PIVOT is not supported', 30],
    ['select * from (select 1 as a) unpivot (v for k in (a))', 'UNPIVOT is not supported', 31],
    ['select as value 1', 'only STRUCT can follow SELECT AS', 8],
    ['select cast(id as array<string>) from edge_logs', 'ARRAY<…> is not supported', 19],
    ['select struct(1 as a, 2 as A)', 'two fields of this struct are called A', 8],
    ['select struct<a int64>(1, 2)', 'has 1 fields and 2 values', 8],
    ['select struct(interval 1 day)', 'an interval cannot be part', 15],
    ['select array(select 1, 2)', 'gives 2 columns and has to give one', 8],
    ['select array(select as struct 1 as a, 2 as a)', 'two fields of this struct are called a', 14],
    ['select sum(1) over w from edge_logs', 'there is no window w', 20],
    [
      'select (select sum(1) over w from auth_logs) from edge_logs window w as ()',
      'there is no window w',
      28,
    ],
    ['select 1 from edge_logs window w as (order by id), W as ()', 'two windows are called W', 52],
    ['select sum(1) over (w partition by id) from edge_logs window w as ()', 'PARTITION BY is that of w', 21],
    [
      'select sum(1) over (w order by id) from edge_logs window w as (order by id)',
      'w has an order already',
      21,
    ],
    [
      'select sum(1) over (b rows 1 preceding) from edge_logs window b as (rows 2 preceding)',
      'b has a frame',
      21,
    ],
    ['select 1 from edge_logs window a as b, b as ()', 'there is no window b', 37],
    ['select id from edge_logs group by id, rollup (id)', 'stand alone in GROUP BY', 39],
    ['select 1 from edge_logs group by rollup (id), id', 'stand alone in GROUP BY', 45],
    [
      `select 1 from edge_logs group by cube (${Array.from({ length: 7 }, (_, at) => `substr(id, ${at})`).join(', ')})`,
      'at most 64 sets',
      34,
    ],
    ["select 'a' as k, count(*) from edge_logs group by rollup (1)", 'the same for all rows', 59],
    ["select 'a' as k, id, count(*) from edge_logs group by cube (id, k)", 'the same for all rows', 65],
    ['select count(*) from edge_logs group by grouping sets ((1 + 1), ())', 'the same for all rows', 57],
    ['select grouping(id) from edge_logs', 'GROUPING takes what the query groups by', 17],
    [
      'select grouping(timestamp) from edge_logs group by rollup (id)',
      'GROUPING takes what the query groups by',
      17,
    ],
    ['select id, count(*) from edge_logs group by rollup (timestamp)', 'has to be in GROUP BY', 8],
    ['select count(*) + length(id) from edge_logs group by all', 'has to be in GROUP BY', 26],
    ['select * replace (1 as nothing) from edge_logs', 'there is no column nothing', 24],
    ['select * except (nothing) from edge_logs', 'there is no column nothing', 8],
    ['select id.* from edge_logs', 'id is no table and no record', 8],
    ['select id from edge_logs qualify true', 'QUALIFY needs a window', 34],
    ['select timestamp - timestamp from edge_logs', 'timestamp_diff', 8],
    ['select any_value(id having id > 1) from edge_logs', 'expected MIN', 28],
    ['select sum(1 having max id) from edge_logs', 'inside any_value only', 14],
    ["select format('%d')", '%d of this format has no value', 8],
    ["select format('%d', 1, 2)", 'this format takes 1 values, not 2', 8],
    ["select format('%q', 1)", '%q is no element of a format', 15],
  ])('%s', (sql, message, column) => {
    const ask = () => world.compiled(sql);
    expect(ask).toThrow(QueryProblem);
    expect(ask).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
    expect(ask).toThrow(expect.objectContaining({ place: expect.objectContaining({ column }) }));
  });
});
