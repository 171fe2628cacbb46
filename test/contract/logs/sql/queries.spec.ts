/** What a query can be put together from: unnests, joins, groups, windows, sets, orders, worked out by hand over few entries. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json, JsonRecord } from '../../../../src/foundation/log-store/sources.js';
import type { EntrySketch } from '../../../support/log-entries.js';
import { ASKED_AT, type LogQueries, openLogQueries } from '../../../support/log-queries.js';

const MINUTE = 60_000_000;
const id = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;

const request = (
  n: number,
  minutesAgo: number,
  metadata: JsonRecord,
  eventMessage = `request ${n}`,
): EntrySketch => ({
  id: id(n),
  timestamp: ASKED_AT - minutesAgo * MINUTE,
  eventMessage,
  metadata,
});

/** Newest first: 1 to 5. The fourth has no response, the fifth no request. */
const EDGE = [
  request(1, 1, {
    request: { path: '/rest/a', method: 'GET', headers: { host: 'h1' } },
    response: { status_code: 200 },
    tags: ['x', 'y'],
  }),
  request(2, 2, {
    request: { path: '/auth/b', method: 'POST' },
    response: { status_code: 500 },
    tags: ['y'],
  }),
  request(3, 3, { request: { path: '/rest/a', method: 'GET' }, response: { status_code: 404 }, tags: [] }),
  request(4, 4, { request: { path: '/storage/c', method: 'GET' }, tags: 'x', items: [{ n: 1 }, { n: 2 }] }),
  request(5, 5, { response: { status_code: 200 }, request: 'none' }),
];

const POSTGRES = [
  {
    id: id(6),
    timestamp: ASKED_AT - 1 * MINUTE,
    eventMessage: 'select',
    metadata: { parsed: { error_severity: 'LOG' }, path: '/rest/a' },
  },
  {
    id: id(7),
    timestamp: ASKED_AT - 9 * MINUTE,
    eventMessage: 'insert',
    metadata: { parsed: { error_severity: 'ERROR' }, path: '/auth/b' },
  },
];

let world: LogQueries;
beforeAll(async () => {
  world = await openLogQueries({ edge_logs: [...EDGE].reverse(), postgres_logs: POSTGRES });
});
afterAll(() => world.close());

/** Rows as lists of their values in the order of the columns. */
const values = async (sql: string): Promise<Json[][]> => {
  const { columns, rows } = await world.ask(sql);
  return rows.map((row) => columns.map((column) => row[column] ?? null));
};

const table = (
  name: string,
  cases: readonly (readonly [sql: string, rows: readonly (readonly Json[])[]])[],
): void => {
  describe(name, () => {
    it.each(cases)('%s', async (sql, rows) => expect(await values(sql)).toEqual(rows));
  });
};

table('unnesting records', [
  [
    'select event_message, request.path from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request',
    [
      ['request 1', '/rest/a'],
      ['request 2', '/auth/b'],
      ['request 3', '/rest/a'],
      ['request 4', '/storage/c'],
    ],
  ],
  [
    'select path, status_code from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response',
    [
      ['/rest/a', 200],
      ['/auth/b', 500],
      ['/rest/a', 404],
    ],
  ],
  [
    'select r.path, status_code from edge_logs t left join unnest(t.metadata) m on true left join unnest(m.request) as r on true left join unnest(m.response) as s on true',
    [
      ['/rest/a', 200],
      ['/auth/b', 500],
      ['/rest/a', 404],
      ['/storage/c', null],
      [null, 200],
    ],
  ],
  [
    'select h.host from edge_logs t, unnest(t.metadata) m, unnest(m.request) r, unnest(r.headers) h',
    [['h1']],
  ],
  ["select method from edge_logs t, t.metadata m, m.request r where r.path = '/auth/b'", [['POST']]],
  [
    'select m.request.method from edge_logs cross join unnest(metadata) m where m.response.status_code = 500',
    [['POST']],
  ],
  ['select metadata.request.method from edge_logs where metadata.response.status_code = 500', [['POST']]],
  [
    'select count(*) from edge_logs cross join unnest(metadata) m cross join unnest(m.request.path) as nothing',
    [[0]],
  ],
  [
    'select count(*) from edge_logs cross join unnest(metadata) m cross join unnest(m.unheard_of) as nothing',
    [[0]],
  ],
  [
    'select count(*) from edge_logs cross join unnest(metadata) m left join unnest(m.unheard_of) as nothing on true',
    [[5]],
  ],
  [
    'select event_message from edge_logs cross join unnest(metadata) m join unnest(m.response) r on r.status_code = 200',
    [['request 1'], ['request 5']],
  ],
  [
    'select event_message, r.status_code from edge_logs cross join unnest(metadata) m left join unnest(m.response) r on r.status_code >= 500 order by 1',
    [
      ['request 1', null],
      ['request 2', 500],
      ['request 3', null],
      ['request 4', null],
      ['request 5', null],
    ],
  ],
]);

