/** LQL on the engine: each construct with the entries that it finds, worked out by hand. It is 2026-03-17T12:00:00Z, a Tuesday. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryProblem } from '../../../src/logs/sql/query-problem.js';
import { ASKED_AT, type LogQueries, openLogQueries } from '../../support/log-queries.js';
import { askLql } from '../../support/lql-queries.js';

const MINUTE = 60_000_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Named by the first letter of the id. */
const id = (letter: string): string => `${letter}0000000-0000-4000-8000-000000000000`;

const ENTRIES = [
  {
    id: id('a'),
    timestamp: ASKED_AT - 30_000_000,
    eventMessage: 'POST | 500 | /rest/v1/todos "quoted" 100%',
    metadata: {
      level: 'error',
      response: { status_code: 500, origin_time: 12.5 },
      user: { roles: ['admin', 'new subscriber'], plan: null, version: '1.10', ids: [7, 12] },
      cached: false,
      odd: 5.5,
    },
  },
  {
    id: id('b'),
    timestamp: ASKED_AT - 90 * MINUTE,
    eventMessage: 'GET | 200 | /auth/v1/token server_7',
    metadata: {
      level: 'info',
      response: { status_code: 200, origin_time: 3 },
      user: { roles: ['guest'], plan: 'free', version: '1.1', ids: [] },
      cached: true,
      odd: '5.50',
    },
  },
  {
    id: id('c'),
    timestamp: ASKED_AT - 2 * DAY,
    eventMessage: 'GET | 304 | /Storage/v1/a b\\c',
    metadata: { level: 'warning', response: { status_code: 304 }, user: { plan: 'My Company' }, odd: 1e21 },
  },
  { id: id('d'), timestamp: ASKED_AT - 40 * DAY, eventMessage: 'nothing known of it', metadata: {} },
  { id: id('e'), timestamp: ASKED_AT + MINUTE, eventMessage: 'from the future', metadata: { level: 'info' } },
];

let queries: LogQueries;

beforeAll(async () => {
  queries = await openLogQueries({
    edge_logs: ENTRIES,
    auth_logs: [{ id: id('f'), eventMessage: 'login', metadata: { level: 'info', duration: 7 } }],
  });
});
afterAll(() => queries.close());

const found = async (text: string): Promise<string> => {
  const { rows } = await askLql(queries, text);
  return rows.map((row) => String(row.id).charAt(0)).join('');
};

