/** Exports of a source over real HTTP: which entries, in which order, who may read them, and what breaks an export off. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EndpointApi, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { ENTRY_TYPES, readParquet } from '../../support/parquet.js';
import { startServer } from '../../support/server.js';
import { until } from '../../support/until.js';

let api: EndpointApi;

const SOURCE = 'postgres_logs';
const ENTRIES = 4_500;
const START = Date.UTC(2026, 2, 17, 12) * 1_000;

/** The timestamps go backwards while the positions go forwards. */
const entry = (index: number, project = 'p1') => ({
  timestamp: START - index * 1_000_000,
  event_message: `${index} from 203.0.113.9`,
  project,
  metadata: { n: index, level: index % 10 === 0 ? 'error' : 'info' },
});

beforeAll(async () => {
  api = await startEndpointApi();
  for (let from = 0; from < ENTRIES; from += 500)
    await api.ingest(
      Array.from({ length: 500 }, (_, index) => entry(from + index)),
      SOURCE,
    );
  await api.ingest([entry(1, 'p2'), entry(2, 'p2')], SOURCE);
});
afterAll(() => api?.close());

type Given = Readonly<Record<string, string>>;

const pathOf = (given: Given): string =>
  `/api/logs/export?${new URLSearchParams({ source: SOURCE, ...given })}`;

const exported = (given: Given, headers: Given = withToken(api.tokens.query)) =>
  api.client.get(pathOf(given), headers);

const linesIn = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const numbersIn = (text: string): readonly number[] => linesIn(text).map(({ metadata }) => metadata.n);

const upFrom = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('the entries', () => {
  it('are all of the source, in the order in which they came', async () => {
    const { status, headers, text } = await exported({ project: 'p1' });
    expect([
      status,
      headers['content-type'],
      headers['content-disposition'],
      headers['cache-control'],
    ]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
      'attachment; filename="postgres_logs.ndjson"',
      'private, no-store',
    ]);
    expect(numbersIn(text)).toEqual(upFrom(0, ENTRIES));
    expect(linesIn(text)[1]).toEqual({
      id: expect.any(String),
      timestamp: '2026-03-17T11:59:59.000000Z',
      event_message: '1 from 203.0.113.9',
      metadata: { n: 1, level: 'info' },
    });
  });

  it('are those from a time on and before another', async () => {
    const iso = (index: number): string => new Date((START - index * 1_000_000) / 1_000).toISOString();
    const { text } = await exported({ project: 'p1', from: iso(30), to: iso(10) });
    expect(numbersIn(text)).toEqual(upFrom(11, 31));
    const unix = await exported({ project: 'p1', from: `${START - 5_000_000}` });
    expect(numbersIn(unix.text)).toEqual(upFrom(0, 6));
  });

  it('are those that pass the filter, with its columns', async () => {
    const given = { project: 'p1', lql: 'm.level:error m.n:<35 s:m.n@n s:event_message' };
    const { text } = await exported({ ...given, format: 'csv' });
    const cells = upFrom(0, 4).map((ten) => `${ten * 10},${ten * 10} from 203.0.113.9\r\n`);
    expect(text).toBe(`n,event_message\r\n${cells.join('')}`);
  });

  it('are the same as Parquet', async () => {
    const { headers, body } = await exported(
      { project: 'p1' },
      {
        ...withToken(api.tokens.query),
        accept: 'application/vnd.apache.parquet',
      },
    );
    expect(headers['content-type']).toBe('application/vnd.apache.parquet');
    const { types, rows } = await readParquet(body);
    expect(types).toEqual(ENTRY_TYPES);
    expect(rows.map(({ metadata }) => JSON.parse(String(metadata)).n)).toEqual(upFrom(0, ENTRIES));
  });

  it('of none are a file without rows', async () => {
    expect((await exported({ project: 'none' })).text).toBe('');
    expect((await exported({ project: 'none', format: 'csv' })).text).toBe(
      'id,timestamp,event_message,metadata\r\n',
    );
  });
});

/** Without the lines that only say how far it has come. */
const positionLines = async (given: Given) =>
  linesIn((await exported({ ...given, format: 'positions' })).text).filter(
    (line) => !('position' in line) || 'entry' in line,
  );

