/** What entries share is in each of them: a small body could otherwise be entries that no memory holds. */
import { describe, expect, it } from '@jest/globals';
import protobuf from 'protobufjs/light.js';
import type { EntryScope } from '../../../../src/logs/ingest/entry-rules.js';
import { LearnedFields } from '../../../../src/logs/ingest/learned-fields.js';
import { type BodyForm, MAX_ENTRIES, MAX_TEXT_BYTES } from '../../../../src/logs/ingest/log-body.js';
import { type ReadBody, readEntries } from '../../../../src/logs/ingest/read-entries.js';
import { attribute, encodedExport } from '../../../support/otlp-exports.js';

const SCOPE: EntryScope = { source: 'otel_logs', onlyProject: null, now: 0 };

const read = (
  bytes: Uint8Array,
  form: BodyForm,
  { scope = SCOPE, learned = new LearnedFields() } = {},
): ReadBody | null => readEntries({ body: { bytes, coding: 'identity', form }, scope }, learned);

/** A message that is counted and not decoded: the tag of its field has six bytes. */
const BROKEN = [0xf8, 0x80, 0x80, 0x80, 0x80, 0x00, 0x00];

const SHARED_BYTES = 1024 * 1024;
const shared = 'x'.repeat(SHARED_BYTES);
const MANY = MAX_TEXT_BYTES / SHARED_BYTES;

describe.each(['protobuf', 'json'] as const)('an export of logs in %s', (encoding) => {
  const form = { dialect: 'otlp', signal: 'logs', encoding } as const;
  const exportOf = (count: number, text = '') =>
    encodedExport(form, {
      resourceLogs: [
        {
          resource: { attributes: [attribute('a', text)] },
          scopeLogs: [{ logRecords: Array(count).fill({}) }],
        },
      ],
    });
  /** The fields of the exports, so that the fast path takes them. */
  const learnedOf = () => {
    const learned = new LearnedFields();
    learned.learn(SCOPE.source, read(exportOf(1), form)?.packed?.newFields ?? []);
    return learned;
  };

  it.each([
    ['read in full', () => new LearnedFields()],
    ['taken by the fast path', learnedOf],
  ])('has a limit for what is in each of its entries, %s', (_, learned) => {
    const few = read(exportOf(MANY - 1, shared), form, { learned: learned() });
    expect(few?.packed?.count).toBe(MANY - 1);
    expect(read(exportOf(MANY, shared), form, { learned: learned() })).toBeNull();
  });

  it('of too many entries is not packed to its end', () => {
    const learned = learnedOf();
    let times = 0;
    const scope = {
      ...SCOPE,
      get now() {
        times++;
        return 0;
      },
    };
    expect(() => read(exportOf(MAX_ENTRIES + 9), form, { scope, learned })).toThrow(/at most 20000 entries/);
    expect(times).toBe(MAX_ENTRIES);
    expect(read(exportOf(MAX_ENTRIES), form, { learned })?.packed?.count).toBe(MAX_ENTRIES);
  });
});

describe.each([
  ['logs', 'resourceLogs', 'scopeLogs', 'logRecords'],
  ['traces', 'resourceSpans', 'scopeSpans', 'spans'],
] as const)('an export of %s of too many records', (signal, resources, scopes, records) => {
  const tooMany = 'a body may hold at most 20000 entries; this one has 20002';
  const half = MAX_ENTRIES / 2 + 1;

  it('in protobuf is refused before it is decoded', () => {
    const form = { dialect: 'otlp', signal, encoding: 'protobuf' } as const;
    const exportOf = (count: number): Buffer =>
      encodedExport(form, { [resources]: [{ [scopes]: [{ [records]: Array(count).fill({}) }] }] });
    const broken = Buffer.from([0x0a, 0x0b, 0x12, 0x09, 0x12, 0x07, ...BROKEN]);
    expect(() => read(broken, form)).toThrow(/not an export of .* in protobuf/);
    const body = Buffer.concat([broken, exportOf(half), exportOf(half - 1)]);
    expect(() => read(body, form)).toThrow(tooMany);
  });

  it('in JSON is refused before it is read into entries', () => {
    const form = { dialect: 'otlp', signal, encoding: 'json' } as const;
    const exportOf = (...counts: number[]) => {
      const lists = counts.map((count) => ({ [scopes]: [{ [records]: Array(count).fill({}) }] }));
      const broken = { [scopes]: [{ [records]: [{ attributes: 7 }] }] };
      return encodedExport(form, { [resources]: [broken, ...lists] });
    };
    expect(() => read(exportOf(1), form)).toThrow('attributes must be an array');
    expect(() => read(exportOf(half, half - 1), form)).toThrow(tooMany);
  });
});