table('unnesting arrays', [
  [
    'select event_message, tag from edge_logs cross join unnest(metadata) m cross join unnest(m.tags) as tag order by 1, 2',
    [
      ['request 1', 'x'],
      ['request 1', 'y'],
      ['request 2', 'y'],
    ],
  ],
  [
    'select event_message, tag from edge_logs cross join unnest(metadata) m left join unnest(m.tags) as tag on true order by 1, 2',
    [
      ['request 1', 'x'],
      ['request 1', 'y'],
      ['request 2', 'y'],
      ['request 3', null],
      ['request 4', null],
      ['request 5', null],
    ],
  ],
  [
    'select item.n from edge_logs cross join unnest(metadata) m cross join unnest(m.items) as item order by n',
    [[1], [2]],
  ],
  [
    "select tag, o from edge_logs, unnest(metadata.tags) as tag with offset as o where id = '00000000-0000-4000-8000-000000000001' order by o",
    [
      ['x', 0],
      ['y', 1],
    ],
  ],
  ["select x from unnest(['b', 'a']) as x order by x", [['a'], ['b']]],
  [
    "select part from edge_logs, unnest(split(metadata.request.path, '/')) as part where part like 's%'",
    [['storage']],
  ],
  [
    "select event_message from edge_logs t where exists (select 1 from unnest(t.metadata.tags) as tag where tag = 'x')",
    [['request 1']],
  ],
  ["select event_message from edge_logs where 'y' in unnest(metadata.tags)", [['request 1'], ['request 2']]],
]);

table('selecting', [
  ['select `event_message`, from `edge_logs` limit 1', [['request 1']]],
  ['SELECT Event_Message FROM Edge_Logs LIMIT 1 OFFSET 1', [['request 2']]],
  [
    "select * except (id, metadata) from edge_logs where event_message = 'request 2'",
    [['2026-03-17T11:58:00.000000Z', 'request 2']],
  ],
  ['select t.* except (id, metadata, timestamp) from edge_logs as t limit 1', [['request 1']]],
  [
    'select r.* from edge_logs, unnest(metadata.response) r order by status_code limit 1',
    [[200, null, null]].map(([code]) => [code ?? null, null, null]),
  ],
  ["select 1, 'a', null", [[1, 'a', null]]],
  [
    'select distinct path from edge_logs, unnest(metadata.request) r order by path desc',
    [['/storage/c'], ['/rest/a'], ['/auth/b']],
  ],
  ['select event_message from (select * from edge_logs) limit 2', [['request 1'], ['request 2']]],
  ['select x.n from (select 1 as n) as x', [[1]]],
  [
    'with recent as (select * from edge_logs where timestamp > timestamp_sub(current_timestamp(), interval 150 second)) select event_message from recent',
    [['request 1'], ['request 2']],
  ],
  ['with a as (select 1 as x), b as (select x + 1 as y from a), select y from b', [[2]]],
  [
    'select event_message from edge_logs where timestamp = (select max(timestamp) from edge_logs)',
    [['request 1']],
  ],
  [
    'select event_message from edge_logs where id in (select id from edge_logs where metadata.response.status_code = 200)',
    [['request 1'], ['request 5']],
  ],
  ['-- a comment\nselect /* another */ count(*) # and one more\nfrom edge_logs;', [[5]]],
  ['(select 1 as x)', [[1]]],
]);

