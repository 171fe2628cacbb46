/** POST /api/logs over real HTTP: every form of a body, all or nothing, tokens and projects, limits. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type LogApi, type LogReply, type Sending, sendLogs, startLogApi } from '../../support/log-api.js';
import { until } from '../../support/until.js';

let api: LogApi;
/** Of this test's entries. */
let project: string;

beforeAll(async () => {
  api = await startLogApi();
});
afterAll(() => api.close());
beforeEach(() => {
  project = randomUUID();
});

const send = (body: unknown, sending: Sending = {}): Promise<LogReply> =>
  sendLogs(api.server.url, body, { token: api.tokens.ingest, ...sending });

const entry = (more: object = {}) => ({ event_message: 'GET /rest/v1', project, ...more });

const written = (columns = 'event_message', source = 'edge_logs') =>
  api.rows(`SELECT ${columns} FROM ${source} WHERE project = '${project}' ORDER BY event_message`);

const NDJSON = { 'content-type': 'application/x-ndjson' };
const GZIP = { 'content-encoding': 'gzip' };
const three = () => ['a', 'b', 'c'].map((event_message) => entry({ event_message }));
const lines = (entries: readonly object[]): string => entries.map((one) => JSON.stringify(one)).join('\n');

describe('the forms of a body', () => {
  it.each<[string, () => unknown, Sending]>([
    ['{"batch": […]}', () => ({ batch: three() }), {}],
    ['an array', three, {}],
    ['NDJSON', () => lines(three()), { headers: NDJSON }],
    [
      'NDJSON with blank lines and a line feed at the end',
      () => `\n${lines(three())}\r\n\n`,
      { headers: NDJSON },
    ],
    ['NDJSON that says it is JSON', () => lines(three()), {}],
    ['gzip', () => gzipSync(JSON.stringify({ batch: three() })), { headers: GZIP }],
    ['deflate', () => deflateSync(JSON.stringify(three())), { headers: { 'content-encoding': 'deflate' } }],
    ['br', () => brotliCompressSync(JSON.stringify(three())), { headers: { 'content-encoding': 'br' } }],
    ['NDJSON in gzip', () => gzipSync(lines(three())), { headers: { ...GZIP, ...NDJSON } }],
  ])('%s', async (_, body, sending) => {
    const reply = await send(body(), sending);
    expect([reply.status, reply.json]).toEqual([201, { accepted: 3, duplicates: 0 }]);
    expect(await written()).toEqual([{ event_message: 'a' }, { event_message: 'b' }, { event_message: 'c' }]);
  });

  it('one entry, as it was sent', async () => {
    const id = randomUUID();
    const metadata = { request: { path: '/rest/v1', headers: [{ a: 1.5 }] }, ok: true, none: null };
    const sent = { id: id.toUpperCase(), timestamp: '2026-03-17T14:47:02.123456789+02:00', metadata };
    expect((await send(entry(sent))).status).toBe(201);
    expect(await written('id, "timestamp", event_message, metadata')).toEqual([
      { id, timestamp: '2026-03-17T12:47:02.123456Z', event_message: 'GET /rest/v1', metadata },
    ]);
  });

  it('an entry of nothing but its message gets an id and the time', async () => {
    const before = new Date().toISOString();
    await send(entry());
    const [row] = await written('id, "timestamp", metadata');
    expect(row?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(row?.metadata).toEqual({});
    expect(String(row?.timestamp) >= before.slice(0, -1)).toBe(true);
  });

  it('no entry at all writes nothing', async () => {
    expect(await send([])).toMatchObject({ status: 200, json: { accepted: 0, duplicates: 0 } });
  });

  it('a batch that is read in a thread gives the same', async () => {
    const batch = Array.from({ length: 2_000 }, (_, index) =>
      entry({ metadata: { index, pad: 'x'.repeat(100) } }),
    );
    expect((await send({ batch })).json).toEqual({ accepted: 2_000, duplicates: 0 });
    const sum = "sum((metadata->>'index')::INTEGER) AS sum, count(*) AS n";
    expect(await api.rows(`SELECT ${sum} FROM edge_logs WHERE project = '${project}'`)).toEqual([
      { sum: 1_999_000, n: 2_000 },
    ]);
  });
});

describe('what other senders write', () => {
  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(api.server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': api.tokens.ingest, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['source_name', '/api/logs?source_name=auth_logs', {}],
    ['collection_name', '/api/logs?collection_name=auth_logs', {}],
    ['x-source', '/api/logs', { 'x-source': 'auth_logs' }],
    ['source before the others', '/api/logs?source_name=edge_logs&source=auth_logs', { 'x-source': 'none' }],
  ])('names the source by %s', async (_, path, headers) => {
    expect((await post(path, entry(), headers)).status).toBe(201);
    expect(await written('event_message', 'auth_logs')).toHaveLength(1);
  });

  it.each([
    ['source_name', '/api/logs?source_name=nope', {}],
    ['x-source', '/api/logs', { 'x-source': 'nope' }],
  ])('is refused when %s names none', async (field, path, headers) => {
    const reply = await post(path, entry(), headers);
    expect([reply.status, await reply.json()]).toMatchObject([400, { errors: [{ field }] }]);
  });

  it('Vector’s events have their fields under metadata', async () => {
    const event = {
      message: 'started',
      timestamp: '2026-03-17T14:47:02.123456789Z',
      host: 'web-1',
      source_type: 'file',
      file: '/var/log/app.log',
      project,
    };
    expect((await post('/api/logs?source=edge_logs', [event])).status).toBe(201);
    expect(await written('"timestamp", event_message, metadata')).toEqual([
      {
        timestamp: '2026-03-17T14:47:02.123456Z',
        event_message: 'started',
        metadata: { host: 'web-1', source_type: 'file', file: '/var/log/app.log' },
      },
    ]);
  });

  it('Fluent Bit’s records have times with a fraction', async () => {
    const body = `[{"timestamp":1773758822.123456,"message":"started","stream":"stdout","project":"${project}"}]`;
    expect((await post('/api/logs?source=edge_logs', body)).status).toBe(201);
    expect(await written('"timestamp", event_message, metadata')).toEqual([
      {
        timestamp: '2026-03-17T14:47:02.123456Z',
        event_message: 'started',
        metadata: { stream: 'stdout' },
      },
    ]);
  });
});

