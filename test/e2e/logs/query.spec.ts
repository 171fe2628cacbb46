/** Calls of saved endpoints over real HTTP: the usual call from several clients, parameters, limits, and every refusal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axios from 'axios';
import { request as undici } from 'undici';
import { API_COUNTS_ID, LOGS_ALL_ID } from '../../../src/logs/endpoints/well-known.js';
import { callOf, type EndpointApi, rowsOf, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { until } from '../../support/until.js';

let api: EndpointApi;
let reader: Readonly<Record<string, string>>;
let admin: Readonly<Record<string, string>>;

const JSON_TYPE = 'application/json; charset=utf-8';
const MINUTE = 60_000_000;
const NOW = Date.now() * 1_000;

const entry = (index: number, more: object = {}) => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  timestamp: NOW - index * MINUTE,
  event_message: `GET /rest/v1/${index} from 203.0.113.9`,
  project: 'p1',
  metadata: { request: { path: `/rest/v1/${index}`, url: `https://p1.example/rest/v1/${index}` } },
  ...more,
});

beforeAll(async () => {
  api = await startEndpointApi();
  reader = withToken(api.tokens.query);
  admin = withToken(api.tokens.admin);
  await api.ingest(Array.from({ length: 150 }, (_, index) => entry(index + 1)));
  await api.ingest([{ event_message: 'started', timestamp: NOW, project: 'p1' }], 'postgres_logs');
});
afterAll(() => api?.close());

const call = (endpoint: string, parameters: Readonly<Record<string, string>> = {}, headers = reader) =>
  api.client.get(callOf(endpoint, parameters), { 'content-type': JSON_TYPE, ...headers });
const codeOf = (json: unknown): string =>
  String((json as { readonly type?: string }).type)
    .split('/')
    .at(-1) ?? '';

describe('the usual call, a GET that announces JSON and has no body', () => {
  const path = () => callOf('logs.all', { project: 'p1' });
  const expected = async () => rowsOf((await call('logs.all', { project: 'p1' })).json);

  /** Sends bytes as they are; resolves with the reply's status line and body. */
  const raw = (bytes: string): Promise<{ readonly head: string; readonly body: string }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(api.server.url);
      const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes, 'latin1'));
      text(socket).then((all) => {
        const end = all.indexOf('\r\n\r\n');
        resolve({ head: all.slice(0, end), body: all.slice(end + 4) });
      }, reject);
    });
  const bytes = (...lines: readonly string[]) =>
    [`GET ${path()} HTTP/1.1`, `Host: ${new URL(api.server.url).host}`, ...lines, '', ''].join('\r\n');
  const common = () => [`X-API-KEY: ${api.tokens.query}`, `Content-Type: ${JSON_TYPE}`];

  it.each<[string, readonly string[]]>([
    ['as it is specified', []],
    ['as curl writes it', ['User-Agent: curl/8.5.0', 'Accept: */*']],
    ['with a length of nothing', ['Content-Length: 0']],
  ])('byte for byte, %s', async (_, lines) => {
    const { head, body } = await raw(bytes(...lines, ...common(), 'Connection: close'));
    expect(head.split('\r\n')[0]).toBe('HTTP/1.1 200 OK');
    expect(rowsOf(JSON.parse(body))).toEqual(await expected());
  });

  /** The bytes of curl stand above; where the program itself is missing, that has to do. */
  it('from curl, where there is one', async () => {
    const args = common().flatMap((header) => ['-H', header]);
    const child = spawn('curl', ['-sS', ...args, `${api.server.url}${path()}`]);
    const missing = once(child, 'error').then(([error]) => error.code === 'ENOENT');
    const reply = text(child.stdout);
    if (await Promise.race([missing, reply.then(() => false)])) return;
    expect(rowsOf(JSON.parse(await reply))).toEqual(await expected());
  });

  it('from undici', async () => {
    const { statusCode, body } = await undici(`${api.server.url}${path()}`, {
      headers: { 'X-API-KEY': api.tokens.query, 'Content-Type': JSON_TYPE },
    });
    expect(statusCode).toBe(200);
    expect(rowsOf(await body.json())).toEqual(await expected());
  });

  it('from axios', async () => {
    const { status, data } = await axios.get(`${api.server.url}/api/endpoints/query/logs.all`, {
      params: { project: 'p1' },
      headers: { 'X-API-KEY': api.tokens.query, 'Content-Type': JSON_TYPE },
      data: undefined,
    });
    expect(status).toBe(200);
    expect(rowsOf(data)).toEqual(await expected());
  });

  it('leaves its connection good for the next', async () => {
    const second = bytes(...common(), 'Connection: close');
    const { body } = await raw(bytes(...common()) + second);
    expect(body.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(1);
  });
});