describe.each([
  [
    'attributes of a log record',
    { dialect: 'otlp', signal: 'logs', encoding: 'protobuf' },
    [0x0a, 0x12, 0x12],
    0x32,
  ],
  ['events of a span', { dialect: 'otlp', signal: 'traces', encoding: 'protobuf' }, [0x0a, 0x12, 0x12], 0x5a],
  ['attributes of a resource', { dialect: 'otlp', signal: 'logs', encoding: 'protobuf' }, [0x0a, 0x0a], 0x0a],
  ['streams of Loki', { dialect: 'loki', encoding: 'protobuf' }, [], 0x0a],
] as const)('%s', (_, form, tags, tag) => {
  /** Empty messages after one that is broken. */
  const bodyOf = (count: number): Buffer => {
    const empty = Buffer.alloc(2 * count, Buffer.from([tag, 0]));
    const list = Buffer.concat([Buffer.from([tag, BROKEN.length, ...BROKEN]), empty]);
    return tags.reduceRight<Buffer>((inner, outer) => {
      const writer = protobuf.Writer.create().uint32(outer).bytes(inner);
      return Buffer.from(writer.finish());
    }, list);
  };

  it('are refused before they are decoded when there are millions', () => {
    expect(() => read(bodyOf(1_000), form)).toThrow(/invalid tag encoding/);
    expect(() => read(bodyOf(6_000_000), form)).toThrow(/at most 6000000 messages of protobuf/);
  });
});

it.each<[string, BodyForm]>([
  ['one document', 'json'],
  ['lines', 'lines'],
  ['an export of logs', { dialect: 'otlp', signal: 'logs', encoding: 'json' }],
  ['an export of spans', { dialect: 'otlp', signal: 'traces', encoding: 'json' }],
  ['a push of Loki', { dialect: 'loki', encoding: 'json' }],
  ['Cloudflare', { dialect: 'cloudflare' }],
])('%s: millions of values of JSON are refused before they are parsed', (_, form) => {
  // Texts may have as many commas and brackets as they like.
  const text = JSON.stringify('[{,"\\'.repeat(2_000_000));
  const bodyOf = (count: number): Buffer => Buffer.from(`{"a":[${text}${',{}'.repeat(count)}]`);
  expect(() => read(bodyOf(1_000), form)).toThrow(/is no JSON/);
  expect(() => read(bodyOf(3_000_000), form)).toThrow(/at most 6000000 values of JSON/);
});

/** Each body begins with an entry that is refused once it is read. */
it.each<[string, BodyForm, string, (count: number) => Uint8Array]>([
  ['lines', 'lines', 'is no JSON', (count) => Buffer.from(`{\n${'1\n'.repeat(count)}`)],
  [
    'messages of Logplex',
    { dialect: 'logplex', count: null, frameId: null },
    'must be a syslog message',
    (count) => Buffer.from(`1 x${'0 '.repeat(count)}`),
  ],
  [
    'lines of Loki in JSON',
    { dialect: 'loki', encoding: 'json' },
    'must be an array',
    (count) => {
      const streams = [[7], Array(count).fill(['1', ''])].map((values) => ({ stream: {}, values }));
      return Buffer.from(JSON.stringify({ streams }));
    },
  ],
  [
    'lines of Loki in protobuf',
    { dialect: 'loki', encoding: 'protobuf' },
    'is no push in protobuf',
    // Each is a stream of its own.
    (count) =>
      Buffer.from([0x0a, 0x09, 0x12, 0x07, ...BROKEN, ...Array(count).fill([0x0a, 0x02, 0x12, 0x00]).flat()]),
  ],
])('too many %s are refused before one is read', (_, form, why, bodyOf) => {
  expect(() => read(bodyOf(MAX_ENTRIES - 1), form)).toThrow(why);
  expect(() => read(bodyOf(MAX_ENTRIES), form)).toThrow(
    'a body may hold at most 20000 entries; this one has 20001',
  );
});

it('a push to Loki has a limit for the labels that are in each of its entries', () => {
  const push = (lines: number) =>
    Buffer.from(
      JSON.stringify({
        streams: [
          { stream: { a: shared }, values: Array.from({ length: lines }, (_, at) => [`${at + 1}`, '']) },
        ],
      }),
    );
  const form = { dialect: 'loki', encoding: 'json' } as const;
  expect(read(push(1), form)?.packed?.count).toBe(1);
  expect(read(push(MANY), form)).toBeNull();
});
