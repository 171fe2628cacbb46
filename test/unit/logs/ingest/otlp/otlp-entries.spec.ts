/** How a log record and a span of OpenTelemetry become entries, in tables. */
import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../../../src/foundation/log-store/sources.js';
import type { EntryScope } from '../../../../../src/logs/ingest/entry-rules.js';
import { nested } from '../../../../../src/logs/ingest/otlp/nested-attributes.js';
import { otlpEntries } from '../../../../../src/logs/ingest/otlp/otlp-entries.js';
import {
  attribute,
  encodedExport,
  logsExport,
  type Sketch,
  spansExport,
} from '../../../../support/otlp-exports.js';

const GROUND: EntryScope = { source: 'otel_logs', onlyProject: null, now: 0 };

const ofLog = (record: Sketch, ground: Partial<EntryScope> = {}): unknown => {
  const form = { signal: 'logs', encoding: 'protobuf' } as const;
  return otlpEntries(encodedExport(form, logsExport('web', record)), form, { ...GROUND, ...ground })[0]
    ?.value;
};

const ofSpan = (span: Sketch): unknown => {
  const form = { signal: 'traces', encoding: 'protobuf' } as const;
  return otlpEntries(encodedExport(form, spansExport('web', span)), form, GROUND)[0]?.value;
};

const fromJson = (record: object): unknown => {
  const body = Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] }));
  return otlpEntries(body, { signal: 'logs', encoding: 'json' }, GROUND)[0]?.value;
};

describe('a log record', () => {
  it.each<[string, Sketch, object]>([
    ['has its time', { timeUnixNano: 5n, observedTimeUnixNano: 7n }, { timestamp: 5n }],
    ['else the time when it was observed', { observedTimeUnixNano: 7n }, { timestamp: 7n }],
    ['else none', {}, { timestamp: null }],
    ['has its body as message', { body: { stringValue: 'a' }, eventName: 'e' }, { event_message: 'a' }],
    ['else the name of its event', { eventName: 'e' }, { event_message: 'e' }],
    ['else the empty text', {}, { event_message: '' }],
    [
      'has a body with fields as JSON, and as fields',
      { body: { kvlistValue: { values: [attribute('a', 'b')] } } },
      { event_message: '{"a":"b"}', metadata: { body: { a: 'b' }, resource: { service: { name: 'web' } } } },
    ],
    [
      'has lower-case hex ids',
      { traceId: Buffer.alloc(16, 0xab), spanId: Buffer.alloc(8, 0xcd) },
      {
        metadata: {
          trace_id: 'ab'.repeat(16),
          span_id: 'cd'.repeat(8),
          resource: { service: { name: 'web' } },
        },
      },
    ],
    [
      'has no id of zeros, nor of another length',
      { traceId: Buffer.alloc(16), spanId: Buffer.alloc(7, 1) },
      { metadata: { resource: { service: { name: 'web' } } } },
    ],
    ['belongs to its service', {}, { project: 'web' }],
  ])('%s', (_, record, expected) => {
    expect(ofLog(record)).toMatchObject(expected);
    if ('metadata' in expected) expect(ofLog(record)).toHaveProperty('metadata', expected.metadata);
  });

  it.each([
    ['edge_logs', 'web', undefined, undefined],
    ['storage_logs', null, 'web', undefined],
    ['function_logs', null, undefined, 'web'],
  ] as const)('names its project in %s as that goes by it', (source, project, inMetadata, ref) => {
    const entry = ofLog({}, { source });
    expect(entry).toHaveProperty('project', project);
    expect(entry).toHaveProperty(['metadata', 'resource', 'service', 'name'], 'web');
    expect((entry as { metadata: object }).metadata).toEqual({
      resource: { service: { name: 'web' } },
      ...(inMetadata && { project: inMetadata }),
      ...(ref && { project_ref: ref }),
    });
  });

  it('of a tied token leaves the project to the rules', () => {
    expect(ofLog({}, { onlyProject: 'one' })).toHaveProperty('project', null);
  });
});

