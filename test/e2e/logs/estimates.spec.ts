/** What a query would read, asked over HTTP: of the caller's own project alone, and nothing of a query that could not run. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Reply } from '../../support/client.js';
import { type EndpointApi, rowsOf, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { until } from '../../support/until.js';

const PATH = '/api/endpoints/query/logs.all/estimate';
const OPEN = 'errors.open';

let api: EndpointApi;
let mine: Readonly<Record<string, string>>;
let admin: Readonly<Record<string, string>>;

const entry = (project: string, event_message: string) => ({ project, event_message, metadata: { a: 1 } });

beforeAll(async () => {
  api = await startEndpointApi();
  mine = withToken(await api.token(['query'], 'mine'));
  admin = withToken(api.tokens.admin);
  // The server's own requests are in edge_logs, too.
  for (const source of ['edge_logs', 'postgres_logs'])
    await api.ingest(
      [
        ...Array.from({ length: 3 }, () => entry('mine', 'heron')),
        ...Array.from({ length: 40 }, () => entry('theirs', 'osprey, which is longer')),
      ],
      source,
    );
  const stored = { name: OPEN, query: 'select id from postgres_logs', sandboxing: false };
  expect(await api.client.post('/api/endpoints', stored, admin)).toMatchObject({ status: 201 });
});
afterAll(() => api?.close());

/** `heron` and `{"a":1}`. */
const MINE = { entries: 3, bytes: 3 * 12 };

describe('the estimate of a query', () => {
  it('is of the project that it names, with what the query does', async () => {
    const sql = 'select count(*) as n from edge_logs';
    const reply = await api.client.post(PATH, { project: 'mine', sql }, admin);
    expect(reply).toMatchObject({
      status: 200,
      json: {
        estimated: MINE,
        scans: [{ source: 'edge_logs', narrowedBy: ['project', 'time'], ...MINE }],
        plan: { step: 'compute count of all rows', inputs: [{ step: 'filter by project, timestamp' }] },
      },
    });
  });

  it('is that of the stored query without one', async () => {
    const reply = await api.client.post(PATH, { project: 'mine' }, admin);
    expect(reply).toMatchObject({ status: 200, json: { estimated: MINE } });
  });

  it('is that of a query in LQL', async () => {
    const reply = await api.client.post(PATH, { project: 'mine', lql: 'osprey' }, mine);
    expect(reply).toMatchObject({ status: 200, json: { estimated: MINE } });
  });

  it.each([
    ['logs.all', { project: 'theirs' }, 0],
    ['logs.all', { project: 'theirs', sql: 'select 1 as one from edge_logs' }, 0],
    [OPEN, {}, 3],
    [OPEN, { sql: `select id from postgres_logs where event_message like 'osprey%'` }, 3],
  ])('of a tied token is of its project alone: %s %j', async (endpoint, body, entries) => {
    const path = `/api/endpoints/query/${endpoint}/estimate`;
    const reply = await api.client.post(path, body, mine);
    expect(reply).toMatchObject({ status: 200, json: { estimated: { entries, bytes: entries * 12 } } });
    expect(JSON.stringify(reply.json)).not.toContain('theirs');
  });

  it('of a token that is not tied is of all that the query reads', async () => {
    const reply = await api.client.post(`/api/endpoints/query/${OPEN}/estimate`, {}, admin);
    expect(reply).toMatchObject({ status: 200, json: { estimated: { entries: 43 } } });
  });

  it.each<[string, string, object, () => Readonly<Record<string, string>>, number]>([
    ['without a token', PATH, {}, () => ({}), 401],
    ['for a token without the scope', PATH, {}, () => withToken(api.tokens.ingest), 403],
    ['of an endpoint that is not there', '/api/endpoints/query/none/estimate', {}, () => mine, 404],
    ['of a query that could not run', PATH, { sql: 'select nothing from edge_logs' }, () => mine, 400],
    ['of two queries', PATH, { sql: 'select 1 as one', lql: 'x' }, () => mine, 400],
    ['with a value that does not parse', PATH, { iso_timestamp_start: 'soon' }, () => mine, 422],
  ])('is refused %s', async (_, path, body, headers, status) => {
    expect((await api.client.post(path, body, headers())).status).toBe(status);
  });
});

describe('the cost of a call', () => {
  const CALL = '/api/endpoints/query/logs.all';
  const readOf = ({ headers }: Pick<Reply, 'headers'>) => [
    headers['podium-read-entries'] ?? null,
    headers['podium-read-bytes'] ?? null,
  ];
  const paid = (headers: Readonly<Record<string, string>>) => ({ ...headers, 'SVC-ENDPOINT-COST': 'true' });
  const sql = 'select count(*) as n from postgres_logs';

  it.each([
    ['of a tied token is of its own project', 'logs.all', { project: 'mine', sql }, () => mine, 3],
    ['of another project is nothing', 'logs.all', { project: 'theirs', sql }, () => mine, 0],
    ['of a query without a project is of the token’s', OPEN, {}, () => mine, 3],
    ['of a token that is not tied is of all that it reads', OPEN, {}, () => admin, 43],
  ])('%s', async (_, endpoint, body, headers, entries) => {
    const reply = await api.client.post(`/api/endpoints/query/${endpoint}`, body, paid(headers()));
    expect(reply.status).toBe(200);
    expect(readOf(reply)[0]).toBe(String(entries));
    if (entries <= 3) expect(readOf(reply)[1]).toBe(String(entries * 12));
  });

  it('is told of a page of entries and of a file, and to nobody who did not ask', async () => {
    const lql = 'f:postgres_logs';
    const body = { project: 'mine', lql };
    expect(readOf(await api.client.post(`${CALL}/entries`, body, paid(mine)))).toEqual(['3', '36']);
    const file = { ...body, format: 'csv' };
    expect(readOf(await api.client.post(CALL, file, paid(mine)))).toEqual(['3', '36']);
    expect(readOf(await api.client.post(CALL, body, mine))).toEqual([null, null]);
  });

  it('is nothing for a result that is cached', async () => {
    const path = '/api/endpoints/query/usage.api-counts?interval=daily&project=heron';
    const first = await api.client.get(path, paid(mine));
    expect(Number(readOf(first)[0])).toBeGreaterThanOrEqual(0);
    expect(readOf(await api.client.get(path, paid(mine)))).toEqual(['0', '0']);
    expect(readOf(await api.client.get(path, mine))).toEqual([null, null]);
    expect(readOf(await api.client.get(path, paid(mine)))).toEqual(['0', '0']);
  });

  it('stands beside the request in the server’s own logs', async () => {
    const labels = { 'SVC-ENDPOINT-LABELS': 'case=cost' };
    await api.client.post(CALL, { project: 'mine', sql }, { ...paid(mine), ...labels });
    const lql = 'f:edge_logs m.labels:@>"case=cost" s:m.read.entries s:m.read.bytes';
    const found = async () => (await api.client.post(CALL, { project: 'podium', lql }, admin)).json;
    expect(await until(found, (json) => rowsOf(json).length > 0)).toEqual({
      result: [{ entries: 3, bytes: 36 }],
    });
  });

  it('is refused for a value that is neither true nor false', async () => {
    const reply = await api.client.post(CALL, { project: 'mine' }, { ...mine, 'SVC-ENDPOINT-COST': 'yes' });
    expect(reply).toMatchObject({ status: 400, json: { errors: [{ field: 'SVC-ENDPOINT-COST' }] } });
  });
});