describe('with positions', () => {
  it('goes on after any entry, up to the same end, while more entries come', async () => {
    const project = 'growing';
    await api.ingest(
      [1, 2, 3].map((index) => entry(index, project)),
      SOURCE,
    );
    const [head, first, ...rest] = await positionLines({ project });
    expect(head.columns).toContainEqual({ name: 'timestamp', type: 'timestamp' });
    expect(rest.at(-1)).toEqual({ isWhole: true });
    await api.ingest([entry(4, project)], SOURCE);
    const given = { project, after: String(first.position), upTo: String(head.upTo) };
    expect(await positionLines(given)).toEqual([head, ...rest]);
    const again = await positionLines({ project, after: String(head.upTo) });
    expect(again.map((line) => line.entry?.metadata.n ?? null)).toEqual([null, 4, null]);
  });
});

describe('the rights', () => {
  it('are those of a query: a tied token may not ask for another project', async () => {
    const tied = withToken(await api.token(['query'], 'p2'));
    const other = await exported({ project: 'p1' }, tied);
    expect([other.status, other.json]).toMatchObject([403, { type: '/api/docs/problems/token-project' }]);
  });

  it.each<[string, Given, number, string]>([
    ['a format', { format: 'xlsx' }, 400, 'format must be one of csv, ndjson, parquet, positions'],
    ['a time', { from: 'yesterday' }, 400, 'from must be ISO 8601 text'],
    ['an empty range', { from: '2026-03-18', to: '2026-03-18' }, 400, 'to must be later than from'],
    ['a position', { after: '-1' }, 400, 'after must be a position'],
    ['a source', { source: 'none' }, 400, 'source must be one of'],
    ['a time in the filter', { lql: 't:today' }, 400, 'a tail takes no time'],
  ])('refuse %s that is not one', async (_, given, status, message) => {
    const reply = await exported(given);
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(message);
  });

  it('need a token of the scope', async () => {
    expect((await exported({}, {})).status).toBe(401);
    expect((await exported({}, withToken(api.tokens.ingest))).status).toBe(403);
  });
});

it('breaks off when the token is revoked, without an end that looks whole', async () => {
  // Three pages, each of more bytes than connections buffer.
  const project = 'large';
  const large = { ...entry(1, project), event_message: 'x'.repeat(5_000) };
  for (let sent = 0; sent < 5_000; sent += 1_000) await api.ingest(Array(1_000).fill(large), SOURCE);
  const token = await api.token(['query'], project);
  const url = `${api.server.url}${pathOf({ format: 'positions' })}`;
  const reader = (await fetch(url, { headers: withToken(token) })).body?.getReader();
  await reader?.read();
  await api.revoke(token);
  let text = '';
  const readOn = async (): Promise<void> => {
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
      text += Buffer.from(piece.value).toString();
  };
  await expect(readOn()).rejects.toThrow('terminated');
  expect(text).not.toContain('isWhole');
});

it('as Parquet ends with its client, and the next one is whole', async () => {
  const project = 'left';
  // More bytes than connections buffer, also when they are compressed.
  for (let sent = 0; sent < 5_000; sent += 1_000)
    await api.ingest(
      Array.from({ length: 1_000 }, (_, index) => ({
        ...entry(sent + index, project),
        event_message: randomBytes(2_500).toString('hex'),
      })),
      SOURCE,
    );
  const headers = withToken(await api.token(['query'], project));
  const running = async () => (await api.client.get('/api/logs/queries', headers)).json;
  const leaving = new AbortController();
  const url = `${api.server.url}${pathOf({ project, format: 'parquet' })}`;
  const reply = await fetch(url, { headers, signal: leaving.signal });
  await reply.body?.getReader().read();
  expect(await running()).toEqual([expect.objectContaining({ endpoint: SOURCE })]);
  leaving.abort();
  await until(running, (queries) => Array.isArray(queries) && queries.length === 0);
  const { rows } = await readParquet((await exported({ project, format: 'parquet' }, headers)).body);
  expect(rows.map(({ metadata }) => JSON.parse(String(metadata)).n)).toEqual(upFrom(0, 5_000));
});

it('goes through a node that another owns the logs of', async () => {
  const node = await startServer({ env: { LOG_STORE_URL: api.server.url } });
  try {
    const reply = await fetch(`${node.url}${pathOf({ project: 'p1' })}`, {
      headers: withToken(api.tokens.query),
    });
    expect(numbersIn(await reply.text())).toEqual(upFrom(0, ENTRIES));
  } finally {
    await node.stop();
    await node.remove();
  }
});