describe('an LQL filter', () => {
  const table: readonly (readonly [string, string])[] = [
    ['', 'eabcd'],
    [' \n ', 'eabcd'],
    // Messages
    ['GET', 'bc'],
    ['get', ''],
    ['GET v1', 'bc'],
    ['GET -auth', 'c'],
    ['-GET -POST', 'ed'],
    ['100%', 'a'],
    // A field of several types: a number however it is written, a text as it is.
    ['m.odd:5.5', 'a'],
    ['m.odd:5.50', 'ab'],
    ['m.odd:"5.50"', 'ab'],
    ['-m.odd:5.50', 'ecd'],
    ['m.odd:1e21', 'c'],
    ['m.odd:1e+21', 'c'],
    ['m.odd:1000000000000000000000', 'c'],
    ['ser_er', ''],
    ['server_7', 'b'],
    ['"GET | 200"', 'b'],
    ['-"GET | 200"', 'eacd'],
    ['"\\"quoted\\""', 'a'],
    ['\\"quoted\\"', 'a'],
    ['"b\\\\c"', 'c'],
    ['"b\\c"', 'c'],
    ['~server_\\d', 'b'],
    ['~^GET', 'bc'],
    ['~(?i)storage|AUTH', 'bc'],
    ['~"(?i)todos \\"QUOTED\\""', 'a'],
    ['~"a b\\\\c$"', 'c'],
    ['-~v\\d', 'ed'],
    // Fields
    ['m.level:error', 'a'],
    ['metadata.level:error', 'a'],
    ['m.level:Error', ''],
    ['-m.level:info', 'acd'],
    ['m.response.status_code:500', 'a'],
    ['m.response.status_code:"500"', 'a'],
    ['m.response.status_code:500.0', 'a'],
    ['m.response.status_code:>=3.04e2', 'ac'],
    ['m.no.such.field:>=abc', ''],
    ['m.level.no.field:NULL', 'eabcd'],
    ['m.user.version:<=0000000000000002', 'ab'],
    ['m.user.ids:"[7,12]"', 'a'],
    ['m.response.status_code:>300', 'ac'],
    ['m.response.status_code:>=304', 'ac'],
    ['m.response.status_code:<304', 'b'],
    ['m.response.status_code:<=304', 'bc'],
    ['-m.response.status_code:>300', 'ebd'],
    ['m.response.origin_time:>3.25', 'a'],
    ['m.response.status_code:200..304', 'bc'],
    ['m.response.origin_time:3..12.5', 'ab'],
    ['m.response.status_code:~^[23]', 'bc'],
    ['m.user.version:1.1', 'b'],
    ['m.user.version:1.10', 'a'],
    ['m.user.plan:"My Company"', 'c'],
    ['-m.user.plan:"My Company"', 'eabd'],
    ['m.user.plan:NULL', 'ead'],
    ['-m.user.plan:NULL', 'bc'],
    ['m.user.plan:"NULL"', ''],
    ['m.cached:true', 'b'],
    ['m.cached:false', 'a'],
    ['-m.cached:true', 'eacd'],
    ['m.level:~"warn|err"', 'ac'],
    ['m.level:f..z', 'ebc'],
    ['m.user.roles:@>guest', 'b'],
    ['m.user.roles:@>"new subscriber"', 'a'],
    ['-m.user.roles:@>guest', 'eacd'],
    ['m.user.ids:@>12', 'a'],
    ['m.user.roles:@>~^ad', 'a'],
    ['m.user.roles:@>~"new sub.*"', 'a'],
    ['m.no.such.field:1', ''],
    [`id:${id('c')}`, 'c'],
    ['event_message:~token', 'b'],
    // Times
    ['t:today', 'eab'],
    ['t:yesterday', ''],
    ['t:now', 'a'],
    ['-t:today', 'cd'],
    ['t:last@15minutes', 'a'],
    ['t:last@91m', 'ab'],
    ['t:last@90minutes', 'a'],
    ['t:last@5400seconds', 'a'],
    ['t:last@2hours', 'ab'],
    ['t:last@2days', 'ab'],
    ['t:last@3days', 'abc'],
    ['t:last@1week', 'abc'],
    ['t:last@1month', 'abc'],
    ['t:last@2months', 'abcd'],
    ['t:last@2mm', 'abcd'],
    ['t:last@1year', 'abcd'],
    ['t:this@minute', ''],
    ['t:this@hour', 'e'],
    ['t:this@day', 'eab'],
    ['t:this@week', 'eab'],
    ['t:this@month', 'eabc'],
    ['t:this@year', 'eabcd'],
    ['t:>2026-03-17T10:30:00Z', 'ea'],
    ['t:>=2026-03-17T10:30:00', 'eab'],
    ['t:>=2026-03-17T12:30:00+02:00', 'eab'],
    ['t:<2026-03-17T10:30', 'cd'],
    ['t:<=2026-03-17T10:30:00.000000', 'bcd'],
    ['t:2026-03-15', 'c'],
    ['timestamp:2026-03-15T12:00:00Z', 'c'],
    ['t:2026-03-{15..17}', 'eabc'],
    ['t:2026-03-{15..17}T{00..11}:00', 'bc'],
    ['t:2026-03-15T12:00:00..2026-03-17T10:30:00', 'bc'],
    ['t:2026-03-15..2026-03-17', 'eabc'],
    ['t:yesterday..now', 'ab'],
    ['t:1773576000..1773743400', 'bc'],
    ['t:1773576000000..1773743400000', 'bc'],
    ['t:1773576000000000..1773743399999999', 'c'],
    ['t:1773576000', 'c'],
    // Severities
    ['m.level:info..error', 'eabc'],
    ['m.level:warning..critical', 'ac'],
    ['-m.level:debug..emergency', 'd'],
    ['m.level:"info".."warning"', 'ebc'],
    // Patterns in quotes
    ['~"server_\\d$"', 'b'],
    ['~"server_\\\\d$"', 'b'],
    // Together
    ['GET m.response.status_code:>=300 -t:today ~v1', 'c'],
    ['f:edge_logs m.level:error', 'a'],
    ['from:auth_logs', 'f'],
  ];

  it.each(table)('%s finds %s', async (text, expected) => {
    expect(await found(text)).toBe(expected);
  });
});

