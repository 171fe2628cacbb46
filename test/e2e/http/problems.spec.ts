/** What is refused before any feature is asked: paths, methods, bodies, sizes, floods of bad keys; and operation. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST } from '../../support/api-world.js';
import type { Reply } from '../../support/client.js';
import { until } from '../../support/until.js';

let api: Api;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends bytes as they are; resolves with all that comes back until the server ends the connection. */
const raw = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(api.server.url);
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes, 'latin1'));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });

describe('a problem document tells', () => {
  it.each([
    ['GET', '/metrics/nothing', 404, 'path-not-found'],
    ['GET', '/api', 404, 'path-not-found'],
    ['GET', '/api/events/x/y', 404, 'path-not-found'],
    ['GET', '/api/rankings?eventId=333', 404, 'path-not-found'],
    ['GET', '/api/records?eventId=333', 404, 'path-not-found'],
    ['PUT', '/api/rankings', 404, 'path-not-found'],
    ['POST', '/api/events', 405, 'method-not-allowed'],
    ['DELETE', '/api/default/competitions/x', 405, 'method-not-allowed'],
    ['PUT', '/api/enter-attempt', 405, 'method-not-allowed'],
    ['GET', '/api/enter-results', 405, 'method-not-allowed'],
    ['GET', '/api/%zz/events', 400, 'invalid-request'],
    ['GET', '/api/docs//x', 404, 'path-not-found'],
    ['GET', '/api/docs/%2e%2e/x', 404, 'path-not-found'],
    ['GET', '/api/docs/%00', 404, 'path-not-found'],
  ])('%s %s: %i %s', async (method, path, status, code) => {
    const reply = await api.client.send(path, { method });
    expect({ status: reply.status, json: reply.json }).toMatchObject({
      status,
      json: { type: `/api/docs/problems/${code}`, instance: reply.headers['x-request-id'] },
    });
    if (status === 405) expect(reply.headers.allow).toMatch(/GET|POST/);
    const kind = await api.client.get(`/api/docs/problems/${code}`);
    expect(kind.json).toMatchObject({ status });
  });

  it.each([
    ['no JSON', '{'],
    ['larger than any path takes', `{"x":"${'x'.repeat(1_100_000)}"}`],
  ])('that there is nothing at a path, also to a body that is %s', async (_, body) => {
    const { status, json } = await api.client.post('/api/nothing', body, JSON_TYPE);
    expect({ status, json }).toMatchObject({
      status: 404,
      json: { type: '/api/docs/problems/path-not-found', errors: [] },
    });
    expect(Object(json).detail).toMatch(/^There is nothing at POST \/api\/nothing/);
  });

  it('that a path cannot be decoded', async () => {
    const { json } = await api.client.get('/api/%zz/events');
    expect(Object(json).detail).toMatch(/%zz/);
    expect(Object(json).detail).not.toMatch(/nothing/);
  });

  it('where a body stops being JSON', async () => {
    const reply = await api.client.post(
      '/api/enter-attempt',
      '{\n  "eventId": "333",\n  "roundNumber": }',
      JSON_TYPE,
    );
    expect(reply).toMatchObject({ status: 400, json: { type: '/api/docs/problems/malformed-json' } });
    expect(reply.text).toContain('value expected at line 3, column 18');
  });

  it.each([
    ['an empty body', '', 400],
    ['a list', '[]', 400],
    ['null', 'null', 400],
    ['nesting that would exhaust a stack', '['.repeat(500_000), 400],
    ['deep nesting in an unknown field', `{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 400],
    ['a body of more than 1 MiB', `{"x":"${'x'.repeat(1_100_000)}"}`, 413],
  ])('what is wrong with %s', async (_, body, status) => {
    const reply = await api.client.post('/api/enter-attempt', body, JSON_TYPE);
    expect(reply).toMatchObject({ status, json: { status } });
  });

  it('that a body has to be JSON', async () => {
    const reply = await api.client.post('/api/enter-attempt', 'a=1', { 'content-type': 'text/plain' });
    expect(reply).toMatchObject({ status: 415, json: { type: '/api/docs/problems/unsupported-media-type' } });
    expect(Object(reply.json).detail).toContain('Content-Type: application/json');
  });

  it('that a parameter came twice', async () => {
    const { status, json } = await api.client.get('/api/competitions?region=IE&region=DE');
    const message = expect.stringMatching(/^region is given 2 times; give it once: a country code/);
    expect({ status, json }).toMatchObject({
      status: 400,
      json: { errors: [{ field: 'region', rule: 'once', message }] },
    });
  });

  it.each([
    [{ range: 'bytes=99999999-' }, 416, 'range-not-satisfiable'],
    [{ 'if-match': '"x"' }, 412, 'precondition-failed'],
  ])('that a file cannot be had under the condition %p', async (condition, status, code) => {
    const reply = await api.client.get('/api/docs/swagger-ui.css', condition);
    expect(reply).toMatchObject({ status, json: { type: `/api/docs/problems/${code}` } });
  });

  it('what is wrong with what is no request', async () => {
    expect(await raw('HELLO\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]+"status":400/);
    const large = `GET /api/events HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await raw(large)).toMatch(/^HTTP\/1\.1 431 [\s\S]+"status":431/);
  });
});

