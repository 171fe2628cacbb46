/** What senders built for Loki, Logplex and Cloudflare send, over real HTTP. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type LogApi, startLogApi } from '../../support/log-api.js';
import { jsonPush, type PushSketch, snappyPush } from '../../support/loki-pushes.js';
import { startServer } from '../../support/server.js';

let api: LogApi;
/** Marks this test's entries. */
let mark: string;

beforeAll(async () => {
  api = await startLogApi();
});
afterAll(() => api.close());
beforeEach(() => {
  mark = randomUUID();
});

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | null;
  readonly url?: string;
}

const post = async (
  path: string,
  body: Uint8Array | string,
  { headers = {}, token = api.tokens.ingest, url = api.server.url }: Sending = {},
): Promise<Sent> => {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { ...(token !== null && { 'x-api-key': token }), ...headers },
    body: Buffer.from(body),
  });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
};

const rows = (source: string) =>
  api.rows(
    `SELECT "timestamp", event_message, metadata, project FROM ${source}
     WHERE event_message LIKE '%${mark}%' ORDER BY event_message`,
  );

const JSON_TYPE = { 'content-type': 'application/json' };
const PROTOBUF_TYPE = { 'content-type': 'application/x-protobuf' };
const NANOS = 1_570_818_238_123_456_789n;

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`user:${password}`).toString('base64')}`,
});

describe('a push to Loki', () => {
  const PUSH = '/loki/api/v1/push';
  const sketch = (...lines: PushSketch['lines'][number][1][]): PushSketch => ({
    labels: { job: 'web', service_name: 'todo' },
    lines: lines.map((line): PushSketch['lines'][number] => [NANOS, line, { trace_id: '0242ac120002' }]),
  });
  const ENTRY = {
    timestamp: '2019-10-11T18:23:58.123456Z',
    metadata: { job: 'web', service_name: 'todo', trace_id: '0242ac120002' },
    project: 'todo',
  };

  it.each<[string, (push: PushSketch) => string | Uint8Array, Record<string, string>]>([
    ['JSON', jsonPush, JSON_TYPE],
    ['gzipped JSON', (push) => gzipSync(jsonPush(push)), { ...JSON_TYPE, 'content-encoding': 'gzip' }],
    ['protobuf', snappyPush, PROTOBUF_TYPE],
    ['protobuf that names Snappy', snappyPush, { ...PROTOBUF_TYPE, 'content-encoding': 'snappy' }],
    ['protobuf without a type', snappyPush, {}],
  ])('in %s is answered 204 without a body, and once sent again is there once', async (_, body, headers) => {
    for (let time = 0; time < 2; time++) {
      const sent = await post(PUSH, body(sketch(mark)), { headers });
      expect([sent.status, sent.text]).toEqual([204, '']);
    }
    expect(await rows('otel_logs')).toEqual([{ ...ENTRY, event_message: mark }]);
  });

  it('may be large', async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `${mark} ${index}`);
    expect((await post(PUSH, snappyPush(sketch(...lines)), { headers: PROTOBUF_TYPE })).status).toBe(204);
    expect(await rows('otel_logs')).toHaveLength(2_000);
  });

  it.each([
    ['x-source', '', { 'x-source': 'function_logs' }],
    ['source=', '?source=function_logs', {}],
  ])('goes to the source of %s', async (_, query, headers) => {
    await post(PUSH + query, jsonPush(sketch(mark)), { headers: { ...JSON_TYPE, ...headers } });
    expect(await rows('function_logs')).toMatchObject([{ project: null, metadata: { project_ref: 'todo' } }]);
  });

  it('with a tied token belongs to its project, also by Basic authentication', async () => {
    const headers = { ...JSON_TYPE, ...basic(api.tokens.tied) };
    expect((await post(PUSH, jsonPush(sketch(mark)), { headers, token: null })).status).toBe(204);
    expect(await rows('otel_logs')).toMatchObject([{ project: 'one' }]);
  });

  it('with lines that break a rule writes the others, and says so in a line of text', async () => {
    const sent = await post(PUSH, jsonPush(sketch(mark, 'x'.repeat(65_537))), { headers: JSON_TYPE });
    expect([sent.status, sent.headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
    expect(sent.text).toBe(
      '1 line was left out, all others were written: streams[0].values[1].event_message must be text of at most 65536 characters\n',
    );
    expect(await rows('otel_logs')).toHaveLength(1);
  });

  it('with a tied token leaves out a stream whose label names another project', async () => {
    const foreign = { labels: { project: 'two' }, lines: [[NANOS, mark]] } as const;
    const sent = await post(PUSH, jsonPush(foreign), { headers: JSON_TYPE, token: api.tokens.tied });
    expect([sent.status, sent.text]).toEqual([400, expect.stringContaining("than the token's, one")]);
    expect(await rows('otel_logs')).toEqual([]);
  });

  it.each<[string, number, Sending, string | Uint8Array]>([
    ['no token', 401, { token: null, headers: JSON_TYPE }, '{"streams":[]}'],
    ['a wrong password', 401, { token: null, headers: { ...JSON_TYPE, ...basic('x') } }, '{"streams":[]}'],
    ['no JSON', 400, { headers: JSON_TYPE }, '{"streams":'],
    ['no body', 400, { headers: JSON_TYPE }, ''],
    ['protobuf that is not in Snappy', 400, { headers: PROTOBUF_TYPE }, '{"streams":[]}'],
    ['a source that is none', 400, { headers: { ...JSON_TYPE, 'x-source': 'nope' } }, '{"streams":[]}'],
    [
      'protobuf in gzip',
      415,
      { headers: { ...PROTOBUF_TYPE, 'content-encoding': 'gzip' } },
      gzipSync('{"streams":[]}'),
    ],
    ['another type', 415, { headers: { 'content-type': 'text/csv' } }, 'a,b'],
    [
      'what unpacks without end',
      413,
      { headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
      gzipSync(Buffer.alloc(200 * 1024 * 1024, ' ')),
    ],
    [
      'Snappy that says it is too long',
      413,
      { headers: PROTOBUF_TYPE },
      Buffer.from([0xff, 0xff, 0xff, 0xff, 0x07]),
    ],
  ])('with %s is refused with %i and a line of text', async (_, status, sending, body) => {
    const sent = await post(PUSH, body, sending);
    expect([sent.status, sent.headers.get('content-type')]).toEqual([status, 'text/plain; charset=utf-8']);
    expect(sent.text).toMatch(/^[^{].+\n$/);
  });

  it('without a token may not query either', async () => {
    const sent = await post(PUSH, '{"streams":[]}', { headers: JSON_TYPE, token: api.tokens.query });
    expect([sent.status, sent.text]).toEqual([403, 'the access token has no scope ingest\n']);
  });

  it('goes on to the node that owns the logs, and waits while it is away', async () => {
    const node = await startServer({ env: { LOG_STORE_URL: api.server.url } });
    const sent = await post(PUSH, jsonPush(sketch(mark)), { headers: JSON_TYPE, url: node.url });
    await node.stop();
    await node.remove();
    expect(sent.status).toBe(204);
    expect(await rows('otel_logs')).toHaveLength(1);

    const away = await startServer({ env: { LOG_STORE_URL: 'http://127.0.0.1:9' } });
    const later = await post(PUSH, jsonPush(sketch(mark)), { headers: JSON_TYPE, url: away.url });
    await away.stop();
    await away.remove();
    expect([later.status, later.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('a Logplex drain', () => {
  const DRAIN = '/api/logs/logplex?source=function_logs';
  const TYPE = { 'content-type': 'application/logplex-1' };
  const body = (): string => {
    const message = `<174>1 2012-07-22T00:06:26+00:00 host erlang console - Hi from ${mark}\n`;
    return `${message.length} ${message}`.repeat(2);
  };
  const framed = () => ({ ...TYPE, 'logplex-msg-count': '2', 'logplex-frame-id': mark });

  it('is written once, however often its frame is sent, with the token as password', async () => {
    const replies = [];
    for (let time = 0; time < 2; time++) {
      const headers = { ...framed(), ...basic(api.tokens.tied) };
      const { status, text } = await post(DRAIN, body(), { headers, token: null });
      replies.push([status, JSON.parse(text)]);
    }
    expect(replies).toEqual([
      [201, { accepted: 2, duplicates: 0 }],
      [200, { accepted: 0, duplicates: 2 }],
    ]);
    const entry = {
      timestamp: '2012-07-22T00:06:26.000000Z',
      event_message: `Hi from ${mark}`,
      metadata: expect.objectContaining({ level: 'info', app_name: 'erlang', project_ref: 'one' }),
      project: null,
    };
    expect(await rows('function_logs')).toEqual([entry, entry]);
  });

  it.each<[string, number, string, Record<string, string>]>([
    ['another count', 400, '', { 'logplex-msg-count': '3' }],
    ['a count that is none', 400, '', { 'logplex-msg-count': 'many' }],
    ['a cut frame', 400, '9', {}],
    ['JSON', 415, '', { 'content-type': 'application/json' }],
  ])('with %s is refused with %i', async (_, status, before, headers) => {
    const sent = await post(DRAIN, before + body(), { headers: { ...framed(), ...headers } });
    expect([sent.status, JSON.parse(sent.text)]).toEqual([
      status,
      expect.objectContaining({ error: expect.stringMatching(/Logplex-Msg-Count|messages\[0\]|json/) }),
    ]);
    expect(await rows('function_logs')).toEqual([]);
  });
});

describe('Logpush of Cloudflare', () => {
  const UPLOAD = '/api/logs/cloudflare?source=edge_logs';
  const upload = (lines: string, token = api.tokens.tied): Promise<Sent> =>
    post(UPLOAD, gzipSync(lines), { headers: { 'content-encoding': 'gzip' }, token });

  it('has its destination tested without an entry', async () => {
    const before = await api.rows('SELECT count(*) AS n FROM edge_logs');
    expect(await upload('{"content":"tests"}')).toMatchObject({
      status: 200,
      text: '{"accepted":0,"duplicates":0}',
    });
    expect(await api.rows('SELECT count(*) AS n FROM edge_logs')).toEqual(before);
  });

  it('writes a record once, however often it is uploaded', async () => {
    const record = {
      ClientIP: '203.0.113.9',
      ClientRequestHost: 'testing.example.com',
      ClientRequestMethod: 'GET',
      ClientRequestURI: `/${mark}`,
      EdgeResponseStatus: 403,
      EdgeStartTimestamp: '2018-12-18T17:38:49Z',
      RayID: '48b371889c489b2c',
    };
    const lines = `${JSON.stringify(record)}\n`;
    expect([(await upload(lines)).status, (await upload(lines)).status]).toEqual([201, 200]);
    expect(await rows('edge_logs')).toEqual([
      {
        timestamp: '2018-12-18T17:38:49.000000Z',
        event_message: `GET | 403 | 203.0.113.9 | testing.example.com/${mark}`,
        metadata: record,
        project: 'one',
      },
    ]);
  });

  it('writes nothing of a body with a record that breaks a rule', async () => {
    const sent = await upload(`{"QueryName":"${mark}"}\n{"When":"soon"}`);
    expect([sent.status, JSON.parse(sent.text)]).toMatchObject([
      422,
      { errors: [{ field: '[1].timestamp', rule: 'time' }] },
    ]);
    expect(await rows('edge_logs')).toEqual([]);
  });
});
