/** POST /v1/logs and /v1/traces over real HTTP: OpenTelemetry's own exporters, both encodings, failures as OTLP has them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtoLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtoTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import protobuf from 'protobufjs/light.js';
import type { OtlpForm } from '../../../src/logs/ingest/log-body.js';
import { Client } from '../../support/client.js';
import { type LogApi, startLogApi } from '../../support/log-api.js';
import { encodedExport, logsExport, type Sketch, spansExport } from '../../support/otlp-exports.js';
import { startServer } from '../../support/server.js';

let api: LogApi;
/** The service of this test's records, which is their project. */
let service: string;

beforeAll(async () => {
  api = await startLogApi();
});
afterAll(() => api.close());
beforeEach(() => {
  service = randomUUID();
});

const TYPES = { json: 'application/json', protobuf: 'application/x-protobuf' } as const;
const PATHS = { logs: '/v1/logs', traces: '/v1/traces' } as const;
type Encoding = OtlpForm['encoding'];

interface Sent {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly body: Buffer;
}

interface Sending {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
}

const post = async (
  { signal, encoding }: OtlpForm,
  body: Uint8Array | string,
  { token = api.tokens.ingest, headers = {}, url = api.server.url }: Sending = {},
): Promise<Sent> => {
  const reply = await fetch(url + PATHS[signal], {
    method: 'POST',
    headers: { 'content-type': TYPES[encoding], ...(token !== '' && { 'x-api-key': token }), ...headers },
    body: Buffer.from(body),
  });
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    headers: reply.headers,
    body: Buffer.from(await reply.arrayBuffer()),
  };
};

const send = (form: OtlpForm, sketch: Sketch, sending: Sending = {}): Promise<Sent> =>
  post(form, encodedExport(form, sketch), sending);

const rows = (source: string, project: string | null = service) =>
  api.rows(
    `SELECT id, "timestamp", event_message, metadata, project FROM ${source}
     WHERE project = '${project}' ORDER BY event_message`,
  );

const LOGS: readonly OtlpForm[] = [
  { signal: 'logs', encoding: 'json' },
  { signal: 'logs', encoding: 'protobuf' },
];
const TRACES: readonly OtlpForm[] = [
  { signal: 'traces', encoding: 'json' },
  { signal: 'traces', encoding: 'protobuf' },
];
const JSON_LOGS: OtlpForm = { signal: 'logs', encoding: 'json' };

/** Reads a Status or a reply with this schema of its own, so that the server's is not checked with itself. */
const { root } = protobuf.Root.fromJSON({
  nested: {
    Status: { fields: { code: { type: 'int32', id: 1 }, message: { type: 'string', id: 2 } } },
    Reply: { fields: { partialSuccess: { type: 'Partial', id: 1 } } },
    Partial: { fields: { rejected: { type: 'int64', id: 1 }, errorMessage: { type: 'string', id: 2 } } },
  },
});
const decoded = (name: 'Status' | 'Reply', body: Buffer): unknown =>
  root.lookupType(name).toObject(root.lookupType(name).decode(body), { longs: String });

const statusOf = ({ type, body }: Sent): unknown => {
  if (type === TYPES.protobuf) return decoded('Status', body);
  expect(type).toMatch(/^application\/json/);
  return JSON.parse(body.toString());
};

const exporterOptions = (signal: OtlpForm['signal'], compression: 'gzip' | 'none') => ({
  url: api.server.url + PATHS[signal],
  headers: { authorization: `Bearer ${api.tokens.ingest}` },
  compression: compression as never,
});

describe('the OpenTelemetry SDK', () => {
  it.each([
    ['protobuf', ProtoLogExporter, 'none'],
    ['protobuf in gzip', ProtoLogExporter, 'gzip'],
    ['JSON', JsonLogExporter, 'none'],
  ] as const)('sends log records as %s', async (_, Exporter, compression) => {
    const exporter = new Exporter(exporterOptions('logs', compression));
    const provider = new LoggerProvider({
      resource: resourceFromAttributes({ 'service.name': service, 'service.version': '1.2' }),
      processors: [new BatchLogRecordProcessor({ exporter } as never)],
    });
    const logger = provider.getLogger('web', '3.4');
    logger.emit({
      body: 'GET /rest/v1',
      severityNumber: 17,
      severityText: 'ERROR',
      timestamp: new Date('2026-03-17T14:47:02.123Z'),
      attributes: { 'http.route': '/rest/v1', 'http.status': 500, tags: ['a', 'b'], ok: false, share: 0.5 },
    });
    await provider.shutdown();
    expect(await rows('otel_logs')).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        timestamp: '2026-03-17T14:47:02.123000Z',
        event_message: 'GET /rest/v1',
        project: service,
        metadata: {
          severity_number: 17,
          severity_text: 'ERROR',
          observed_timestamp: expect.stringMatching(/^20.*\.\d{6}Z$/),
          attributes: {
            http: { route: '/rest/v1', status: 500 },
            tags: ['a', 'b'],
            ok: false,
            share: 0.5,
          },
          resource: { service: { name: service, version: '1.2' } },
          scope: { name: 'web', version: '3.4' },
        },
      },
    ]);
  });

  it.each([
    ['protobuf', ProtoTraceExporter, 'gzip'],
    ['JSON', JsonTraceExporter, 'none'],
  ] as const)('sends spans as %s', async (_, Exporter, compression) => {
    const exporter = new Exporter(exporterOptions('traces', compression));
    const provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': service }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    const start = new Date('2026-03-17T14:47:02.123Z');
    const span = provider.getTracer('db').startSpan('SELECT', { kind: 2, startTime: start });
    span.setStatus({ code: 2, message: 'no table' });
    span.setAttribute('db.rows', 3);
    span.addEvent('retry', { count: 1 }, start);
    span.end(new Date(start.getTime() + 250));
    const { traceId, spanId } = span.spanContext();
    await provider.shutdown();
    expect(await rows('otel_traces')).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        timestamp: '2026-03-17T14:47:02.123000Z',
        event_message: 'SELECT',
        project: service,
        metadata: {
          trace_id: traceId,
          span_id: spanId,
          kind: 'client',
          end_time: '2026-03-17T14:47:02.373000Z',
          duration_ms: 250,
          status: { code: 'error', message: 'no table' },
          attributes: { db: { rows: 3 } },
          events: [{ name: 'retry', timestamp: '2026-03-17T14:47:02.123000Z', attributes: { count: 1 } }],
          resource: { service: { name: service } },
          scope: { name: 'db' },
        },
      },
    ]);
  });
});