describe('request ids', () => {
  it('are taken from the caller where they are harmless, in the reply and in the log', async () => {
    const taken = await api.client.get('/api/events', { 'x-request-id': 'device-7:42' });
    expect(taken.headers['x-request-id']).toBe('device-7:42');
    const made = await api.client.get('/api/events', { 'x-request-id': 'no\tgood' });
    expect(made.headers['x-request-id']).toMatch(/^[A-Za-z0-9]+-[a-z0-9]+$/);
  });
});

describe('bad keys', () => {
  const body = {
    competitionId: CONTEST,
    eventId: '333',
    roundNumber: 1,
    personId: 1,
    attemptNumber: 1,
    attemptResult: 1_500,
  };
  const send = (key: string) => api.client.post('/api/enter-attempt', body, { 'x-api-key': key });

  it('are slowed down by address, and a good key behind it never is', async () => {
    const statuses: number[] = [];
    // One attempt comes back every two seconds, so that each of these takes one more than there were.
    const isRefused = ({ status }: Reply): boolean => status === 429;
    const refused = await until(async () => {
      const reply = await send(`podium_${statuses.length}`);
      statuses.push(reply.status);
      return reply;
    }, isRefused);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const taken = statuses.slice(0, -1);
    expect(taken.length).toBeGreaterThanOrEqual(20);
    expect(new Set(taken)).toEqual(new Set([401]));
    expect((await send(api.world.keys.good)).status).toBe(201);
  });

  it.each(['ended', 'revoked'] as const)(
    'are not those that %s: each is told so, however many come',
    async (kind) => {
      const replies = await Promise.all(Array.from({ length: 64 }, () => send(api.world.keys[kind])));
      const codes = replies.map(({ status, text }) => `${status} ${/key-[a-z]+/.exec(text)}`);
      expect(new Set(codes)).toEqual(new Set([`401 key-${kind}`]));
    },
  );

  it('and no key at all are never in the log', async () => {
    await send(api.world.keys.good);
    const log = JSON.stringify(api.server.log);
    for (const key of Object.values(api.world.keys)) expect(log).not.toContain(key);
    expect(log).not.toContain('podium_19');
  });
});

describe('operation', () => {
  it('tells its health, also for commands', async () => {
    const misspelt = await api.client.get('/api/healthcheck?for=comands');
    expect(misspelt).toMatchObject({ status: 400, json: { errors: [{ field: 'for', rule: 'isIn' }] } });
    for (const path of ['/api/healthcheck', '/api/healthcheck?for=commands']) {
      // A store that takes longer than a second to say how it is counts as one that does not say.
      const { status, json } = await until(
        () => api.client.get(path),
        ({ json: health }) => Object(health).status === 'ok',
      );
      expect({ status, json }).toMatchObject({
        status: 200,
        json: { status: 'ok', eventStore: { status: 'up' }, readModels: { status: 'up' }, projector: true },
      });
    }
  });

  it('counts requests by route, also those from ready bytes', async () => {
    const path = '/api/results/rankings/333/single/all';
    for (let turn = 0; turn < 5; turn += 1) await api.client.get(path);
    const { text } = await api.client.get('/metrics');
    const route = '/api/results/rankings/:eventId/:type/:category';
    const [, count] =
      new RegExp(`_count{method="GET",route="${route}",status="200"} (\\d+)`).exec(text) ?? [];
    expect(Number(count)).toBeGreaterThanOrEqual(5);
    for (const name of [
      'podium_read_models_lag',
      'podium_byte_cache_bytes',
      'nodejs_eventloop_lag_seconds',
    ]) {
      expect(text).toContain(name);
    }
  });

  it('describes itself', async () => {
    const { json } = await api.client.get('/api/docs/openapi.json');
    const paths = Object.keys(Object(Object(json).paths));
    for (const path of [
      'events',
      'competitions',
      'competitions/{competitionId}',
      'enter-attempt',
      'enter-results',
    ]) {
      expect(paths).toContain(`/api/${path}`);
      expect(paths).toContain(`/api/{spaceId}/${path}`);
    }
    const page = await api.client.get('/api/docs');
    expect(page.text).toContain('swagger-ui');
    expect((await api.client.get('/api/docs/swagger-ui-init.js')).status).toBe(200);
  });
});
