/** Pages of entries and counted values of fields over real HTTP: complete whatever the limit, of one tenant, redacted as queries are. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EndpointApi, rowsOf, startEndpointApi, withToken } from '../../support/endpoint-api.js';

const MINE = 'projectmine';
const THEIRS = 'projecttheirs';
const MAX_ROWS = 10;
const ENDPOINT = 'pages';
/** The stored query of `pages`: as that of logs.all, with one table. */
const QUERY = `with edge_logs as (
  select t.id, t.timestamp, t.event_message, t.metadata from edge_logs as t
  where t.project = @project
    and (coalesce(@iso_timestamp_end, '') = '' or t.timestamp <= cast(@iso_timestamp_end as timestamp))
)
select id, timestamp, event_message, metadata from edge_logs`;
/** In microseconds. */
const START = Date.UTC(2026, 1, 3) * 1_000;
/** More entries of one microsecond than a page has rows. */
const AT_ONCE = 25;

const idOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** Newest first; the first AT_ONCE entries have one time. */
const ENTRIES = Array.from({ length: 60 }, (_, index) => ({
  id: idOf(999 - index),
  timestamp: index < AT_ONCE ? START : START - index * 1_000_001,
  event_message: index % 2 === 0 ? 'even heron' : 'odd heron',
  project: MINE,
  metadata: {
    path: `/${index % 4 === 0 ? 'often' : index}`,
    client: `192.0.2.${index}`,
    ...(index < 3 && { response: { status_code: 500 + index } }),
  },
}));

let api: EndpointApi;
let mine: Readonly<Record<string, string>>;
let untied: Readonly<Record<string, string>>;

beforeAll(async () => {
  api = await startEndpointApi();
  await api.ingest(ENTRIES);
  await api.ingest([
    { event_message: 'an osprey', project: THEIRS, timestamp: START, metadata: { path: '/osprey' } },
  ]);
  mine = withToken(await api.token(['query'], MINE));
  untied = withToken(api.tokens.query);
  const config = { name: ENDPOINT, query: QUERY, maxRows: MAX_ROWS };
  const created = await api.client.post('/api/endpoints', config, withToken(api.tokens.admin));
  expect(created.status).toBe(201);
});
afterAll(() => api?.close());

const post = (part: string, body: object = {}, headers = untied) =>
  api.client.post(`/api/endpoints/query/${ENDPOINT}/${part}`, { project: MINE, ...body }, headers);
const rows = async (part: string, body: object = {}, headers = untied) => {
  const reply = await post(part, body, headers);
  expect(reply.status).toBe(200);
  return rowsOf(reply.json);
};
const beside = (side: 'before' | 'after', row: Readonly<Record<string, unknown>> | undefined): string =>
  `entries?${new URLSearchParams({ [side]: `${row?.timestamp},${row?.id}` })}`;
const ids = (found: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] =>
  found.map(({ id }) => id);

describe('pages of entries', () => {
  /** All pages from here on, until one has no rows. */
  const pagesOf = async (first: string, side: 'before' | 'after', body: object = {}) => {
    const pages = [await rows(first, body)];
    for (let last = pages.at(-1)?.at(-1); last; last = pages.at(-1)?.at(-1))
      pages.push(await rows(beside(side, last), body));
    return pages.flat();
  };

  it('have each entry once, newest first, also those of one microsecond', async () => {
    expect(ids(await pagesOf('entries', 'before'))).toEqual(ids(ENTRIES));
  });

  it('go on towards newer entries, oldest first', async () => {
    const [oldest] = [...ENTRIES].reverse();
    const [first] = await rows('entries', { lql: `id:"${oldest?.id}"` });
    expect(ids(await pagesOf(beside('after', first), 'after'))).toEqual(ids([...ENTRIES].reverse().slice(1)));
  });

  it('hold what the filter finds in the time of the call, with its columns, and say that there is more', async () => {
    const body = { lql: 'even', iso_timestamp_end: '2026-02-02T23:59:59Z' };
    const even = ENTRIES.filter(
      ({ event_message, timestamp }) => event_message === 'even heron' && timestamp < START,
    );
    expect(ids(await pagesOf('entries', 'before', body))).toEqual(ids(even));
    const reply = await post('entries', body);
    expect([reply.headers['podium-truncated'], Object.keys(rowsOf(reply.json)[0] ?? {})]).toEqual([
      'true',
      ['id', 'timestamp', 'event_message', 'metadata'],
    ]);
    expect(await rows('entries?limit=3', body)).toEqual(rowsOf(reply.json).slice(0, 3));
    const last = await post(beside('before', { timestamp: '2026-02-02T23:59:02Z', id: idOf(0) }), body);
    expect([rowsOf(last.json).length > 0, last.headers['podium-truncated']]).toEqual([true, undefined]);
  });
});