describe('logs.all', () => {
  it('gives the newest hundred of the project, the same by name and by id', async () => {
    const byName = await call('logs.all', { project: 'p1' });
    const rows = rowsOf(byName.json);
    expect(rows).toHaveLength(100);
    expect(rows[0]).toEqual({
      id: '00000000-0000-4000-8000-000000000001',
      timestamp: new Date((NOW - MINUTE) / 1_000).toISOString().replace('Z', '000Z'),
      event_message: 'GET /rest/v1/1 from 203.0.113.9',
      metadata: { request: { path: '/rest/v1/1', url: 'https://p1.example/rest/v1/1' } },
    });
    expect(rows[99]).toMatchObject({ event_message: 'GET /rest/v1/100 from 203.0.113.9' });
    expect((await call(LOGS_ALL_ID, { project: 'p1' })).text).toBe(byName.text);
    expect((await call(LOGS_ALL_ID.toUpperCase(), { project: 'p1' })).text).toBe(byName.text);
  });

  it('is the same at the path of names', async () => {
    const parameters = { project: 'p1', sql: 'select count(*) as n from edge_logs' };
    const byName = await call('name/logs.all', parameters);
    expect(rowsOf(byName.json)).toEqual([{ n: 150 }]);
    const path = callOf('name/logs.all');
    expect((await api.client.send(path, { method: 'POST', headers: reader, body: parameters })).json).toEqual(
      byName.json,
    );
    expect(codeOf((await call('name/nowhere')).json)).toBe('endpoint-not-found');
  });

  it('is after the start and up to the end, to the microsecond', async () => {
    const at = (index: number) => new Date((NOW - index * MINUTE) / 1_000).toISOString();
    const bounds = { project: 'p1', iso_timestamp_start: at(5), iso_timestamp_end: at(3) };
    const rows = rowsOf((await call('logs.all', bounds)).json);
    expect(rows.map((row) => row.event_message)).toEqual([
      'GET /rest/v1/3 from 203.0.113.9',
      'GET /rest/v1/4 from 203.0.113.9',
    ]);
    const open = { project: 'p1', iso_timestamp_start: at(2), iso_timestamp_end: '' };
    expect(rowsOf((await call('logs.all', open)).json)).toHaveLength(1);
  });

  it('has nothing without a project, or for another', async () => {
    expect(rowsOf((await call('logs.all')).json)).toEqual([]);
    expect(rowsOf((await call('logs.all', { project: 'p2' })).json)).toEqual([]);
  });

  it('ignores what it does not declare', async () => {
    const odd = { project: 'p1', limit: '1', interval: 'weekly', maxRows: '1', __proto__x: '1' };
    expect(rowsOf((await call('logs.all', odd)).json)).toHaveLength(100);
    const twice = `${callOf('logs.all', { project: 'p1' })}&other=1&other=2`;
    expect((await api.client.get(twice, reader)).status).toBe(200);
  });

  it('runs the caller’s own query over its tables, in SQL and in LQL', async () => {
    const sql =
      "select count(*) as n from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r where r.path like '/rest/%'";
    expect(rowsOf((await call('logs.all', { project: 'p1', sql })).json)).toEqual([{ n: 150 }]);
    const lql = 'm.request.path:"/rest/v1/7" s:event_message';
    expect(rowsOf((await call('logs.all', { project: 'p1', lql })).json)).toEqual([
      { event_message: 'GET /rest/v1/7 from 203.0.113.9' },
    ]);
    const other = 'f:postgres_logs s:event_message';
    expect(rowsOf((await call('logs.all', { project: 'p1', lql: other })).json)).toEqual([
      { event_message: 'started' },
    ]);
  });

  it('takes its parameters in a JSON body, by POST and by GET', async () => {
    const body = { project: 'p1', sql: 'select event_message from edge_logs limit 1', unknown: { a: [1] } };
    const path = callOf('logs.all');
    for (const method of ['POST', 'GET']) {
      const reply = await api.client.send(path, { method, headers: reader, body });
      expect(reply).toMatchObject({ status: 200, json: { result: [{ event_message: expect.any(String) }] } });
    }
    const empty = { ...reader, 'content-type': 'application/json' };
    expect((await api.client.send(path, { method: 'POST', headers: empty, body: '' })).json).toEqual({
      result: [],
    });
  });

  it('redacts when asked to, at any depth', async () => {
    const on = await call('logs.all', { project: 'p1' }, { ...reader, 'svc-endpoint-redact-pii': 'true' });
    expect(on.text).not.toContain('203.0.113.9');
    expect(rowsOf(on.json)[0]).toMatchObject({ event_message: 'GET /rest/v1/1 from REDACTED' });
    const off = await call('logs.all', { project: 'p1' }, { ...reader, 'svc-endpoint-redact-pii': 'false' });
    expect(off.text).toContain('203.0.113.9');
  });

  it.each(['svc-endpoint-labels', 'lf-endpoint-labels'])(
    'takes labels in %s, also for a result that is kept',
    async (name) => {
      const labels = `team=${name.slice(0, 2)}, board=hall`;
      const counts = { project: 'p1', interval: 'daily' };
      for (let count = 0; count < 3; count += 1)
        expect((await call('usage.api-counts', counts, { ...reader, [name]: labels })).status).toBe(200);
      const lql = `f:edge_logs m.labels:@>"team=${name.slice(0, 2)}" m.labels:@>"board=hall" c:count(*)`;
      await until(
        async () => rowsOf((await call('logs.all', { project: 'podium', lql })).json),
        ([row]) => row?.count === 3,
      );
      for (const faulty of ['team', 'team=', 'a b=c', `a=${'b'.repeat(65)}`, Array(11).fill('a=b').join()]) {
        const refused = await call('usage.api-counts', counts, { ...reader, [name]: faulty });
        expect(refused).toMatchObject({ status: 400, json: { errors: [{ field: 'SVC-ENDPOINT-LABELS' }] } });
      }
    },
  );

  it('refuses what is neither yes nor no to redacting, also for a result that is kept', async () => {
    const parameters = { project: '.*', interval: 'daily' };
    await call('usage.api-counts', parameters);
    for (const endpoint of ['logs.all', 'usage.api-counts']) {
      const reply = await call(endpoint, parameters, { ...reader, 'svc-endpoint-redact-pii': '1' });
      expect(reply).toMatchObject({
        status: 400,
        json: {
          errors: [
            {
              field: 'SVC-ENDPOINT-REDACT-PII',
              rule: 'one-of',
              message: 'SVC-ENDPOINT-REDACT-PII must be true or false',
            },
          ],
        },
      });
    }
  });
});