table('joining a join in parentheses', [
  [
    'select e.event_message, p.event_message, q.event_message from edge_logs e left join (postgres_logs p join postgres_logs q on p.id = q.id) on e.timestamp = p.timestamp order by 1',
    [
      ['request 1', 'select', 'select'],
      ['request 2', null, null],
      ['request 3', null, null],
      ['request 4', null, null],
      ['request 5', null, null],
    ],
  ],
  [
    'select count(*) from (edge_logs e join postgres_logs p on e.timestamp = p.timestamp) cross join postgres_logs q',
    [[2]],
  ],
  [
    'select e.event_message, r.path, p.event_message from postgres_logs p left join (edge_logs e cross join unnest(e.metadata) m cross join unnest(m.request) r) on p.metadata.path = r.path order by 3, 1',
    [
      ['request 2', '/auth/b', 'insert'],
      ['request 1', '/rest/a', 'select'],
      ['request 3', '/rest/a', 'select'],
    ],
  ],
  [
    'select path from postgres_logs p join (edge_logs e cross join unnest(e.metadata) m cross join unnest(m.request) r) on p.metadata.path = path order by 1',
    [['/auth/b'], ['/rest/a'], ['/rest/a']],
  ],
  [
    'select count(*) from postgres_logs q join (edge_logs e join postgres_logs p using (timestamp)) using (timestamp)',
    [[1]],
  ],
  [
    'select count(*) from edge_logs a join (edge_logs b join (edge_logs c join edge_logs d on c.id = d.id) on b.id = c.id) on a.id = b.id',
    [[5]],
  ],
  [
    'select a.n, b.n, c.n from ((select 1 as n) as a left join (select 2 as n) as b on a.n = b.n) join (select 1 as n) as c on c.n = a.n',
    [[1, null, 1]],
  ],
  ['select n from ((select 1 as n) union all (select 2 as n)) order by n', [[1], [2]]],
  // What USING merges are the columns of its join alone.
  [
    'select * from (select 1 as n) as a cross join ((select 2 as n) as b join (select 2 as n) as c using (n))',
    [[1, 2]],
  ],
  [
    'select * from ((select 2 as n) as b join (select 2 as n) as c using (n)) cross join (select 1 as n) as a',
    [[2, 1]],
  ],
  [
    'select n, b.n, c.n, d.n from (select 1 as n) as d full join ((select 1 as n) as b full join (select 2 as n) as c using (n)) using (n) order by n',
    [
      [1, 1, null, 1],
      [2, null, 2, null],
    ],
  ],
]);

table('joining', [
  [
    'select e.event_message, p.event_message from edge_logs e join postgres_logs p on e.metadata.request.path = p.metadata.path order by 1',
    [
      ['request 1', 'select'],
      ['request 2', 'insert'],
      ['request 3', 'select'],
    ],
  ],
  [
    'select e.event_message, p.event_message from edge_logs e left join postgres_logs p on e.timestamp = p.timestamp order by 1',
    [
      ['request 1', 'select'],
      ['request 2', null],
      ['request 3', null],
      ['request 4', null],
      ['request 5', null],
    ],
  ],
  [
    'select p.event_message, e.event_message from edge_logs e right join postgres_logs p on e.timestamp = p.timestamp order by 1',
    [
      ['insert', null],
      ['select', 'request 1'],
    ],
  ],
  ['select count(*) from edge_logs e full join postgres_logs p on e.timestamp = p.timestamp', [[6]]],
  ['select count(*) from edge_logs, postgres_logs', [[10]]],
  [
    'select timestamp, count(*) from edge_logs join postgres_logs using (timestamp) group by timestamp',
    [['2026-03-17T11:59:00.000000Z', 1]],
  ],
  [
    'select a.id = b.id from edge_logs a cross join edge_logs b where a.event_message = b.event_message limit 1',
    [[true]],
  ],
]);