describe('the same entry again', () => {
  it('is counted and not written, and 200 says that nothing was', async () => {
    const batch = three().map((one) => ({ ...one, id: randomUUID() }));
    expect((await send({ batch })).status).toBe(201);
    expect(await send({ batch })).toMatchObject({ status: 200, json: { accepted: 0, duplicates: 3 } });
    expect(await send([...batch, entry({ event_message: 'd' })])).toMatchObject({
      status: 201,
      json: { accepted: 1, duplicates: 3 },
    });
    expect(await written()).toHaveLength(4);
  });
});

describe('a bad entry', () => {
  it('is named by its index, field and rule, with all others, and nothing is written', async () => {
    const batch = [
      entry(),
      entry({ id: 'x', timestamp: 'yesterday' }),
      entry({ event_message: undefined }),
      'text',
      entry({ metadata: [1] }),
      entry({ project: '' }),
      entry({ timestamp: 12345 }),
    ];
    const reply = await send({ batch });
    expect(reply.status).toBe(422);
    expect(reply.json).toMatchObject({
      type: '/api/docs/problems/log-entries',
      errors: [
        { field: 'batch[1].id', rule: 'uuid' },
        { field: 'batch[1].timestamp', rule: 'time' },
        { field: 'batch[2].event_message', rule: 'text' },
        { field: 'batch[3]', rule: 'object' },
        { field: 'batch[4].metadata', rule: 'object' },
        { field: 'batch[5].project', rule: 'project' },
        { field: 'batch[6].timestamp', rule: 'time' },
      ],
    });
    expect(await written()).toEqual([]);
  });

  it.each<[string, unknown, number, string]>([
    ['an array', [{ event_message: 1 }], 422, '[0].event_message'],
    ['one entry', { event_message: 1 }, 422, 'event_message'],
    ['a line that is no JSON', `{"event_message":"a"}\n{oops\n`, 400, '[1]'],
    ['no JSON', '{"batch": [', 400, 'body'],
    ['nothing', '', 400, 'body'],
    ['a batch that is none', { batch: {} }, 400, 'batch'],
    ['a number without end', '{"event_message":"a","metadata":{"n":1e999}}', 422, 'metadata'],
    [
      'metadata that nest without end',
      `{"event_message":"a","metadata":${'{"a":'.repeat(60)}1${'}'.repeat(60)}}`,
      422,
      'metadata',
    ],
    ['too many entries', `[${'{"event_message":"a"},'.repeat(20_000)}{"event_message":"a"}]`, 400, 'body'],
  ])('%s', async (_, body, status, field) => {
    const reply = await send(body);
    expect(reply).toMatchObject({ status, json: { errors: [{ field }] } });
  });
});

describe('who may write', () => {
  it.each<[string, () => Sending, number, string]>([
    ['no token', () => ({ token: '' }), 401, 'token-missing'],
    ['a made-up token', () => ({ token: 'podium_nope' }), 401, 'token-unknown'],
    ['a token that may only query', () => ({ token: api.tokens.query }), 403, 'token-scope'],
    ['a source that is none', () => ({ source: 'nope' }), 400, 'invalid-request'],
    [
      'another content type',
      () => ({ headers: { 'content-type': 'text/csv' } }),
      415,
      'unsupported-media-type',
    ],
    [
      'another compression',
      () => ({ headers: { 'content-encoding': 'compress' } }),
      415,
      'unsupported-media-type',
    ],
  ])('%s', async (_, sending, status, code) => {
    const reply = await send(entry(), sending());
    expect(reply).toMatchObject({ status, json: { type: `/api/docs/problems/${code}` } });
    expect(await written()).toEqual([]);
  });

  it('an admin may', async () => {
    expect((await send(entry(), { token: api.tokens.admin })).status).toBe(201);
  });
});

