/** No bytes of any dialect are a fault of the server: they are entries, or are refused. What was written well is read well. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RejectedError } from '../../../../src/domain/rejections.js';
import type { EntryScope } from '../../../../src/logs/ingest/entry-rules.js';
import { LearnedFields } from '../../../../src/logs/ingest/learned-fields.js';
import type { DialectForm, LogBody } from '../../../../src/logs/ingest/log-body.js';
import { logplexEntries } from '../../../../src/logs/ingest/logplex-entries.js';
import { lokiEntries } from '../../../../src/logs/ingest/loki/loki-entries.js';
import { readEntries } from '../../../../src/logs/ingest/read-entries.js';
import { jsonPush, type PushSketch, protobufPush, snappyPush } from '../../../support/loki-pushes.js';

const SCOPE: EntryScope = { source: 'otel_logs', onlyProject: null, now: 0 };

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 10 }),
  fc.constantFrom('', '__proto__', 'a"b\\c\n', '}, {'),
);
const label = fc.constantFrom('job', 'project', 'service_name', '__proto__', 'level', 'A_1');
const labels = fc.dictionary(label, text, { maxKeys: 4 });
const time = fc.bigInt({ min: 1n, max: (1n << 63n) - 1n });
const stream: fc.Arbitrary<PushSketch> = fc.record({
  labels,
  lines: fc.array(
    fc.oneof(fc.tuple(time, text), fc.tuple(time, text, fc.dictionary(text, text, { maxKeys: 3 }))),
    { maxLength: 3 },
  ),
});
const push = fc.array(stream, { maxLength: 3 });

const scope = fc.constantFrom<EntryScope>(
  SCOPE,
  { ...SCOPE, onlyProject: 'one' },
  { ...SCOPE, source: 'function_logs' },
);

const word = fc.stringMatching(/^[!-~]{1,8}$/);
const moment = fc.oneof(word, fc.constantFrom('-', '2012-07-22T00:06:26+00:00'));
const message = fc
  .record({ priority: fc.nat(191), time: moment, host: word, app: word, process: word, id: word, text })
  .map(
    ({ priority, time: at, host, app, process, id, text: says }) =>
      [`<${priority}>1 ${at} ${host} ${app} ${process} ${id} ${says}`, says] as const,
  );
const framed = (of: string): string => `${Buffer.byteLength(of)} ${of}`;

const record = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });

const FORMS: readonly (readonly [string, DialectForm, LogBody['coding'], fc.Arbitrary<Uint8Array>])[] = [
  [
    'Loki in JSON',
    { dialect: 'loki', encoding: 'json' },
    'identity',
    push.map((streams) => Buffer.from(jsonPush(...streams))),
  ],
  [
    'Loki in protobuf',
    { dialect: 'loki', encoding: 'protobuf' },
    'snappy',
    push.map((streams) => snappyPush(...streams)),
  ],
  [
    'Logplex',
    { dialect: 'logplex', count: null, frameId: null },
    'identity',
    fc.array(message).map((messages) => Buffer.from(messages.map(([of]) => framed(of)).join(''))),
  ],
  [
    'Cloudflare',
    { dialect: 'cloudflare' },
    'identity',
    fc
      .oneof(fc.array(record, { maxLength: 5 }), fc.array(fc.jsonValue()))
      .map((lines) => Buffer.from(lines.map((of) => JSON.stringify(of)).join('\n'))),
  ],
];

/** A body with some bytes put in another's place, cut out or added. */
const broken = (body: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
  fc.tuple(body, fc.nat(), fc.nat(8), fc.uint8Array({ maxLength: 8 })).map(([bytes, from, count, others]) => {
    const at = from % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), others, bytes.subarray(at + count)]);
  });

describe.each(FORMS)('%s', (_, form, coding, body) => {
  it('of any bytes is read or refused', () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 60 }), body, broken(body));
    let read = 0;
    fc.assert(
      fc.property(bytes, scope, (given, on) => {
        try {
          const body: LogBody = { bytes: given, coding, form };
          const found = readEntries({ body, scope: on }, new LearnedFields());
          read += found?.packed?.count ?? 0;
          if (found?.packed === null)
            expect(['log-entries', 'token-project']).toContain(found.rejection.code);
          for (const { entry } of found?.refused?.listed ?? [])
            expect(entry.length).toBeLessThanOrEqual(1_000);
        } catch (error) {
          if (!(error instanceof RejectedError)) throw error;
          expect(error.rejection.code).toBe('invalid-request');
        }
      }),
      { numRuns: 1_000 },
    );
    expect(read).toBeGreaterThan(20);
  });
});

it('a push to Loki gives the same entries in protobuf and in JSON', () => {
  let entries = 0;
  fc.assert(
    fc.property(push, scope, (streams, on) => {
      const valuesOf = (bytes: Uint8Array, encoding: 'json' | 'protobuf') =>
        lokiEntries(bytes, encoding, on).map(({ value }) => value);
      const json = valuesOf(Buffer.from(jsonPush(...streams)), 'json');
      expect(valuesOf(protobufPush(...streams), 'protobuf')).toEqual(json);
      entries += json.length;
    }),
    { numRuns: 500 },
  );
  expect(entries).toBeGreaterThan(100);
});

it('the messages of a drain are read whole, whatever their bytes', () => {
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      const body = Buffer.from(messages.map(([of]) => framed(of)).join(''));
      const read = logplexEntries(body, { count: messages.length, frameId: null });
      expect(read.map(({ value }) => value)).toMatchObject(
        messages.map(([, says]) => ({ event_message: says.replace(/\r?\n$/, '') })),
      );
    }),
  );
});