describe('an endpoint as its owner configured it', () => {
  const edit = (endpoint: string, body: object) =>
    api.client.send(`/api/endpoints/${endpoint}`, { method: 'PATCH', headers: admin, body });
  const make = async (name: string, body: object = {}) => {
    const query = 'select event_message from edge_logs where project = @project order by timestamp desc';
    const reply = await api.client.post('/api/endpoints', { name, query, sandboxing: false, ...body }, admin);
    expect(reply.status).toBe(201);
  };

  it('cuts the rows and says so', async () => {
    await make('cut', { maxRows: 3 });
    const reply = await call('cut', { project: 'p1' });
    expect(rowsOf(reply.json)).toHaveLength(3);
    expect(reply.headers['podium-truncated']).toBe('true');
    await edit('cut', { maxRows: 150 });
    const whole = await call('cut', { project: 'p1' });
    expect(rowsOf(whole.json)).toHaveLength(150);
    expect(whole.headers['podium-truncated']).toBeUndefined();
  });

  it('redacts whatever the caller asks for', async () => {
    await make('redacted', { redactPii: true });
    const reply = await call(
      'redacted',
      { project: 'p1' },
      { ...reader, 'svc-endpoint-redact-pii': 'false' },
    );
    expect(reply.text).toContain('REDACTED');
    expect(reply.text).not.toContain('203.0.113.9');
  });

  it('keeps its results for as long as it is told, each for what it was asked with', async () => {
    await make('kept', { cachingSeconds: 600 });
    const first = await call('kept', { project: 'p3' });
    expect(first).toMatchObject({ headers: { age: expect.stringMatching(/^\d+$/) }, json: { result: [] } });
    await api.ingest([entry(901, { project: 'p3' })]);
    expect(await call('kept', { project: 'p3' })).toMatchObject({ json: { result: [] } });
    const redacted = { ...reader, 'svc-endpoint-redact-pii': 'true' };
    expect(rowsOf((await call('kept', { project: 'p3' }, redacted)).json)).toHaveLength(1);
    const sql = 'select 1 as one from edge_logs where project = @project';
    expect(rowsOf((await call('kept', { project: 'p3', sql })).json)).toEqual([{ one: 1 }]);
    await edit('kept', { maxRows: 999 });
    expect(rowsOf((await call('kept', { project: 'p3' })).json)).toHaveLength(1);
    expect((await call('logs.all', { project: 'p1' })).headers.age).toBeUndefined();
  });

  it('answers what it keeps before any routing, with the same headers, and to no client whose token is no longer good', async () => {
    await make('hot', { cachingSeconds: 600 });
    const token = await api.token(['query:hot']);
    const other = withToken(await api.token(['query'], 'p2'));
    const routed = () =>
      api.server.log.filter(({ msg, path }) => msg === 'request' && path === '/api/endpoints/query/hot')
        .length;
    const long = await call('hot', { project: 'p1' }, withToken(token));
    const before = await until(
      async () => routed(),
      (count) => count === 1,
    );
    const short = await call('hot', { project: 'p1' }, withToken(token));
    expect(short.text).toBe(long.text);
    expect(Object.keys(short.headers).sort()).toEqual(Object.keys(long.headers).sort());
    expect(
      (await api.client.send(callOf('hot', { project: 'p1' }), { headers: withToken(token), body: '' }))
        .status,
    ).toBe(200);
    expect(rowsOf((await call('hot', { project: 'p1' }, other)).json)).toEqual([]);
    const redacted = { ...withToken(token), 'svc-endpoint-redact-pii': 'true' };
    expect((await call('hot', { project: 'p1' }, redacted)).text).toContain('REDACTED');
    expect((await call('hot', { project: 'p1' }, withToken(token))).text).toBe(long.text);
    await until(
      async () => routed(),
      (count) => count === before + 2,
    );
    await edit('hot', { maxRows: 1 });
    expect(rowsOf((await call('hot', { project: 'p1' }, withToken(token))).json)).toHaveLength(1);
    await call('hot', { project: 'p1' }, withToken(token));
    await api.revoke(token);
    await until(
      () => call('hot', { project: 'p1' }, withToken(token)),
      ({ status }) => status === 401,
    );
  });

  it('can be called under its new name at once, and by its id as before', async () => {
    await make('before');
    const { id } = (await api.client.get('/api/endpoints/before', admin)).json as { id: string };
    const scoped = withToken(await api.token([`query:before`]));
    expect((await call('before', { project: 'p1' }, scoped)).status).toBe(200);
    await edit('before', { name: 'after' });
    expect((await call('after', { project: 'p1' }, scoped)).status).toBe(200);
    expect((await call(id, { project: 'p1' }, scoped)).status).toBe(200);
    expect((await call('before', { project: 'p1' }, scoped)).status).toBe(404);
    await api.client.send('/api/endpoints/after', { method: 'DELETE', headers: admin });
    expect((await call(id, { project: 'p1' }, scoped)).status).toBe(404);
  });
});