describe('an LQL result', () => {
  const table: readonly (readonly [string, readonly (readonly unknown[])[]])[] = [
    [
      's:m.level s:m.response.status_code@code GET',
      [
        ['info', 200],
        ['warning', 304],
      ],
    ],
    ['s:t s:m.user.plan "nothing known"', [['2026-02-05T12:00:00.000000Z', null]]],
    ['c:count(*)', [[5]]],
    ['c:count(m.level)', [[4]]],
    ['c:countd(m.level)', [[3]]],
    ['c:countd(*)', [[5]]],
    ['c:countd(*) GET', [[2]]],
    ['c:sum(m.response.status_code) c:avg(m.response.origin_time)', [[1004, 7.75]]],
    ['c:max(m.response.status_code) c:p50(m.response.status_code)', [[500, 304]]],
    ['c:p95(m.response.status_code) c:p99(m.response.status_code)', [[500, 500]]],
    ['c:count(*) nothing-at-all', [[0]]],
    [
      'c:count(*) c:group_by(t::day) t:last@1week',
      [
        ['2026-03-15T00:00:00.000000Z', 1],
        ['2026-03-17T00:00:00.000000Z', 2],
      ],
    ],
    ['c:max(m.response.status_code) c:group_by(t::hour) POST', [['2026-03-17T11:00:00.000000Z', 500]]],
    ['c:group_by(t::minute) POST', [['2026-03-17T11:59:00.000000Z', 1]]],
    ['c:group_by(timestamp::second) POST', [['2026-03-17T11:59:30.000000Z', 1]]],
    [
      'c:count(*) s:m.level m.level:~.',
      [
        ['error', 1],
        ['info', 2],
        ['warning', 1],
      ],
    ],
    ['f:auth_logs c:sum(m.duration)', [[7]]],
  ];

  it.each([
    ['s:err level:error', { err: expect.stringContaining('500') }],
    ['level:error', { err: expect.stringContaining('500'), level: 'error' }],
    ['f:errors c:count(*)', { count: 5 }],
  ])('%s of tables without a time', async (text, expected) => {
    const sql =
      'with errors as (select event_message as err, metadata.level from edge_logs) select err from errors';
    const { rows } = await askLql(queries, text, { stored: { text: sql, sandboxed: true } });
    expect(rows).toEqual([expected]);
  });

  it.each(table)('%s is %j', async (text, expected) => {
    const { columns, rows } = await askLql(queries, text);
    expect(rows.map((row) => columns.map((column) => row[column]))).toEqual(expected);
  });

  it.each([
    ['', 'id timestamp event_message metadata'],
    ['s:*', 'id timestamp event_message metadata'],
    ['s:id s:m.user.plan', 'id plan'],
    ['c:count(*) c:group_by(t::day)', 'timestamp count'],
    ['c:sum(m.a) c:max(m.a.b) c:max(m.a.c)', 'sum max_b max_c'],
  ])('of %j has the columns %s', async (text, expected) => {
    expect((await askLql(queries, text)).columns.join(' ')).toBe(expected);
  });
});

describe('an LQL query that the tables cannot answer', () => {
  it.each([
    ['m.a:1 →severity:error', 'there is no column severity'],
    ['m.level:~→"(never closed"', 'not a regular expression'],
    ['c:sum(→project)', 'there is no column project'],
    // What these fields hold is known, and is nothing that this could be said of.
    [
      'm.response.status_code:→true',
      'expected a number, but found true: m.response.status_code holds nothing else',
    ],
    ['m.response.status_code:→word', 'expected a number, but found word'],
    ['m.response.status_code:→5*', 'expected a number, but found 5*'],
    ['m.response.status_code:>=→abc', 'expected a number, but found abc'],
    ['-m.response.status_code:>=→"abc"', 'expected a number, but found abc'],
    ['m.response.origin_time:1..→3s', 'expected a number, but found 3s'],
    ['m.response.origin_time:→x..3', 'expected a number, but found x'],
    ['metadata.response.origin_time:<→0x3', 'found 0x3: m.response.origin_time holds nothing else'],
    ['m.cached:→5', 'expected true or false, but found 5'],
    ['m.cached:>→5', 'expected true or false, but found 5'],
    ['m.cached:→yes', 'expected true or false, but found yes'],
    ['m.user.ids:@>→seven', 'expected a number, but found seven'],
    ['m.user.ids:@>→true', 'expected a number, but found true'],
    ['→m.level:@>error', 'expected a field with arrays: m.level is always a text'],
    [
      '→m.response.status_code:@>5',
      'expected a field with arrays: m.response.status_code is always a whole number',
    ],
    ['→event_message.x:5', 'a text has no fields'],
  ])('%s is pointed at', async (marked, message) => {
    const text = marked.replace('→', '');
    const problem: QueryProblem = await askLql(queries, text).then(
      () => Promise.reject(new Error('was answered')),
      (error: QueryProblem) => error,
    );
    expect(problem.code).toBe('lql-refused');
    expect(problem.place?.offset).toBe(marked.indexOf('→'));
    expect(problem.message).toContain(message);
  });
});
