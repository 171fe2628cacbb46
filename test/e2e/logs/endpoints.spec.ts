/** Managing saved endpoints over HTTP: what an admin token may, what others may not, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_COUNTS_ID, LOGS_ALL_ID } from '../../../src/logs/endpoints/well-known.js';
import { refusalOf } from '../../support/client.js';
import { type EndpointApi, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { until } from '../../support/until.js';

let api: EndpointApi;
let admin: Readonly<Record<string, string>>;

beforeAll(async () => {
  api = await startEndpointApi();
  admin = withToken(await api.token(['admin']));
});
afterAll(() => api?.close());

const PATH = '/api/endpoints';
const QUERY = 'select id from postgres_logs where project = @project';
const patch = (path: string, body: unknown) =>
  api.client.send(path, { method: 'PATCH', headers: admin, body });
const remove = (path: string) => api.client.send(path, { method: 'DELETE', headers: admin });

describe('saved endpoints', () => {
  it('are there from the first start, exactly as specified', async () => {
    const { status, json } = await api.client.get(PATH, admin);
    expect(status).toBe(200);
    const common = { queryLanguage: 'sql', maxRows: 1_000, sandboxing: true, redactPii: false, version: 1 };
    expect(json).toMatchObject([
      { ...common, id: LOGS_ALL_ID, name: 'logs.all', cachingSeconds: null, cacheWarmingSeconds: null },
      {
        ...common,
        id: API_COUNTS_ID,
        name: 'usage.api-counts',
        cachingSeconds: 900,
        cacheWarmingSeconds: 300,
      },
    ]);
  });

  it('are saved, changed and removed, and each step shows at once', async () => {
    const made = await api.client.post(PATH, { name: 'errors', query: QUERY }, admin);
    expect(made).toMatchObject({
      status: 201,
      json: { name: 'errors', query: QUERY, maxRows: 1_000, sandboxing: true, version: 1, description: null },
    });
    const { id } = made.json as { id: string };
    expect((await api.client.get(PATH, admin)).text).toContain(id);

    const changed = await patch(`${PATH}/errors`, {
      name: 'faults',
      cachingSeconds: 60,
      cacheWarmingSeconds: 20,
    });
    expect(changed).toMatchObject({
      status: 200,
      json: { id, name: 'faults', cachingSeconds: 60, version: 2 },
    });
    expect((await api.client.get(`${PATH}/${id}`, admin)).json).toEqual(changed.json);
    expect((await api.client.get(`${PATH}/faults`, admin)).json).toEqual(changed.json);
    expect((await api.client.get(`${PATH}/errors`, admin)).status).toBe(404);

    expect(await remove(`${PATH}/faults`)).toMatchObject({ status: 204, text: '' });
    for (const gone of [id, 'faults'])
      expect(await api.client.get(`${PATH}/${gone}`, admin)).toMatchObject({ status: 404 });
    expect((await api.client.get(PATH, admin)).text).not.toContain(id);
    expect((await remove(`${PATH}/faults`)).status).toBe(404);
  });

  it('go back to an earlier version, as a new one', async () => {
    await api.client.post(PATH, { name: 'old', query: QUERY, maxRows: 7 }, admin);
    await patch(`${PATH}/old`, { name: 'new', query: `${QUERY} limit 1`, maxRows: 8 });
    const restored = await api.client.post(`${PATH}/new/versions/1/restore`, undefined, admin);
    expect(restored).toMatchObject({
      status: 200,
      json: { name: 'old', query: QUERY, maxRows: 7, version: 3 },
    });
    expect((await api.client.get(`${PATH}/old`, admin)).json).toEqual(restored.json);
    expect((await api.client.get(`${PATH}/old/versions`, admin)).json).toMatchObject([
      { version: 3, maxRows: 7 },
      { version: 2, maxRows: 8 },
      { version: 1, maxRows: 7 },
    ]);
    await patch(`${PATH}/old`, { name: 'away' });
    await api.client.post(PATH, { name: 'old', query: QUERY }, admin);
    const refusals = [
      await api.client.post(`${PATH}/away/versions/1/restore`, undefined, admin),
      await api.client.post(`${PATH}/away/versions/9/restore`, undefined, admin),
      await api.client.post(`${PATH}/nowhere/versions/1/restore`, undefined, admin),
      await api.client.post(`${PATH}/away/versions/0/restore`, undefined, admin),
    ];
    expect(refusals.map(refusalOf)).toEqual([
      '409 endpoint-name-taken',
      '404 endpoint-not-found',
      '404 endpoint-not-found',
      '400 invalid-request',
    ]);
    for (const name of ['away', 'old']) await remove(`${PATH}/${name}`);
  });

  it.each<[string, object, string]>([
    ['no name', { query: QUERY }, 'name'],
    ['no query', { name: 'x' }, 'query'],
    ['a name that is a path', { name: 'a/b', query: QUERY }, 'name'],
    ['a field that is misspelt', { name: 'x', query: QUERY, maxrows: 5 }, 'maxrows'],
    ['a number as text', { name: 'x', query: QUERY, maxRows: '5' }, 'maxRows'],
    ['too many rows', { name: 'x', query: QUERY, maxRows: 10_001 }, 'maxRows'],
    ['warming without caching', { name: 'x', query: QUERY, cacheWarmingSeconds: 5 }, 'cacheWarmingSeconds'],
    ['another language', { name: 'x', query: QUERY, queryLanguage: 'lql' }, 'queryLanguage'],
  ])('with %s are refused', async (_, body, field) => {
    const reply = await api.client.post(PATH, body, admin);
    expect(reply).toMatchObject({
      status: 400,
      json: { type: '/api/docs/problems/invalid-request', errors: [{ field }], error: expect.any(String) },
    });
  });

  it('are checked only where there is a query, be it an empty one', async () => {
    const none = await api.client.post(`${PATH}/check`, { sandboxing: true }, admin);
    expect(none).toMatchObject({ status: 400, json: { errors: [{ field: 'query', rule: 'required' }] } });
    const empty = await api.client.post(`${PATH}/check`, { query: '' }, admin);
    expect(empty).toMatchObject({ status: 200, json: { fault: { code: 'sql-syntax' } } });
  });

  it('have a name that no other has', async () => {
    const reply = await api.client.post(PATH, { name: 'logs.all', query: QUERY }, admin);
    expect(reply).toMatchObject({ status: 409, json: { type: '/api/docs/problems/endpoint-name-taken' } });
    expect(await patch(`${PATH}/usage.api-counts`, { name: 'logs.all' })).toMatchObject({ status: 409 });
  });

  it('need a body that is a JSON object', async () => {
    for (const body of ['', '[]', '"x"', 'null']) {
      const headers = { ...admin, 'content-type': 'application/json' };
      expect((await api.client.send(PATH, { method: 'POST', headers, body })).status).toBe(400);
    }
    expect((await api.client.send(PATH, { method: 'POST', headers: admin, body: 'x=1' })).status).toBe(415);
  });
});

describe('managing them', () => {
  const attempts = [
    ['GET', PATH],
    ['GET', `${PATH}/logs.all`],
    ['POST', PATH],
    ['PATCH', `${PATH}/logs.all`],
    ['DELETE', `${PATH}/logs.all`],
  ] as const;
  const statuses = async (headers: Readonly<Record<string, string>>) => {
    const found = new Set<string>();
    for (const [method, path] of attempts) {
      const body = method === 'POST' || method === 'PATCH' ? { name: 'x', query: QUERY } : undefined;
      const { status, json } = await api.client.send(path, { method, headers, body });
      found.add(`${status} ${(json as { type: string }).type.split('/').at(-1)}`);
    }
    return [...found];
  };

  it('is refused without a token', async () => expect(await statuses({})).toEqual(['401 token-missing']));
  it('is refused with a made-up token', async () =>
    expect(await statuses(withToken('podium_token_nope'))).toEqual(['401 token-unknown']));
  it('is refused with a token that may query or ingest only', async () =>
    expect(await statuses(withToken(await api.token(['query', 'ingest'], 'p1')))).toEqual([
      '403 token-scope',
    ]));
  it('is refused with a revoked token, at once', async () => {
    const token = await api.token(['admin']);
    expect((await api.client.get(PATH, withToken(token))).status).toBe(200);
    await api.revoke(token);
    await until(
      async () => (await api.client.get(PATH, withToken(token))).status,
      (status) => status === 401,
    );
    expect(await statuses(withToken(token))).toEqual(['401 token-revoked']);
  });
  it('takes the token as a bearer too', async () => {
    const headers = { authorization: `Bearer ${admin['x-api-key']}` };
    expect((await api.client.get(PATH, headers)).status).toBe(200);
  });
  it('is not open to pages of other sites', async () => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' };
    const reply = await api.client.send(PATH, { method: 'OPTIONS', headers });
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    expect(reply.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
    const read = await api.client.get(PATH, { ...admin, origin: 'https://elsewhere.example' });
    expect(read.headers['access-control-allow-origin']).toBeUndefined();
  });
});
