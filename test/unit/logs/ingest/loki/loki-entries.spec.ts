/** How a push to Loki becomes entries: the payloads of Loki's documentation, and bodies that are none. */
import { describe, expect, it } from '@jest/globals';
import { RejectedError } from '../../../../../src/domain/rejections.js';
import type { EntryScope } from '../../../../../src/logs/ingest/entry-rules.js';
import { labelsOf } from '../../../../../src/logs/ingest/loki/label-text.js';
import { lokiEntries } from '../../../../../src/logs/ingest/loki/loki-entries.js';
import { PUSH_REQUEST } from '../../../../../src/logs/ingest/loki/loki-messages.js';
import { jsonPush, protobufPush } from '../../../../support/loki-pushes.js';

const SCOPE: EntryScope = { source: 'otel_logs', onlyProject: null, now: 0 };
const NANOS = 1_570_818_238_000_000_000n;

const ofJson = (body: string, scope: Partial<EntryScope> = {}) =>
  lokiEntries(Buffer.from(body), 'json', { ...SCOPE, ...scope });

const valuesOf = (body: string, scope: Partial<EntryScope> = {}) =>
  ofJson(body, scope).map(({ value }) => value);

const idOf = (body: string): unknown => {
  const [value] = valuesOf(body);
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
};

const refusalOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error instanceof RejectedError ? error.rejection : error;
  }
};

describe('a push in JSON', () => {
  it('as the documentation has it is an entry', () => {
    const body =
      '{"streams": [{ "stream": { "foo": "bar2" }, "values": [ [ "1570818238000000000", "fizzbuzz" ] ] }]}';
    expect(ofJson(body)).toEqual([
      {
        place: 'streams[0].values[0]',
        value: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          timestamp: NANOS,
          event_message: 'fizzbuzz',
          project: null,
          metadata: { foo: 'bar2' },
        },
      },
    ]);
  });

  it('has structured metadata beside its labels', () => {
    const metadata = { trace_id: '0242ac120002', user_id: 'superUser123' };
    expect(valuesOf(jsonPush({ labels: { job: 'web' }, lines: [[NANOS, 'a', metadata]] }))).toMatchObject([
      { metadata: { job: 'web', ...metadata } },
    ]);
  });

  it('keeps both of a label and structured metadata with one name, as Loki does', () => {
    const push = jsonPush({ labels: { level: 'info' }, lines: [[NANOS, 'a', { level: 'warn' }]] });
    expect(valuesOf(push)).toMatchObject([{ metadata: { level: 'info', level_extracted: 'warn' } }]);
  });

  it('has its project in the label project, else in service_name', () => {
    const projectOf = (labels: Record<string, string>, scope: Partial<EntryScope> = {}) =>
      valuesOf(jsonPush({ labels, lines: [[NANOS, 'a']] }), scope);
    expect(projectOf({ project: 'one', service_name: 'web' })).toMatchObject([{ project: 'one' }]);
    expect(projectOf({ project: '', service_name: 'web' })).toMatchObject([{ project: 'web' }]);
    expect(projectOf({ service_name: 'web' }, { onlyProject: 'one' })).toMatchObject([{ project: null }]);
    expect(projectOf({ service_name: 'web' }, { source: 'function_logs' })).toMatchObject([
      { project: null, metadata: { service_name: 'web', project_ref: 'web' } },
    ]);
  });

  it('gives a line the same id however often, and however its labels are ordered', () => {
    const id = idOf(jsonPush({ labels: { a: '1', b: '2' }, lines: [[NANOS, 'x']] }));
    expect(idOf(jsonPush({ labels: { b: '2', a: '1' }, lines: [[NANOS, 'x']] }))).toBe(id);
    for (const other of [
      jsonPush({ labels: { a: '1', b: '2' }, lines: [[NANOS + 1n, 'x']] }),
      jsonPush({ labels: { a: '1', b: '2' }, lines: [[NANOS, 'y']] }),
      jsonPush({ labels: { a: '1', b: '3' }, lines: [[NANOS, 'x']] }),
      jsonPush({ labels: { a: '1', b: '2' }, lines: [[NANOS, 'x', { c: '3' }]] }),
    ])
      expect(idOf(other)).not.toBe(id);
  });

  it.each([
    ['no JSON', '{"streams":', 'body', 'the body is no JSON'],
    ['no object', '[]', 'body', 'the body must be an object'],
    ['no streams', '{}', 'streams', 'streams must be an array'],
    ['a stream that is none', '{"streams":[1]}', 'streams[0]', 'streams[0] must be an object'],
    ['no labels', '{"streams":[{"values":[]}]}', 'streams[0].stream', 'streams[0].stream must be an object'],
    [
      'a label that is no text',
      '{"streams":[{"stream":{"a":1},"values":[]}]}',
      'streams[0].stream.a',
      'streams[0].stream.a must be text',
    ],
    [
      'a time as a number',
      '{"streams":[{"stream":{},"values":[[1570818238000000000,"a"]]}]}',
      'streams[0].values[0][0]',
      'streams[0].values[0][0] must be nanoseconds since 1970, as text',
    ],
    [
      'a time beyond 64 bits',
      '{"streams":[{"stream":{},"values":[["9999999999999999999","a"]]}]}',
      'streams[0].values[0][0]',
      'streams[0].values[0][0] must have a time from 1970 to 2262',
    ],
    [
      'a line that is no text',
      '{"streams":[{"stream":{},"values":[["1",{}]]}]}',
      'streams[0].values[0][1]',
      'streams[0].values[0][1] must be text',
    ],
    [
      'structured metadata that nests',
      '{"streams":[{"stream":{},"values":[["1","a",{"b":{}}]]}]}',
      'streams[0].values[0][2].b',
      'streams[0].values[0][2].b must be text',
    ],
  ])('with %s is refused with its place', (_, body, field, message) => {
    expect(refusalOf(() => ofJson(body))).toMatchObject({
      code: 'invalid-request',
      errors: [{ field, rule: 'loki', message: expect.stringContaining(message) }],
    });
  });
});