describe('a span', () => {
  it('has an id of its trace and span, the same each time', () => {
    const span = { traceId: Buffer.alloc(16, 1), spanId: Buffer.alloc(8, 2) };
    const id = 'd42ca392-64d9-5bdf-834e-82b97c2a8c1c';
    expect(ofSpan(span)).toHaveProperty('id', id);
    expect(ofSpan({ ...span, spanId: Buffer.alloc(8, 3) })).not.toHaveProperty('id', id);
    expect(ofSpan({ ...span, spanId: Buffer.alloc(0) })).toHaveProperty('id', null);
  });

  it('has its duration to the nanosecond', () => {
    const span = {
      startTimeUnixNano: 1_700_000_000_000_000_001n,
      endTimeUnixNano: 1_700_000_000_001_234_568n,
    };
    expect(ofSpan(span)).toMatchObject({
      timestamp: span.startTimeUnixNano,
      metadata: { duration_ms: 1.234567, end_time: '2023-11-14T22:13:20.001234Z' },
    });
  });

  it.each([
    [1, 'internal'],
    [2, 'server'],
    [3, 'client'],
    [4, 'producer'],
    [5, 'consumer'],
    [9, '9'],
  ])('of kind %d is named %s', (kind, named) => {
    expect(ofSpan({ kind })).toHaveProperty(['metadata', 'kind'], named);
  });
});

describe('values', () => {
  it.each<[string, object, Json]>([
    ['an integer as text', { intValue: '-12' }, -12],
    ['an integer as number', { intValue: 12 }, 12],
    ['an integer that no double holds', { intValue: '9223372036854775807' }, '9223372036854775807'],
    ['a double as number', { doubleValue: 0.5 }, 0.5],
    ['a double as text', { doubleValue: '1e3' }, 1_000],
    ['a double that is no number', { doubleValue: 'NaN' }, 'NaN'],
    ['bytes in either alphabet', { bytesValue: '-_8' }, '+/8='],
    ['false', { boolValue: false }, false],
    ['null', { stringValue: null }, null],
    ['nothing', {}, null],
  ])('%s', (_, value, expected) => {
    expect(fromJson({ attributes: [{ key: 'a', value }] })).toHaveProperty(
      ['metadata', 'attributes', 'a'],
      expected,
    );
  });

  it.each<[string, object, string]>([
    ['a text', { body: { stringValue: 5 } }, 'stringValue must be text'],
    ['a boolean', { body: { boolValue: 'true' } }, 'boolValue must be true or false'],
    ['an integer', { body: { intValue: 1.5 } }, 'intValue must be an integer'],
    ['a double', { body: { doubleValue: 'much' } }, 'doubleValue must be a number'],
    ['bytes', { body: { bytesValue: 1 } }, 'bytesValue must be base64 text'],
    ['an id', { traceId: 5 }, 'traceId must be hex text'],
    ['a time', { timeUnixNano: '-1' }, 'timeUnixNano must be nanoseconds since 1970'],
    ['a message', { body: 'a' }, 'body must be an object'],
    ['an item', { attributes: ['a'] }, 'attributes must be an object'],
  ])('%s of another type is refused', (_, record, message) => {
    expect(() => fromJson(record)).toThrow(message);
  });

  it.each(['json', 'protobuf'] as const)('nested without end in %s are refused', (encoding) => {
    let body: Sketch = {};
    for (let depth = 0; depth < 90; depth++) body = { arrayValue: { values: [body] } };
    const form = { signal: 'logs', encoding } as const;
    const bytes = (): Buffer => encodedExport(form, logsExport('web', { body }));
    expect(() => otlpEntries(bytes(), form, GROUND)).toThrow(/nest|depth/);
  });
});

describe('names with dots', () => {
  it.each<[string, Record<string, Json>, Json]>([
    ['nest', { 'a.b': 1, 'a.c.d': 2, e: 3 }, { a: { b: 1, c: { d: 2 } }, e: 3 }],
    ['stay beside a shorter name', { 'a.b': 1, a: 2 }, { 'a.b': 1, a: 2 }],
    ['stay beside it where that is', { 'a.b.c': 1, 'a.b': 2 }, { a: { 'b.c': 1, b: 2 } }],
    ['stay when a part is empty', { 'a..b': 1, '.': 2 }, { 'a..b': 1, '.': 2 }],
  ])('%s', (_, flat, expected) => {
    expect(nested(new Map(Object.entries(flat)))).toEqual(expected);
  });
});