describe('a call is refused', () => {
  it.each<[string, Readonly<Record<string, string>>, number, string]>([
    ['no token', {}, 401, 'token-missing'],
    ['an empty token', { 'x-api-key': '' }, 401, 'token-missing'],
    ['a made-up token', { 'x-api-key': 'podium_token_nope' }, 401, 'token-unknown'],
  ])('with %s', async (_, headers, status, code) => {
    const path = callOf('logs.all', { project: 'p1' });
    const reply = await api.client.get(path, { 'content-type': JSON_TYPE, ...headers });
    expect([reply.status, codeOf(reply.json)]).toEqual([status, code]);
    expect(reply.json).toMatchObject({ error: expect.any(String) });
  });

  it('with a token that was revoked, at once', async () => {
    const token = withToken(await api.token(['query']));
    expect((await call('logs.all', {}, token)).status).toBe(200);
    await api.revoke(token['x-api-key'] ?? '');
    const refused = await until(
      () => call('logs.all', {}, token),
      ({ status }) => status !== 200,
    );
    expect([refused.status, codeOf(refused.json)]).toEqual([401, 'token-revoked']);
  });

  it('with a token of another scope, but one for it is enough', async () => {
    const other = withToken(await api.token(['ingest', 'query:usage.api-counts']));
    for (const endpoint of ['logs.all', LOGS_ALL_ID])
      expect(codeOf((await call(endpoint, {}, other)).json)).toBe('token-scope');
    expect((await call(API_COUNTS_ID, { interval: 'daily' }, other)).status).toBe(200);
  });

  it('where there is no such endpoint, the same by name and by id', async () => {
    for (const endpoint of ['none', 'a%2Fb', '00000000-0000-4000-8000-000000000000']) {
      const reply = await call(endpoint);
      expect([reply.status, codeOf(reply.json)]).toEqual([404, 'endpoint-not-found']);
    }
  });

  it.each<[string, Readonly<Record<string, string>>, number, string, object]>([
    [
      'sql and lql together',
      { sql: 'select 1', lql: 'a' },
      400,
      'invalid-request',
      { errors: [{ field: 'lql' }] },
    ],
    ['a broken query', { sql: 'select from' }, 400, 'sql-syntax', { position: { line: 1, column: 8 } }],
    [
      'a query out of bounds',
      { sql: 'select * from pg_tables' },
      400,
      'sql-refused',
      { position: { offset: 14 } },
    ],
    ['a broken LQL query', { lql: 'm.a:' }, 400, 'lql-syntax', { position: { offset: 4 } }],
    [
      'a time that is none',
      { iso_timestamp_start: 'soon' },
      422,
      'parameter-value',
      { errors: [{ field: 'iso_timestamp_start' }] },
    ],
  ])('for %s', async (_, parameters, status, code, more) => {
    const reply = await call('logs.all', { project: 'p1', ...parameters });
    expect([reply.status, codeOf(reply.json)]).toEqual([status, code]);
    expect(reply.json).toMatchObject({ error: expect.any(String), ...more });
  });

  it.each(['weekly', 'HOURLY', '', '1'])(
    'for an interval of %j, with those that there are',
    async (interval) => {
      const reply = await call('usage.api-counts', { project: 'p1', interval });
      expect([reply.status, codeOf(reply.json)]).toEqual([400, 'invalid-request']);
      expect(reply.text).toMatch(/hourly, daily, minutely/);
    },
  );

  it('for a declared parameter that comes twice, or as an object', async () => {
    const twice = `${callOf('logs.all', { project: 'p1' })}&project=p2`;
    expect((await api.client.get(twice, reader)).status).toBe(400);
    const body = { project: ['p1'] };
    expect(
      (await api.client.send(callOf('logs.all'), { method: 'POST', headers: reader, body })).status,
    ).toBe(400);
  });

  it('for a body that is no JSON object', async () => {
    const path = callOf('logs.all');
    for (const method of ['GET', 'POST']) {
      const headers = { ...reader, 'content-type': 'application/json' };
      const broken = await api.client.send(path, { method, headers, body: '{"project":' });
      expect([broken.status, codeOf(broken.json)]).toEqual([400, 'malformed-json']);
      expect((await api.client.send(path, { method, headers, body: '["p1"]' })).status).toBe(400);
      const plain = { ...reader, 'content-type': 'text/plain' };
      expect((await api.client.send(path, { method, headers: plain, body: 'p1' })).status).toBe(415);
      const long = JSON.stringify({ sql: 'x'.repeat(1_100_000) });
      expect((await api.client.send(path, { method, headers, body: long })).status).toBe(413);
    }
  });

  it('with another method', async () => {
    const reply = await api.client.send(callOf('logs.all'), { method: 'PUT', headers: reader });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });
});