describe('values of a field', () => {
  it('are counted over all entries that the filter finds, the most frequent first, and at most 20', async () => {
    const found = await rows('values?field=m.path', { lql: 'even' });
    // No more than the endpoint returns.
    expect(found.length).toBe(MAX_ROWS);
    expect(found[0]).toEqual({ value: '/often', count: 15 });
    const logsAll = await api.client.post(
      '/api/endpoints/query/logs.all/values?field=metadata.path',
      { project: MINE },
      untied,
    );
    expect(rowsOf(logsAll.json).length).toBe(20);
  });

  it('keep their types, and count the entries without one', async () => {
    expect(await rows('values?field=m.response.status_code')).toEqual([
      { value: null, count: ENTRIES.length - 3 },
      { value: 500, count: 1 },
      { value: 501, count: 1 },
      { value: 502, count: 1 },
    ]);
    expect(await rows('values?field=m.never.seen')).toEqual([{ value: null, count: ENTRIES.length }]);
    expect(await rows('values?field=event_message')).toEqual([
      { value: 'even heron', count: 30 },
      { value: 'odd heron', count: 30 },
    ]);
  });
});

describe('both', () => {
  it.each([
    'entries',
    'entries?after=2026-01-01T00:00:00Z,x',
    'values?field=m.path',
    'values?field=event_message',
  ])('%s are of the project of the token, whatever the call says', async (part) => {
    const tied = await post(part, { project: THEIRS }, mine);
    expect([tied.status, rowsOf(tied.json)]).toEqual([200, []]);
    expect((await post(part, { project: THEIRS })).text).toContain('osprey');
    const theirs = withToken(await api.token(['query'], THEIRS));
    expect(rowsOf((await post(part, {}, theirs)).json)).toEqual([]);
  });

  it('need the scope of the endpoint', async () => {
    for (const part of ['entries', 'values?field=m.path']) {
      expect((await post(part, {}, {})).status).toBe(401);
      expect((await post(part, {}, withToken(api.tokens.ingest))).status).toBe(403);
    }
  });

  it.each(['entries', 'values?field=m.client'])('%s are redacted as the call asks', async (part) => {
    expect((await post(part)).text).toContain('192.0.2.');
    const redacted = await post(part, {}, { ...untied, 'svc-endpoint-redact-pii': 'true' });
    expect(redacted.text).toContain('REDACTED');
    expect(redacted.text).not.toContain('192.0.2.');
  });

  it.each<[string, object, string]>([
    ['entries?before=yesterday', {}, 'before must be the timestamp and the id of an entry'],
    ['entries?after=yesterday,x', {}, 'after must be the timestamp and the id of an entry'],
    ['entries?before=2026-02-03,x&after=2026-02-03,x', {}, 'after must be missing when before is given'],
    ['entries?before=2026-02-03,x&before=2026-02-03,x', {}, 'before is given 2 times'],
    ['entries?limit=0', {}, 'limit must be an integer from 1 to'],
    ['entries', { sql: 'select 1' }, 'sql has no such parts: send a filter in lql'],
    ['entries', { lql: 'even s:id' }, 'expected filters only, without s: and c: (line 1, column 8)'],
    ['entries', { lql: 'c:count(*)' }, 'expected filters only, without s: and c: (line 1, column 3)'],
    ['entries', { lql: 'f:auth_logs' }, 'expected edge_logs, but found auth_logs'],
    ['entries', { lql: 'm.x:' }, 'expected a comparison'],
    ['values', {}, 'field must be the path of a field, such as m.response.status_code'],
    ['values?field=m.x%20c:count(*)', {}, 'field must be the path of a field'],
    ['values?field=project', {}, 'there is no column project'],
  ])('%s with %j is refused: %s', async (part, body, detail) => {
    const reply = await post(part, body);
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(detail)]);
  });
});
