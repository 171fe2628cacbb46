/** Results of endpoints as CSV, NDJSON and Parquet over real HTTP: the same rows and limits as in JSON. Whose rows: ways-out.spec.ts. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { callOf, type EndpointApi, rowsOf, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { ENTRY_TYPES, readParquet } from '../../support/parquet.js';

let api: EndpointApi;
let reader: Readonly<Record<string, string>>;

/** The server's own requests are in another. */
const SOURCE = 'postgres_logs';
const AT = '2026-03-17T14:47:02.123456Z';
const FORMULA = '=HYPERLINK("http://203.0.113.9/x","here, click")';

const entry = (index: number, more: object = {}) => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  timestamp: AT.replace('02', String(10 + index)),
  event_message: `message ${index}`,
  project: 'p1',
  metadata: { n: index, request: { path: `/rest/${index}` } },
  ...more,
});

const endpoint = async (config: object): Promise<void> => {
  const made = await api.client.post('/api/endpoints', config, withToken(api.tokens.admin));
  expect(made.status).toBe(201);
};

beforeAll(async () => {
  api = await startEndpointApi();
  reader = withToken(api.tokens.query);
  await api.ingest(
    [entry(1, { event_message: FORMULA }), entry(2), entry(3, { metadata: { n: null } })],
    SOURCE,
  );
  await api.ingest([entry(4, { project: 'p2', event_message: 'of another project' })], SOURCE);
  const query =
    'with t as (select event_message, metadata, timestamp from postgres_logs) select event_message from t';
  await endpoint({ name: 'kept', query, cachingSeconds: 600 });
  await endpoint({ name: 'short', query, maxRows: 2 });
  await endpoint({ name: 'own-format', query: 'select @format as format, count(*) as n from postgres_logs' });
});
afterAll(() => api?.close());

type Given = Readonly<Record<string, string>>;

const download = (name: string, parameters: Given, headers: Given = {}) =>
  api.client.get(callOf(name, parameters), { ...reader, ...headers });

const ALL = {
  project: 'p1',
  sql: 'select id, timestamp, event_message, metadata, m.n as n from postgres_logs cross join unnest(metadata) as m order by id',
};

const jsonRows = async (name: string, parameters: Given, headers: Given = {}) =>
  rowsOf((await download(name, parameters, headers)).json);

/** The cells of all lines. */
const cellsOf = (text: string): readonly (readonly string[])[] => parse(text, { recordDelimiter: '\r\n' });

describe('the same rows', () => {
  it('as CSV, of which no cell is a formula', async () => {
    const { status, headers, text } = await download('logs.all', { ...ALL, format: 'csv' });
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="logs.all.csv"',
    ]);
    const [head, first, ...others] = cellsOf(text);
    expect(head).toEqual(['id', 'timestamp', 'event_message', 'metadata', 'n']);
    expect(first).toEqual([
      entry(1).id,
      entry(1).timestamp,
      `'${FORMULA}`,
      '{"n":1,"request":{"path":"/rest/1"}}',
      '1',
    ]);
    expect(others.map((line) => line[4])).toEqual(['2', '']);
  });

  it('as NDJSON', async () => {
    const { headers, text } = await download('logs.all', { ...ALL, format: 'ndjson' });
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    const lines = text.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual(await jsonRows('logs.all', ALL));
  });

  it('as Parquet, with the types of the query', async () => {
    const { headers, body } = await download('logs.all', { ...ALL, format: 'parquet' });
    expect(headers['content-type']).toBe('application/vnd.apache.parquet');
    const { types, rows } = await readParquet(body);
    expect(types).toEqual({ ...ENTRY_TYPES, n: 'BIGINT' });
    const expected = await jsonRows('logs.all', ALL);
    expect(rows).toEqual(
      expected.map(({ timestamp, metadata, n, ...row }) => ({
        ...row,
        timestamp: `${timestamp}`.replace('T', ' ').replace('Z', '+00'),
        metadata: JSON.stringify(metadata),
        n: n === null ? null : String(n),
      })),
    );
  });

  it('with names of the columns when there are no rows', async () => {
    const none = { project: 'none', sql: 'select id, event_message as `a,b` from postgres_logs' };
    const csv = await download('logs.all', { ...none, format: 'csv' });
    expect(csv.text).toBe('id,"a,b"\r\n');
    const parquet = await download('logs.all', { ...none, format: 'parquet' });
    expect(await readParquet(parquet.body)).toEqual({ types: { id: 'VARCHAR', 'a,b': 'VARCHAR' }, rows: [] });
  });

  it('by a POST with a body', async () => {
    const reply = await api.client.post('/api/endpoints/query/logs.all', { ...ALL, format: 'csv' }, reader);
    expect(reply.text).toBe((await download('logs.all', { ...ALL, format: 'csv' })).text);
  });
});