describe('a push in protobuf', () => {
  const read = (bytes: Uint8Array) => lokiEntries(bytes, 'protobuf', SCOPE);

  it('gives the entries of the same push in JSON', () => {
    const sketch = { labels: { job: 'web' }, lines: [[NANOS, 'a', { trace_id: 'b' }]] } as const;
    expect(read(protobufPush(sketch)).map(({ value }) => value)).toEqual(valuesOf(jsonPush(sketch)));
  });

  it('without a time has none', () => {
    const stream = { labels: '{a="b"}', entries: [{ line: 'x' }] };
    const bytes = PUSH_REQUEST.encode(PUSH_REQUEST.fromObject({ streams: [stream] })).finish();
    expect(read(bytes)).toMatchObject([{ value: { id: null, timestamp: null, event_message: 'x' } }]);
  });

  it.each<[string, Uint8Array]>([
    ['another message', Buffer.from('{"streams":[]}')],
    [
      'labels that are none',
      PUSH_REQUEST.encode(PUSH_REQUEST.fromObject({ streams: [{ labels: 'job=web' }] })).finish(),
    ],
    [
      'a time before 1970',
      PUSH_REQUEST.encode(
        PUSH_REQUEST.fromObject({
          streams: [{ labels: '{a="b"}', entries: [{ timestamp: { seconds: -1 } }] }],
        }),
      ).finish(),
    ],
  ])('with %s is refused', (_, bytes) => {
    expect(refusalOf(() => read(bytes))).toMatchObject({ code: 'invalid-request' });
  });
});

describe('labels as text', () => {
  it.each<[string, Record<string, string> | null]>([
    ['{}', {}],
    ['{job="web"}', { job: 'web' }],
    ['{ job = "web" , host="a" }', { job: 'web', host: 'a' }],
    ['{job="web",}', { job: 'web' }],
    ['{a="1, b=\\"2\\"}"}', { a: '1, b="2"}' }],
    ['{path="C:\\\\logs\\t\\u00e9\\U0001f40e\\x41\\101\\xff"}', { path: 'C:\\logs\té🐎AA\ufffd' }],
    ['{raw=`a\\nb`}', { raw: 'a\\nb' }],
    ['', null],
    ['{job=web}', null],
    ['{job="web" host="a"}', null],
    ['{1a="b"}', null],
    ['{a="b}', null],
    ['{a="b"} c', null],
  ])('%s', (text, labels) => {
    const read = labelsOf(text);
    expect(read === null ? null : Object.fromEntries(read)).toEqual(labels);
  });
});