describe('a token that is tied to a project', () => {
  const tied = (): Sending => ({ token: api.tokens.tied });
  const named = (message: string, source: string) =>
    api.rows(`SELECT project, metadata FROM ${source} WHERE event_message = '${message}'`);

  it.each([
    ['edge_logs', { project: 'one', metadata: {} }],
    ['function_logs', { project: null, metadata: { project_ref: 'one' } }],
    ['storage_logs', { project: null, metadata: { project: 'one' } }],
  ])('has its project set in %s where that goes by it', async (source, row) => {
    expect((await send([{ event_message: project }], { ...tied(), source })).status).toBe(201);
    expect(await named(project, source)).toEqual([row]);
  });

  it.each([
    ['the column', { project: 'two' }, 'project'],
    ['metadata.project', { metadata: { project: 'two' } }, 'metadata.project'],
    ['metadata.project_ref', { metadata: { project_ref: ['one'] } }, 'metadata.project_ref'],
  ])('is refused another in %s, whatever the source', async (_, foreign, field) => {
    for (const source of ['edge_logs', 'function_logs', 'storage_logs', 'auth_logs']) {
      const batch = [{ event_message: project }, { event_message: project, ...foreign }];
      const reply = await send({ batch }, { ...tied(), source });
      expect(reply).toMatchObject({
        status: 403,
        json: { type: '/api/docs/problems/token-project', errors: [{ field: `batch[1].${field}` }] },
      });
      expect(await named(project, source)).toEqual([]);
    }
  });

  it('may name its own', async () => {
    const own = { event_message: project, project: 'one', metadata: { project: 'one', project_ref: 'one' } };
    expect((await send(own, tied())).status).toBe(201);
  });
});

describe('limits', () => {
  it('a body that is too long is refused', async () => {
    // Only its length is sent: the answer does not wait for the rest.
    const headers = { 'content-length': 17 * 1024 * 1024, 'x-api-key': api.tokens.ingest };
    const url = new URL('/api/logs?source=edge_logs', api.server.url);
    const sent = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
    });
    sent.flushHeaders();
    const [reply] = await once(sent, 'response');
    expect(reply.statusCode).toBe(413);
    sent.on('error', () => undefined).destroy();
  });

  it('a body that unpacks without end is refused before it does', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '), { level: 9 });
    const reply = await send(bomb, { headers: GZIP });
    expect(reply).toMatchObject({ status: 413, json: { type: '/api/docs/problems/body-too-large' } });
  });

  it('what is no gzip is refused', async () => {
    expect(await send('plain', { headers: GZIP })).toMatchObject({
      status: 400,
      json: { errors: [{ rule: 'gzip' }] },
    });
  });

  it('GET has no such path', async () => {
    const reply = await fetch(`${api.server.url}/api/logs`);
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });
});

describe('bodies under way', () => {
  it('are so many bytes of each token at most: more is told to wait before it is read, another token’s is taken, and it when there is room again', async () => {
    const announced = 16 * 1024 * 1024;
    const url = new URL('/api/logs?source=edge_logs', api.server.url);
    const headers = { 'x-api-key': api.tokens.ingest, 'content-type': 'application/json' };
    /** Announces a body as large as may be and sends its first byte. */
    const begin = () => {
      const sent = request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': announced },
        agent: false,
      });
      sent.on('error', () => undefined);
      sent.write('[');
      return sent;
    };
    const open = new Set<ReturnType<typeof begin>>();
    /**
     * Two bodies under way: what found no room, beside an entry, is begun again. No entry is sent meanwhile; on a slow
     * disk each would take the room of one of them, for ever.
     */
    const fill = async (): Promise<void> => {
      while (open.size < 2) {
        const sent = begin();
        open.add(sent);
        sent.on('response', () => sent.destroy());
        // Also where the connection ended before the refusal was read.
        sent.on('close', () => open.delete(sent));
        if (open.size === 2) await fetch(`${api.server.url}/api/healthcheck`);
      }
    };
    const refusal = await until(
      () => fill().then(() => send(entry())),
      ({ status }) => status === 429,
    );
    expect(refusal.json).toMatchObject({ type: '/api/docs/problems/log-store-busy' });
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const [path, type, says] of [
      ['/v1/logs', 'application/json', /^\{"code":8,"message":"Too many entries are pending/],
      ['/loki/api/v1/push', 'text/plain; charset=utf-8', /^Too many entries are pending.+\n$/],
    ] as const) {
      const push = () => fetch(api.server.url + path, { method: 'POST', headers, body: '{"streams":[]}' });
      const reply = await until(
        () => fill().then(push),
        ({ status }) => status === 429,
      );
      expect([reply.headers.get('content-type'), reply.headers.get('retry-after')]).toEqual([type, '1']);
      expect(await reply.text()).toMatch(says);
    }
    expect((await send(entry(), { token: 'podium_token_none_none' })).status).toBe(401);
    expect((await send({ event_message: 'of another' }, { token: api.tokens.tied })).status).toBe(201);
    for (const sent of open) sent.destroy();
    const taken = await until(
      () => send(entry({ event_message: 'after' })),
      ({ status }) => status !== 429,
    );
    expect(taken.status).toBe(201);
    expect(await written()).toContainEqual({ event_message: 'after' });
  });
});