describe.each(LOGS)('log records in $encoding', (form) => {
  it('are answered with an empty reply of the same type', async () => {
    const sent = await send(form, logsExport(service, { body: { stringValue: 'a' } }));
    expect([sent.status, sent.type?.split(';')[0]]).toEqual([200, TYPES[form.encoding]]);
    expect(sent.body.toString()).toBe(form.encoding === 'json' ? '{}' : '');
    expect(await rows('otel_logs')).toHaveLength(1);
  });

  it('that break a rule are left out, and the reply says how many and why', async () => {
    const long = { body: { stringValue: 'x'.repeat(65_537) } };
    const sent = await send(form, logsExport(service, long, { body: { stringValue: 'a' } }, long));
    expect(sent.status).toBe(200);
    const named = expect.stringContaining('resourceLogs[0].scopeLogs[0].logRecords[0].event_message');
    expect(form.encoding === 'json' ? JSON.parse(sent.body.toString()) : decoded('Reply', sent.body)).toEqual(
      {
        partialSuccess: {
          [form.encoding === 'json' ? 'rejectedLogRecords' : 'rejected']: '2',
          errorMessage: named,
        },
      },
    );
    expect(await rows('otel_logs')).toMatchObject([{ event_message: 'a' }]);
  });

  it('with log.record.uid are one entry, however often they are sent', async () => {
    const record = (uid: string) => ({
      body: { stringValue: uid },
      attributes: [{ key: 'log.record.uid', value: { stringValue: uid } }],
    });
    const own = randomUUID();
    const sketch = logsExport(service, record('01ARZ3NDEKTSV4RRFFQ69G5FAV'), record(own));
    await send(form, sketch);
    await send(form, sketch);
    const found = await rows('otel_logs');
    expect(found).toHaveLength(2);
    expect(found.map(({ id }) => id)).toContain(own);
  });

  it('that are read in a thread give the same', async () => {
    const records = Array.from({ length: 2_000 }, (_, index) => ({
      body: { stringValue: `record ${index}` },
    }));
    expect((await send(form, logsExport(service, ...records))).status).toBe(200);
    expect(await rows('otel_logs')).toHaveLength(2_000);
  });

  it('of a tied token belong to its project, whatever their service', async () => {
    await send(form, logsExport(service, { body: { stringValue: service } }), { token: api.tokens.tied });
    const [row] = await api.rows(`SELECT project FROM otel_logs WHERE event_message = '${service}'`);
    expect(row).toEqual({ project: 'one' });
  });

  it('go to the source of x-source, with the project where that has it', async () => {
    const headers = { 'x-source': 'function_logs' };
    await send(form, logsExport(service, { body: { stringValue: service } }), { headers });
    const [row] = await api.rows(
      `SELECT project, metadata->>'project_ref' AS ref FROM function_logs WHERE event_message = '${service}'`,
    );
    expect(row).toEqual({ project: null, ref: service });
  });

  it.each<[string, (encoding: Encoding) => Promise<Sent>, number, number]>([
    ['no token', (encoding) => post({ ...form, encoding }, '', { token: '' }), 401, 16],
    [
      'a token that may only query',
      (encoding) => post({ ...form, encoding }, '', { token: api.tokens.query }),
      403,
      7,
    ],
    ['a body that is none', (encoding) => post({ ...form, encoding }, '{"resourceLogs":'), 400, 3],
    [
      'a source that is none',
      (encoding) => post({ ...form, encoding }, '', { headers: { 'x-source': 'nope' } }),
      400,
      3,
    ],
    [
      'another compression',
      (encoding) => post({ ...form, encoding }, '', { headers: { 'content-encoding': 'lz4' } }),
      415,
      3,
    ],
    [
      'what is no gzip',
      (encoding) => post({ ...form, encoding }, 'plain', { headers: { 'content-encoding': 'gzip' } }),
      400,
      3,
    ],
    [
      'what unpacks without end',
      (encoding) =>
        post({ ...form, encoding }, gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '), { level: 9 }), {
          headers: { 'content-encoding': 'gzip' },
        }),
      413,
      8,
    ],
  ])('%s is answered with a Status', async (_, ask, status, code) => {
    const sent = await ask(form.encoding);
    expect(sent.status).toBe(status);
    expect(statusOf(sent)).toEqual({ code, message: expect.stringMatching(/.../) });
  });
});