table('grouping', [
  [
    'select path, count(*) as n from edge_logs, unnest(metadata.request) r group by 1 order by n desc, 1',
    [
      ['/rest/a', 2],
      ['/auth/b', 1],
      ['/storage/c', 1],
    ],
  ],
  [
    'select r.path as p, count(*) from edge_logs, unnest(metadata.request) r group by p having count(*) > 1',
    [['/rest/a', 2]],
  ],
  [
    'select r.path as p, count(*) as n from edge_logs, unnest(metadata.request) r group by p, having n > 1',
    [['/rest/a', 2]],
  ],
  // A path of the list goes by its last name where the tables have none of this name.
  [
    'select m.request.path, count(*) as n from edge_logs, unnest(metadata) m group by Path having path is not null order by n desc, path',
    [
      ['/rest/a', 2],
      ['/auth/b', 1],
      ['/storage/c', 1],
    ],
  ],
  [
    'select metadata.request.path, count(*) from edge_logs group by rollup(path) order by path, 2 limit 2',
    [
      [null, 1],
      [null, 5],
    ],
  ],
  [
    'select timestamp_trunc(t.timestamp, hour) as timestamp, count(*) from edge_logs t group by timestamp',
    [['2026-03-17T11:00:00.000000Z', 5]],
  ],
  [
    'select upper(path), sum(length(path)) from edge_logs, unnest(metadata.request) r group by path order by path limit 1',
    [['/AUTH/B', 7]],
  ],
  [
    'select count(*), countif(metadata.response.status_code >= 400), count(distinct metadata.request.path), sum(metadata.response.status_code), avg(metadata.response.status_code) from edge_logs',
    [[5, 2, 3, 1304, 326]],
  ],
  [
    'select min(timestamp), max(event_message), any_value(1), approx_count_distinct(metadata.request.method) from edge_logs',
    [['2026-03-17T11:55:00.000000Z', 'request 5', 1, 2]],
  ],
  [
    'select approx_quantiles(x, 2), approx_quantiles(x, 100)[offset(90)] from unnest([1, 1, 1, 4, 5, 6, 7, 8, 9, 10]) as x',
    [[[1, 5, 10], 9]],
  ],
  [
    "select string_agg(path, '|' order by path desc limit 2), string_agg(distinct method order by method) from edge_logs, unnest(metadata.request) r",
    [['/storage/c|/rest/a', 'GET,POST']].map(([a]) => [a ?? null, 'GET,POST']),
  ],
  [
    'select array_agg(metadata.response.status_code ignore nulls order by timestamp limit 3), array_agg(distinct metadata.request.method ignore nulls order by metadata.request.method) from edge_logs',
    [
      [
        [200, 404, 500],
        ['GET', 'POST'],
      ],
    ],
  ],
  [
    'select array_agg(m.response order by timestamp desc limit 1) from edge_logs cross join unnest(metadata) m',
    [[[{ status_code: 200 }]]],
  ],
  ['select count(*), sum(1), max(id) from edge_logs where false', [[0, null, null]]],
  [
    'select logical_or(metadata.response.status_code > 499), logical_and(metadata.response.status_code < 500) from edge_logs',
    [[true, false]],
  ],
  ['select coalesce(sum(metadata.none), 0) from edge_logs', [[0]]],
  [
    "select approx_top_count(x, 2) from unnest(['b', 'a', 'b', 'c', null]) as x",
    [
      [
        [
          { value: 'b', count: 2 },
          { value: 'a', count: 1 },
        ],
      ],
    ],
  ],
  [
    'select top.value from (select approx_top_count(x, 1) as best from unnest([4, 4]) as x), unnest(best) as top',
    [[4]],
  ],
  ['select approx_top_count(x, 1) from unnest([1]) as x where x > 1', [[[]]]],
  [
    "select max_by(event_message, timestamp), min_by(event_message, timestamp), any_value(event_message having min timestamp), max_by(metadata.response.status_code, timestamp) from edge_logs where event_message > 'request 1'",
    [['request 2', 'request 5', 'request 5', 500]],
  ],
  [
    'select array_concat_agg(x order by n desc) from (select [1, 2] as x, 1 as n union all select [3], 2)',
    [[[3, 1, 2]]],
  ],
  ['select corr(x, -x), covar_pop(x, x), covar_samp(x, x) from unnest([1, 2, 3]) as x', [[-1, 2 / 3, 1]]],
  ['select sum(x) from unnest([9007199254740991]) as x, unnest(generate_array(1, 2000)) as again', [[null]]],
]);

table('windows', [
  [
    'select event_message, row_number() over (order by timestamp) as n from edge_logs order by n limit 2',
    [
      ['request 5', 1],
      ['request 4', 2],
    ],
  ],
  [
    'select event_message, path from edge_logs, unnest(metadata.request) r qualify row_number() over (partition by path order by timestamp desc) = 1 order by path',
    [
      ['request 2', '/auth/b'],
      ['request 1', '/rest/a'],
      ['request 4', '/storage/c'],
    ],
  ],
  [
    "select lag(event_message) over (order by timestamp), lead(event_message, 2, 'none') over (order by timestamp) from edge_logs order by timestamp limit 2",
    [
      [null, 'request 3'],
      ['request 5', 'request 2'],
    ],
  ],
  [
    'select sum(x) over (order by x rows between 1 preceding and current row) from unnest([1, 2, 3]) as x order by x',
    [[1], [3], [5]],
  ],
  [
    'select x, rank() over (order by x), dense_rank() over (order by x) from unnest([1, 1, 2]) as x order by x',
    [
      [1, 1, 1],
      [1, 1, 1],
      [2, 3, 2],
    ],
  ],
  [
    'select path, count(*) as n, row_number() over (order by count(*) desc, path) as place from edge_logs, unnest(metadata.request) r group by path order by place',
    [
      ['/rest/a', 2, 1],
      ['/auth/b', 1, 2],
      ['/storage/c', 1, 3],
    ],
  ],
  ['select first_value(x ignore nulls) over (order by x desc) from unnest([1, 2]) as x limit 1', [[2]]],
]);

