/** What a query would read, counted on the engine: the entries of its time range and project, whatever else it filters by. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { estimateQuery, scansOf } from '../../../../src/logs/sql/scans.js';
import { type EntrySketch, NOON } from '../../../support/log-entries.js';
import { type Asked, type LogQueries, openLogQueries } from '../../../support/log-queries.js';

const HOUR = 3_600_000_000;

/** Six of project `one`, an hour apart, the last at noon; three of another at noon. */
const edge: readonly EntrySketch[] = [
  ...[0, 1, 2, 3, 4, 5].map((hours) => ({
    timestamp: NOON - hours * HOUR,
    eventMessage: `héron ${hours}`,
    metadata: { response: { status_code: 200 + hours } },
  })),
  ...[0, 1, 2].map(() => ({ project: 'two', eventMessage: 'osprey'.repeat(100) })),
];
const functions: readonly EntrySketch[] = ['one', 'one', 'two'].map((project_ref, index) => ({
  timestamp: NOON - index * HOUR,
  metadata: { project_ref },
  project: null,
}));

let world: LogQueries;
beforeAll(async () => {
  world = await openLogQueries({ edge_logs: edge, function_logs: functions });
});
afterAll(() => world.close());

const scansIn = async (sql: string | null, asked: Asked = {}) => {
  const scans = scansOf(world.compiled(sql, asked).query);
  const query = estimateQuery(scans);
  if (query === null) return [];
  const parameters = asked.parameters ?? { project: 'one' };
  const options = { parameters, now: NOON, maxRows: 100, timeoutMs: 200_000 };
  const { rows } = await world.store.run(query, options);
  const byScan = new Map(rows.map((row) => [row.scan, row]));
  return scans.map(({ source, narrowedBy }, index) => {
    const row = byScan.get(index);
    return { source, narrowedBy, entries: row?.entries, bytes: row?.bytes };
  });
};

const entriesIn = async (sql: string | null, asked: Asked = {}) =>
  (await scansIn(sql, asked)).map(({ source, entries }) => [source, entries]);

const SINCE = `timestamp >= timestamp '2026-03-01 10:00:00'`;
const OPEN = { text: 'select 1 as one from edge_logs', sandboxed: false };

it.each<[string, string, readonly (readonly [string, number])[]]>([
  ['all of the project', 'select count(*) as n from edge_logs', [['edge_logs', 6]]],
  ['a time range', `select id from edge_logs where ${SINCE}`, [['edge_logs', 3]]],
  [
    'a time range beside other conditions',
    `select id from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as r
     where r.status_code = 201 and ${SINCE.replace('timestamp', 't.timestamp')}`,
    [['edge_logs', 3]],
  ],
  ['another condition', `select id from edge_logs where event_message = 'héron 1'`, [['edge_logs', 6]]],
  [
    'a time or another condition',
    `select id from edge_logs where event_message = 'héron 1' or ${SINCE}`,
    [['edge_logs', 6]],
  ],
  [
    'a join',
    `select e.id from edge_logs e join function_logs f on e.id = f.id where e.${SINCE}`,
    [
      ['edge_logs', 3],
      ['function_logs', 2],
    ],
  ],
  [
    'a time range over a union',
    `select moment from (select timestamp as moment from edge_logs union all select timestamp from function_logs)
     where moment >= timestamp '2026-03-01 11:30:00'`,
    [
      ['edge_logs', 1],
      ['function_logs', 1],
    ],
  ],
  [
    'a time range over a limit',
    `select timestamp from (select timestamp from edge_logs order by timestamp limit 1) where ${SINCE}`,
    [['edge_logs', 6]],
  ],
  [
    'a subquery in a condition',
    `select id from edge_logs where ${SINCE} and id in (select id from function_logs)`,
    [
      ['edge_logs', 3],
      ['function_logs', 2],
    ],
  ],
  [
    'a subquery with a time range in its WITH',
    `with late as (select id, timestamp from edge_logs where ${SINCE}) select count(*) as n from late`,
    [['edge_logs', 3]],
  ],
  [
    'a source that is read twice',
    'select x.id from edge_logs x join edge_logs y on x.id = y.id',
    [
      ['edge_logs', 6],
      ['edge_logs', 6],
    ],
  ],
  [
    'a join that is computed once and read twice',
    `with a as (select e.id from edge_logs e join function_logs f on e.id = f.id)
     select x.id from a x join a y on x.id = y.id`,
    [
      ['edge_logs', 6],
      ['function_logs', 2],
    ],
  ],
  ['no table', 'select 1 as one', []],
])('%s', async (_, sql, expected) => {
  expect(await entriesIn(sql)).toEqual(expected);
});

it('the time range of the parameters', async () => {
  const parameters = { project: 'one', iso_timestamp_start: '2026-03-01T10:30:00Z' };
  expect(await entriesIn(null, { parameters })).toEqual([['edge_logs', 2]]);
});

it('the bytes of messages and metadata as they are stored', async () => {
  const own = edge.filter(({ project }) => project === undefined);
  const bytes = own.reduce(
    (sum, { eventMessage = '', metadata }) =>
      sum + Buffer.byteLength(eventMessage) + Buffer.byteLength(JSON.stringify(metadata)),
    0,
  );
  const [scan] = await scansIn('select 1 as one from edge_logs');
  expect(Number(scan?.bytes) * 6).toBeCloseTo(bytes, 6);
});

it.each(['edge_logs', 'function_logs'])('a tied token: of its project alone, in %s', async (source) => {
  const asked = { stored: OPEN, onlyProject: 'two', parameters: { project: 'one' } };
  const [scan] = await scansIn(`select 1 as one from ${source}`, asked);
  expect(scan).toMatchObject({ source, narrowedBy: ['project'], entries: source === 'edge_logs' ? 3 : 1 });
  const all = await entriesIn(`select 1 as one from ${source}`, { stored: OPEN });
  expect(all).toEqual([[source, source === 'edge_logs' ? 9 : 3]]);
  expect(
    await entriesIn(`select 1 as one from ${source}`, { onlyProject: 'two', parameters: { project: 'one' } }),
  ).toEqual([[source, 0]]);
});
