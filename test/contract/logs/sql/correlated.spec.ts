/** Subqueries that depend on the query around them, outer joins by other conditions than `=`, and texts of numbers, worked out by hand. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Json } from '../../../../src/foundation/log-store/sources.js';
import { ASKED_AT, type LogQueries, openLogQueries } from '../../../support/log-queries.js';

const HOUR = 3_600_000_000;

/** Newest first, an hour apart; the sign-ins are half an hour before the first and the second. */
const REQUESTS = [
  { user: 'ann', n: 1, tags: ['b', 'a'], f: 2.5e16 },
  { user: 'bob', n: 2, tags: [], f: 0.000025 },
  { user: 'ann', n: 3, f: 0.0000025 },
  { n: 4, f: -1e21 },
];
const SIGN_INS = [{ user: 'ann' }, { user: 'cid' }];

let world: LogQueries;
beforeAll(async () => {
  world = await openLogQueries({
    edge_logs: REQUESTS.map((metadata, at) => ({
      timestamp: ASKED_AT - at * HOUR,
      eventMessage: `request ${at + 1}`,
      metadata,
    })),
    auth_logs: SIGN_INS.map((metadata, at) => ({
      timestamp: ASKED_AT - at * HOUR - HOUR / 2,
      eventMessage: `sign-in ${at + 1}`,
      metadata,
    })),
  });
});
afterAll(() => world.close());

const SAME_USER = 'a.metadata.user = e.metadata.user';

it.each<[expression: string, values: readonly Json[]]>([
  [`(select count(*) from auth_logs a where ${SAME_USER})`, [1, 0, 1, 0]],
  [`(select count(*) + 1 from auth_logs a where ${SAME_USER})`, [2, 1, 2, 1]],
  [`(select nullif(count(*), 1) from auth_logs a where ${SAME_USER})`, [null, 0, null, 0]],
  [
    `(select max(a.event_message) from auth_logs a where ${SAME_USER})`,
    ['sign-in 1', null, 'sign-in 1', null],
  ],
  [
    `(select ifnull(max(a.event_message), '-') from auth_logs a where ${SAME_USER})`,
    ['sign-in 1', '-', 'sign-in 1', '-'],
  ],
  ['(select count(*) from auth_logs a where a.timestamp < e.timestamp)', [2, 1, 0, 0]],
  [
    '(select a.event_message from auth_logs a where a.timestamp < e.timestamp limit 1)',
    ['sign-in 1', 'sign-in 2', null, null],
  ],
  [
    '(select a.event_message from auth_logs a where a.timestamp < e.timestamp order by a.timestamp limit 1)',
    ['sign-in 2', 'sign-in 2', null, null],
  ],
  [
    'array(select a.event_message from auth_logs a where a.timestamp < e.timestamp)',
    [['sign-in 1', 'sign-in 2'], ['sign-in 2'], [], []],
  ],
  [
    'array(select a.event_message from auth_logs a where a.timestamp < e.timestamp order by a.timestamp limit 1)',
    [['sign-in 2'], ['sign-in 2'], [], []],
  ],
  [
    '(select array_agg(a.event_message order by a.event_message) from auth_logs a where a.timestamp < e.timestamp)',
    [['sign-in 1', 'sign-in 2'], ['sign-in 2'], null, null],
  ],
  [`exists (select 1 from auth_logs a where ${SAME_USER} limit 1)`, [true, false, true, false]],
  [
    `exists (select 1 from auth_logs a where ${SAME_USER} and a.timestamp > e.timestamp)`,
    [false, false, true, false],
  ],
  [
    'e.metadata.user in (select a.metadata.user from auth_logs a where a.timestamp < e.timestamp)',
    [true, false, false, false],
  ],
  ['e.metadata.user in (select a.metadata.user from auth_logs a)', [true, false, true, null]],
  [
    'e.metadata.user not in (select t.metadata.user from edge_logs t where t.metadata.n > 2)',
    [false, null, false, null],
  ],
  ['(select count(*) from unnest(e.metadata.tags) as g)', [2, 0, 0, 0]],
  ["(select string_agg(g, '-' order by g) from unnest(e.metadata.tags) as g)", ['a-b', null, null, null]],
  ["array(select upper(g) from unnest(e.metadata.tags) as g where g <> 'a')", [['B'], [], [], []]],
  ["exists (select 1 from unnest(e.metadata.tags) as g where g = 'a')", [true, false, false, false]],
  ['cast(e.metadata.f as string)', ['2.5e+16', '2.5e-05', '2.5e-06', '-1e+21']],
])('%s', async (expression, values) => {
  const rows = await world.rows(`select ${expression} as x from edge_logs e where e.metadata.n > 0`);
  expect(rows.map(({ x }) => x)).toEqual(values);
});

it.each<[join: string, pairs: readonly (readonly Json[])[]]>([
  [
    'left join auth_logs a on e.timestamp < a.timestamp',
    [
      ['1', null],
      ['2', '1'],
      ['3', '1'],
      ['3', '2'],
      ['4', '1'],
      ['4', '2'],
    ],
  ],
  [
    'right join auth_logs a on e.timestamp > a.timestamp and e.metadata.n > 1',
    [
      ['2', '2'],
      [null, '1'],
    ],
  ],
  [
    `full join auth_logs a on ${SAME_USER} and e.timestamp > a.timestamp`,
    [
      ['1', '1'],
      ['2', null],
      ['3', null],
      ['4', null],
      [null, '2'],
    ],
  ],
])('edge_logs e %s', async (join, pairs) => {
  const rows = await world.rows(
    `select right(e.event_message, 1) as e, right(a.event_message, 1) as a from edge_logs e ${join} order by e nulls last, a`,
  );
  expect(rows.map(({ e, a }) => [e, a])).toEqual(pairs);
});