describe('the format', () => {
  it.each([
    ['text/csv', 'text/csv; charset=utf-8'],
    ['application/x-ndjson', 'application/x-ndjson; charset=utf-8'],
    ['application/vnd.apache.parquet', 'application/vnd.apache.parquet'],
    ['text/html,*/*;q=0.8', 'application/json; charset=utf-8'],
  ])('that Accept: %s names is %s', async (accept, type) => {
    const { headers } = await download('logs.all', ALL, { accept });
    expect([headers['content-type'], headers.vary]).toEqual([type, 'Accept, Accept-Encoding']);
  });

  it('of the parameter counts before the header', async () => {
    const { headers } = await download('logs.all', { ...ALL, format: 'csv' }, { accept: 'application/json' });
    expect(headers['content-type']).toContain('text/csv');
  });

  it('is a parameter of the query where the query declares it', async () => {
    const asJson = await download('own-format', { format: 'xlsx' });
    expect(asJson.json).toEqual({ result: [{ format: 'xlsx', n: 4 }] });
    const asCsv = await download('own-format', { format: 'xlsx' }, { accept: 'text/csv' });
    expect(asCsv.text).toBe('format,n\r\nxlsx,4\r\n');
  });

  it('that does not exist is refused before the query runs', async () => {
    const { status, json } = await download('logs.all', { ...ALL, format: 'xlsx' });
    expect([status, json]).toMatchObject([
      400,
      { errors: [{ field: 'format', message: 'format must be one of json, csv, ndjson, parquet' }] },
    ]);
  });

  it('of a cached result is that of each call', async () => {
    for (let times = 0; times < 3; times++) {
      const plain = await download('kept', {});
      expect(rowsOf(plain.json)).toHaveLength(4);
      expect((await download('kept', {}, { accept: 'text/csv' })).text).toMatch(/^event_message\r\n/);
      const file = await download('kept', { format: 'ndjson' });
      expect([file.text.split('\n').length, Number(file.headers.age) >= 0]).toEqual([5, true]);
    }
  });
});

describe('the same rules', () => {
  const FORMATS = ['csv', 'ndjson', 'parquet'];

  it('tells that there were more rows than the limit', async () => {
    const { headers, text } = await download('short', { format: 'csv' });
    expect([headers['podium-truncated'], cellsOf(text).length]).toEqual(['true', 3]);
    expect((await download('kept', { format: 'csv' })).headers['podium-truncated']).toBeUndefined();
  });

  it.each(FORMATS)('refuses as JSON does, in %s', async (format) => {
    expect((await api.client.get(callOf('kept', { format }))).status).toBe(401);
    expect((await api.client.get(callOf('kept', { format }), withToken(api.tokens.ingest))).status).toBe(403);
    expect((await download('none', { format })).status).toBe(404);
    const bad = await download('logs.all', { sql: 'select', format });
    expect([bad.status, bad.headers['content-type']]).toEqual([
      400,
      'application/problem+json; charset=utf-8',
    ]);
  });
});