table('sets and orders', [
  ["select 'a' as x union all select 'b' order by x desc", [['b'], ['a']]],
  ['select null as x union all select 1 order by x', [[null], [1]]],
  [
    "select 1 as n, null as t union all select null, timestamp '2026-01-01' order by n",
    [
      [null, '2026-01-01T00:00:00.000000Z'],
      [1, null],
    ],
  ],
  ['select null as x union all select null union all select true order by x', [[null], [null], [true]]],
  [
    "select null as m union all select metadata from edge_logs where event_message = 'request 3'",
    [[null], [{ request: { path: '/rest/a', method: 'GET' }, response: { status_code: 404 }, tags: [] }]],
  ],
  ["select null except distinct select 'a'", [[null]]],
  ['with t as (select null as a) select a from t union all select 1 order by 1', [[null], [1]]],
  [
    'with t as (select null as a, 2 as b) select * from t union all select 1, 3 order by b',
    [
      [null, 2],
      [1, 3],
    ],
  ],
  [
    "with t as (select null as a), u as (select a from t where a is null) select u.a from u union all select timestamp '2026-01-01' order by 1",
    [[null], ['2026-01-01T00:00:00.000000Z']],
  ],
  [
    'select x from (select null as x union all select null) union all select true order by 1',
    [[null], [null], [true]],
  ],
  ['select x from ((select null as x order by 1) union all select [1, 2]) where x is not null', [[[1, 2]]]],
  [
    "with t as (select null as a) select ifnull(a, 'none') as a from t union all select 'one' order by 1",
    [['none'], ['one']],
  ],
  [
    "with t as (select null as a) select a from (t cross join (select 1 as one)) union all select metadata.tags from edge_logs where event_message = 'request 2' order by array_length(a)",
    [[null], [['y']]],
  ],
  ['select null as x union all select [1, 2] order by array_length(x)', [[null], [[1, 2]]]],
  ['select 1 as x union distinct select 1', [[1]]],
  ['select x from unnest([1, 2]) as x except distinct select 2', [[1]]],
  ['select x from unnest([1, 2]) as x intersect distinct select 2', [[2]]],
  ['(select 1 as x union all select 2.5) order by 1 desc limit 1', [[2.5]]],
  [
    "select event_message from edge_logs where event_message = 'request 1' union all select event_message from postgres_logs order by event_message",
    [['insert'], ['request 1'], ['select']],
  ],
  ['select x from unnest([2, null, 1]) as x order by x', [[null], [1], [2]]],
  ['select x from unnest([2, null, 1]) as x order by x desc', [[2], [1], [null]]],
  ['select x from unnest([2, null, 1]) as x order by x nulls last', [[1], [2], [null]]],
  ["select x from unnest(['10', '9', 'a']) as x order by x", [['10'], ['9'], ['a']]],
  ['select metadata.response.status_code from edge_logs order by 1 desc limit 2', [[500], [404]]],
]);

describe('without an order', () => {
  it('comes newest first, however much is cut off', async () => {
    expect(await values('select event_message from edge_logs limit 3')).toEqual([
      ['request 1'],
      ['request 2'],
      ['request 3'],
    ]);
    expect((await world.ask('select event_message from edge_logs', { maxRows: 2 })).rows).toEqual([
      { event_message: 'request 1' },
      { event_message: 'request 2' },
    ]);
  });
});

describe('names of the columns', () => {
  const columns = async (sql: string) => (await world.ask(sql)).columns;
  it('are the aliases, the last parts of paths, or places', async () => {
    expect(
      await columns('select id as `Die Kennung`, metadata.request.path, 1, count(*) over () from edge_logs'),
    ).toEqual(['Die Kennung', 'path', 'f0_', 'f1_']);
  });
  it('are told apart where they are the same', async () => {
    expect(await columns('select id, id, id from edge_logs')).toEqual(['id', 'id_1', 'id_2']);
  });
});

/** `tags` is an array, a text or missing; `request` a record, a text or missing. */
describe('a group of a field that holds different things', () => {
  const GROUPED = 'from edge_logs, unnest(metadata) as m';
  it.each([
    ['in order', `select to_json_string(m.tags), count(*) ${GROUPED} group by m.tags order by m.tags`],
    ['in order by its place', `select m.tags, count(*) ${GROUPED} group by 1 order by 1 desc`],
    ['as a text', `select cast(m.tags as string), count(*) ${GROUPED} group by m.tags order by 2, 1`],
    ['in a condition', `select count(*) as n ${GROUPED} group by m.tags having m.tags is null or n > 0`],
  ])('can be read %s', async (_, sql) => {
    expect(await values(sql)).toHaveLength(5);
  });
});