describe('failures', () => {
  it('of another content type are a Status in JSON', async () => {
    const sent = await post(JSON_LOGS, 'a,b', { headers: { 'content-type': 'text/csv' } });
    expect([sent.status, statusOf(sent)]).toEqual([
      415,
      { code: 3, message: expect.stringContaining('text/csv') },
    ]);
  });

  it.each([
    ['a list that is none', '{"resourceLogs":{}}', 'resourceLogs must be an array'],
    [
      'a time that is none',
      '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"soon"}]}]}]}',
      'timeUnixNano must be an integer',
    ],
    ['an array', '[]', 'the body must be an object'],
  ])('%s is named', async (_, body, message) => {
    const sent = await post(JSON_LOGS, body);
    expect([sent.status, statusOf(sent)]).toEqual([400, { code: 3, message }]);
  });

  it('say when to come again while the log store is away', async () => {
    const away = await startServer({ env: { LOG_STORE_URL: 'http://127.0.0.1:9' } });
    const sent = await post(JSON_LOGS, '{}', { url: away.url });
    expect([sent.status, sent.headers.get('retry-after')]).toEqual([503, '1']);
    await away.stop();
    await away.remove();
  });
});

describe('bodies', () => {
  it.each<[string, (bytes: Buffer) => Uint8Array]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    // A frame of one raw block: a single segment whose length has four bytes.
    [
      'zstd',
      (bytes) => {
        const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0]);
        head.writeUInt32LE(bytes.length, 5);
        head.writeUIntLE((bytes.length << 3) | 1, 9, 3);
        return Buffer.concat([head, bytes]);
      },
    ],
  ])('may come in %s', async (coding, packed) => {
    const [, form] = LOGS;
    if (!form) throw new Error('there is no form');
    const body = encodedExport(form, logsExport(service, { body: { stringValue: 'a' } }));
    const sent = await post(form, packed(body), { headers: { 'content-encoding': coding } });
    expect(sent.status).toBe(200);
    expect(await rows('otel_logs')).toHaveLength(1);
  });

  it.each([...LOGS, ...TRACES])('of nothing are taken: $signal in $encoding', async (form) => {
    expect((await send(form, {})).status).toBe(200);
  });

  it('go on to the node that owns the logs', async () => {
    const node = await startServer({ env: { LOG_STORE_URL: api.server.url } });
    const sent = await send(JSON_LOGS, logsExport(service, { body: { stringValue: 'a' } }), {
      url: node.url,
    });
    expect([sent.status, sent.body.toString()]).toEqual([200, '{}']);
    await node.stop();
    await node.remove();
    expect(await rows('otel_logs')).toHaveLength(1);
  });
});

describe.each(TRACES)('spans in $encoding', (form) => {
  it('are one entry each, however often they are sent', async () => {
    const traceId = randomBytes(16);
    const spans = ['a', 'b'].map((name) => ({ name, traceId, spanId: randomBytes(8) }));
    for (let time = 0; time < 2; time++) await send(form, spansExport(service, ...spans));
    const found = await rows('otel_traces');
    expect(found).toMatchObject(
      spans.map(({ name, spanId }) => ({
        event_message: name,
        metadata: { trace_id: traceId.toString('hex'), span_id: spanId.toString('hex') },
      })),
    );
  });
});

it('the entries are in no table of logs.all, and a saved endpoint queries them', async () => {
  await send(JSON_LOGS, logsExport(service, { body: { stringValue: 'a' }, severityNumber: 9 }));
  const client = new Client(api.server.url);
  const withToken = { 'x-api-key': api.tokens.admin };
  const all = `/api/endpoints/query/logs.all?project=${service}&sql=`;
  const refused = await client.get(`${all}${encodeURIComponent('select id from otel_logs')}`, withToken);
  expect(refused.status).toBe(400);
  const query =
    'select t.event_message, t.metadata.severity_number as severity from otel_logs as t where t.project = @project';
  const saved = await client.post('/api/endpoints', { name: `otel-${service}`, query }, withToken);
  expect(saved.status).toBe(201);
  const found = await client.get(`/api/endpoints/query/otel-${service}?project=${service}`, withToken);
  expect(found.json).toEqual({ result: [{ event_message: 'a', severity: 9 }] });
  client.close();
});
