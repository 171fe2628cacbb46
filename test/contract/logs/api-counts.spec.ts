/**
 * usage.api-counts on the engine, by entries made by hand around every edge: of the windows (the beginning is out, the end
 * is in), of the buckets, and of what counts as what.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonRecord } from '../../../src/foundation/log-store/sources.js';
import { API_COUNTS_QUERY } from '../../../src/logs/endpoints/stored/usage-api-counts.js';
import type { EntrySketch } from '../../support/log-entries.js';
import { type LogQueries, openLogQueries } from '../../support/log-queries.js';

/** 2026-03-17T12:34:56.789012Z */
const NOW = Date.UTC(2026, 2, 17, 12, 34, 56) * 1_000 + 789_012;
const MINUTE = 60_000_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A request at this moment; its URL says whose it is, its path what it counts as. */
const request = (timestamp: number, path: string, project: string): EntrySketch => ({
  timestamp,
  project: null,
  metadata: { request: { path, url: `https://${project}.example${path}` } },
});

/** Whose entries are for one question only, told apart by the project. */
const ENTRIES: readonly EntrySketch[] = [
  ...[-HOUR, -HOUR + 1, -1, 0, 1].map((after) => request(NOW + after, '/rest/v1', 'window-hourly')),
  ...[-7 * DAY, -7 * DAY + 1, 0, 1].map((after) => request(NOW + after, '/rest/v1', 'window-daily')),
  ...[-60 * MINUTE, -60 * MINUTE + 1, 0, 1].map((after) =>
    request(NOW + after, '/rest/v1', 'window-minutely'),
  ),
  ...[Date.UTC(2026, 2, 17, 12), Date.UTC(2026, 2, 17), Date.UTC(2026, 2, 17, 12, 30)].flatMap((edge) => [
    request(edge * 1_000 - 1, '/rest/v1', 'edges'),
    request(edge * 1_000, '/rest/v1', 'edges'),
  ]),
  request(NOW, '/rest/v1', 'kinds'),
  request(NOW, '/storage/v1/object/rest/x', 'kinds'),
  request(NOW, '/auth/v1/realtime', 'kinds'),
  request(NOW, '/graphql', 'kinds'),
  request(NOW, '/Rest/v1', 'kinds'),
  request(NOW, 'rest', 'kinds'),
  request(NOW, '/graphql', 'nothing'),
  { timestamp: NOW, metadata: { request: { url: 'https://pathless.example' } } },
  { timestamp: NOW, metadata: { request: { path: '/rest/v1' } }, project: 'urlless' },
  { timestamp: NOW, metadata: {}, project: 'requestless' },
  request(NOW, '/rest/v1', 'alpha-1'),
  request(NOW, '/rest/v1', 'alpha-2'),
  request(NOW, '/rest/v1', 'beta'),
];

let logs: LogQueries;
beforeAll(async () => {
  logs = await openLogQueries({ edge_logs: ENTRIES });
});
afterAll(() => logs?.close());

const STORED = { text: API_COUNTS_QUERY, sandboxed: true };
const ask = (interval: string | null, project: string | null): Promise<readonly JsonRecord[]> =>
  logs.rows(null, { stored: STORED, parameters: { interval, project }, now: NOW });
/** Buckets with their number of rest requests. */
const rest = async (interval: string, project: string) =>
  (await ask(interval, project)).map((row) => [row.timestamp, row.total_rest_requests]);

const row = (
  timestamp: string,
  counts: Partial<Record<'rest' | 'storage' | 'auth' | 'realtime', number>>,
) => ({
  timestamp,
  total_rest_requests: counts.rest ?? 0,
  total_storage_requests: counts.storage ?? 0,
  total_auth_requests: counts.auth ?? 0,
  total_realtime_requests: counts.realtime ?? 0,
});

/** Rest requests by the beginning of their bucket, in the order of the answer. */
type Buckets = Readonly<Record<string, number>>;

describe('the window', () => {
  it.each<[string, string, Buckets]>([
    [
      'hourly',
      'the last hour, its beginning out and its end in',
      { '2026-03-17T11:00:00.000000Z': 1, '2026-03-17T12:00:00.000000Z': 2 },
    ],
    ['daily', 'the last seven days', { '2026-03-10T00:00:00.000000Z': 1, '2026-03-17T00:00:00.000000Z': 1 }],
    [
      'minutely',
      'the last sixty minutes',
      { '2026-03-17T11:34:00.000000Z': 1, '2026-03-17T12:34:00.000000Z': 1 },
    ],
  ])('of %s is %s', async (interval, _, buckets) =>
    expect(await rest(interval, `window-${interval}`)).toEqual(Object.entries(buckets)),
  );
});

describe('the buckets begin in UTC, the earliest first, and only where something falls in', () => {
  it.each<[string, string, Buckets]>([
    ['on the hour', 'hourly', { '2026-03-17T11:00:00.000000Z': 1, '2026-03-17T12:00:00.000000Z': 3 }],
    ['at midnight', 'daily', { '2026-03-16T00:00:00.000000Z': 1, '2026-03-17T00:00:00.000000Z': 5 }],
    [
      'on the minute',
      'minutely',
      {
        '2026-03-17T11:59:00.000000Z': 1,
        '2026-03-17T12:00:00.000000Z': 1,
        '2026-03-17T12:29:00.000000Z': 1,
        '2026-03-17T12:30:00.000000Z': 1,
      },
    ],
  ])('%s', async (_, interval, buckets) =>
    expect(await rest(interval, 'edges')).toEqual(Object.entries(buckets)),
  );
});

describe('a request counts', () => {
  const NOON = '2026-03-17T12:00:00.000000Z';

  it('as everything that its path contains, in any column', async () =>
    expect(await ask('hourly', 'kinds')).toEqual([row(NOON, { rest: 2, storage: 1, auth: 1, realtime: 1 })]));
  it('as nothing where its path contains none of them, or is missing: the sums are 0', async () => {
    expect(await ask('hourly', 'nothing')).toEqual([row(NOON, {})]);
    expect(await ask('hourly', 'pathless')).toEqual([row(NOON, {})]);
  });
  it('for the projects whose pattern its URL matches', async () => {
    expect(await rest('hourly', 'alpha')).toEqual([[NOON, 2]]);
    expect(await rest('hourly', 'alpha-[13]')).toEqual([[NOON, 1]]);
    expect(await rest('hourly', '^https://(beta|alpha-2)[.]')).toEqual([[NOON, 2]]);
    expect(await rest('hourly', 'ALPHA')).toEqual([]);
  });
  it('for no project where it has no URL', async () => {
    for (const project of ['urlless', 'requestless']) expect(await ask('hourly', project)).toEqual([]);
  });
  it('not in a call without a project or an interval', async () => {
    expect(await ask('hourly', null)).toEqual([]);
    expect(await ask(null, 'kinds')).toEqual([]);
  });
});
