/** What a query does in plain words, of queries of each form. */
import { expect, it } from '@jest/globals';
import type { CheckedQuery } from '../../../../src/foundation/log-store/checked-query.js';
import { PLATFORM_CATALOGUE } from '../../../../src/foundation/log-store/known-fields.js';
import { LOGS_ALL_QUERY } from '../../../../src/logs/endpoints/stored/logs-all.js';
import { API_COUNTS_QUERY } from '../../../../src/logs/endpoints/stored/usage-api-counts.js';
import { compile } from '../../../../src/logs/sql/compile.js';
import { type PlanStep, planOf } from '../../../../src/logs/sql/plan.js';
import { scansOf } from '../../../../src/logs/sql/scans.js';

const queryOf = (
  sql: string | null,
  stored = LOGS_ALL_QUERY,
  onlyProject: string | null = null,
): CheckedQuery =>
  compile({
    stored: { text: stored, sandboxed: true },
    consumer: sql === null ? null : { language: 'sql', text: sql },
    onlyProject,
    catalogue: PLATFORM_CATALOGUE,
  }).query;

/** Its steps, the inputs of each below it and further in. */
const lines = ({ step, inputs }: PlanStep, depth = 0): readonly string[] => [
  `${'  '.repeat(depth)}${step}`,
  ...inputs.flatMap((input) => lines(input, depth + 1)),
];

it.each<[string, string, readonly string[]]>([
  [
    'an aggregate of all rows',
    'select count(*) as n from edge_logs',
    ['compute count of all rows', '  filter by project, timestamp', '    read edge_logs'],
  ],
  [
    'groups, ordered and cut',
    `select r.path, count(*) as n
     from edge_logs t cross join unnest(metadata) as m cross join unnest(m.request) as r
     where r.method = 'GET' and t.timestamp > timestamp_sub(current_timestamp(), interval 1 hour)
     group by r.path having count(*) > 1 order by r.path limit 5`,
    [
      'take the first 5 rows',
      '  order by metadata.request.path',
      '    filter the groups',
      '      compute count of each group',
      '        group by metadata.request.path',
      '          filter by metadata.request.method, timestamp',
      '            filter by project, timestamp',
      '              read edge_logs',
    ],
  ],
  [
    'an outer join, without equal rows and the first ones',
    'select distinct e.id from edge_logs e left join function_logs f on e.id = f.id limit 3 offset 2',
    [
      'leave out the first 2 rows, then take the first 3 rows',
      '  leave out equal rows',
      '    join, keeping all rows of the first by id',
      '      filter by project, timestamp',
      '        read edge_logs',
      '      filter by metadata.project_ref, timestamp',
      '        read function_logs',
    ],
  ],
  [
    'a join that is read twice',
    `with a as (select e.id from edge_logs e join auth_logs l on e.id = l.id)
     select x.id from a x join a y on x.id = y.id`,
    [
      'join by id',
      '  keep the result for all that read it',
      '    join by id',
      '      filter by project, timestamp',
      '        read edge_logs',
      '      filter by project, timestamp',
      '        read auth_logs',
      '  read the same result again',
    ],
  ],
  [
    'a window',
    `select id, row_number() over (partition by event_message order by timestamp) as n
     from edge_logs qualify n = 1`,
    [
      'order by timestamp',
      '  filter the rows of the window by event_message, timestamp',
      '    compute row-number over a window',
      '      filter by project, timestamp',
      '        read edge_logs',
    ],
  ],
  [
    'a union with a subquery',
    `select id from edge_logs where id in (select id from auth_logs) union all select id from postgres_logs`,
    [
      'order by timestamp',
      '  put the rows of all together',
      '    filter by id',
      '      look up the rows of subqueries',
      '        filter by project, timestamp',
      '          read edge_logs',
      '        filter by project, timestamp',
      '          read auth_logs',
      '    filter by project, timestamp',
      '      read postgres_logs',
    ],
  ],
  ['no table', 'select 1 as one', ['make one row']],
])('%s', (_, sql, expected) => {
  expect(lines(planOf(queryOf(sql)))).toEqual(expected);
});

it('a stored query, of a tied token', () => {
  expect(lines(planOf(queryOf(null, API_COUNTS_QUERY, 'one')))).toEqual([
    'order by timestamp',
    '  compute count of each group',
    '    group by timestamp',
    '      filter by timestamp, metadata.request.url',
    '        read edge_logs of the project one',
  ]);
});

it('joins of joins of joins are told, and counted, once each', () => {
  const doubled = Array.from({ length: 16 }, (_, at) => {
    const before = at === 0 ? 'edge_logs' : `c${at - 1}`;
    return `c${at} as (select x.id from ${before} x join ${before} y on x.id = y.id)`;
  });
  const query = queryOf(`with ${doubled.join(', ')} select id from c15`);
  const again = lines(planOf(query)).filter((line) => line.endsWith('read the same result again'));
  expect([again.length, scansOf(query).length]).toEqual([15, 2]);
});
