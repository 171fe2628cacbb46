/** The fast path of an export of logs packs the very entries that the rules would pack, or leaves the body to them. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { learned, type RecordType } from '../../../../src/foundation/log-store/field-catalogue.js';
import { knownFieldsOf } from '../../../../src/foundation/log-store/known-fields.js';
import {
  type KnownFieldsOf,
  type PackedEntries,
  readPacked,
} from '../../../../src/foundation/log-store/packed-entries.js';
import type { EntryScope } from '../../../../src/logs/ingest/entry-rules.js';
import { otlpEntries } from '../../../../src/logs/ingest/otlp/otlp-entries.js';
import { quickLogs } from '../../../../src/logs/ingest/otlp/quick-logs.js';
import { checkedDialect, type ReadBody } from '../../../../src/logs/ingest/read-entries.js';
import { logs } from '../../../support/otlp-arbitraries.js';
import { attribute, encodedExport, logsExport, type Sketch } from '../../../support/otlp-exports.js';
import { propertyRuns } from '../../../support/property-runs.js';

const ENCODINGS = ['protobuf', 'json'] as const;
type Encoding = (typeof ENCODINGS)[number];

const scope: fc.Arbitrary<EntryScope> = fc.record({
  source: fc.constantFrom('otel_logs', 'function_logs', 'storage_logs'),
  onlyProject: fc.constantFrom(null, 'one'),
  now: fc.constant(1_700_000_000_000_000),
});
const SCOPE: EntryScope = { source: 'otel_logs', onlyProject: null, now: 0 };

const formOf = (encoding: Encoding) => ({ dialect: 'otlp', signal: 'logs', encoding }) as const;

/** Null: the body is refused. */
const fully = (bytes: Buffer, encoding: Encoding, on: EntryScope, known: KnownFieldsOf): ReadBody | null => {
  try {
    return checkedDialect(bytes, formOf(encoding), { scope: on, known });
  } catch {
    return null;
  }
};

/** The fields of the source once the body was written. */
const knownAfter = (read: ReadBody | null, { source }: EntryScope): KnownFieldsOf => {
  const known = new Map<string | null, RecordType>();
  for (const { project, fields } of read?.packed?.newFields ?? [])
    known.set(project, learned(knownFieldsOf(source), fields));
  return (project) => known.get(project) ?? knownFieldsOf(source);
};

/** All that is stored, row by row. Ids that are made up differ. */
const storedOf = (packed: PackedEntries, given: readonly unknown[]) => {
  const { ids, timestamps, projectOf, ownerOf, messages, messageEnds, metadata, metadataEnds, ...head } =
    readPacked(packed.bytes);
  const textAt = (texts: Uint8Array, ends: Uint32Array, row: number) =>
    Buffer.from(texts.subarray(row === 0 ? 0 : ends[row - 1], ends[row])).toString('latin1');
  const rows = given.map((id, row) => [
    id === null ? null : Buffer.from(ids.subarray(16 * row, 16 * row + 16)).toString('hex'),
    timestamps[row],
    head.projects[projectOf[row] ?? 0],
    head.owners[ownerOf[row] ?? 0],
    textAt(messages, messageEnds, row),
    textAt(metadata, metadataEnds, row),
  ]);
  return { ...head, rows };
};

const idsOf = (bytes: Buffer, encoding: Encoding, on: EntryScope): readonly unknown[] =>
  otlpEntries(bytes, formOf(encoding), on).map(({ value }) => (value as { readonly id: unknown }).id);

/** Returns whether the fast path took the body. Fails when it packs anything else than the full way. */
const isTaken = (bytes: Buffer, encoding: Encoding, on: EntryScope, known: KnownFieldsOf): boolean => {
  const quick = quickLogs({ bytes, scope: on, known }, encoding);
  if (quick === null) return false;
  const full = fully(bytes, encoding, on, known);
  expect(full?.refused).toBeNull();
  if (!full?.packed) throw new Error('the full way refuses what the fast path took');
  const given = idsOf(bytes, encoding, on);
  expect(storedOf(quick, given)).toEqual(storedOf(full.packed, given));
  expect(quick.owned).toEqual(full.packed.owned);
  return true;
};

/** A part of the body is cut out, doubled, or overwritten. */
const damage = fc.record({
  at: fc.nat(),
  length: fc.nat(40),
  to: fc.nat(),
  bytes: fc.uint8Array({ maxLength: 6 }),
});
const damaged = (
  body: Buffer,
  { at, length, to, bytes }: { at: number; length: number; to: number; bytes: Uint8Array },
) => {
  const from = at % (body.length + 1);
  const put = to % (body.length + 1);
  const piece = body.subarray(from, from + length);
  return [
    body.subarray(0, from),
    Buffer.concat([body.subarray(0, from), body.subarray(from + length)]),
    Buffer.concat([body.subarray(0, put), piece, body.subarray(put)]),
    Buffer.concat([body.subarray(0, put), bytes, body.subarray(put + bytes.length)]),
    Buffer.concat([body.subarray(0, put), bytes, body.subarray(put)]),
    Buffer.concat([body, body]),
  ];
};

describe.each(ENCODINGS)('an export of logs in %s', (encoding) => {
  it('is packed by the fast path as by the rules', () => {
    let taken = 0;
    let entries = 0;
    fc.assert(
      fc.property(logs, logs, scope, (sketch, other, on) => {
        const bytes = encodedExport({ signal: 'logs', encoding }, sketch);
        const first = fully(bytes, encoding, on, () => knownFieldsOf(on.source));
        const known = knownAfter(first, on);
        isTaken(bytes, encoding, on, () => knownFieldsOf(on.source));
        isTaken(encodedExport({ signal: 'logs', encoding }, other), encoding, on, known);
        if (!isTaken(bytes, encoding, on, known)) return;
        taken++;
        entries += first?.packed?.count ?? 0;
      }),
      { ...propertyRuns(500), endOnFailure: true },
    );
    expect(taken).toBeGreaterThan(250);
    expect(entries).toBeGreaterThan(150);
  });

  it('is packed as by the rules, or left to them, when it is damaged', () => {
    let taken = 0;
    fc.assert(
      fc.property(logs, damage, (sketch, how) => {
        const body = encodedExport({ signal: 'logs', encoding }, sketch);
        const known = knownAfter(
          fully(body, encoding, SCOPE, () => knownFieldsOf(SCOPE.source)),
          SCOPE,
        );
        for (const bytes of damaged(body, how)) if (isTaken(bytes, encoding, SCOPE, known)) taken++;
      }),
      { ...propertyRuns(500), endOnFailure: true },
    );
    expect(taken).toBeGreaterThan(100);
  });

  const value = (of: Sketch) => ({ attributes: [{ key: 'a', value: of }] });
  const deep = (levels: number): Sketch =>
    levels === 0 ? { intValue: 1n } : { arrayValue: { values: [deep(levels - 1)] } };

  it.each<[string, Sketch, boolean]>([
    ['an integer that a double does not hold', value({ intValue: (1n << 62n) + 1n }), true],
    ['a negative integer', value({ intValue: -7n }), true],
    ['an infinity', value({ doubleValue: Number.NEGATIVE_INFINITY }), true],
    ['a double that is an integer', value({ doubleValue: 2 }), true],
    ['minus zero', value({ doubleValue: -0 }), true],
    ['bytes', value({ bytesValue: Buffer.from([0, 255, 7]) }), true],
    ['an empty value', value({}), true],
    ['a value that is missing', { attributes: [{ key: 'a' }] }, true],
    ['a name that is missing', { attributes: [{ value: { stringValue: 'b' } }] }, true],
    ['an array', value({ arrayValue: { values: [{ stringValue: 'x"' }, {}, { boolValue: false }] } }), true],
    ['a record', value({ kvlistValue: { values: [attribute('b', '\n'), attribute('b', '2')] } }), true],
    ['text with quotes and controls', value({ stringValue: 'a"\\\u001b[0m\u2028 ž' }), true],
    ['one name twice', { attributes: [attribute('a', '1'), attribute('b', '2'), attribute('a', '3')] }, true],
    [
      'names below each other',
      { attributes: [attribute('a.b', '1'), attribute('a', '2'), attribute('7', '3')] },
      true,
    ],
    ['a body with fields', { body: { kvlistValue: { values: [attribute('a', 'b')] } } }, true],
    ['a body of a number', { body: { doubleValue: 1.5 } }, true],
    ['an empty body', { body: { stringValue: '' }, eventName: 'e' }, true],
    ['no body', { eventName: 'e' }, true],
    ['an id that is no UUID', { attributes: [attribute('log.record.uid', 'Ulid"1')] }, true],
    [
      'an id in upper case',
      { attributes: [attribute('log.record.uid', 'A3F1A0F4-5D53-4C0E-9F50-4C1B1D6A8E21')] },
      true,
    ],
    ['an array nested deep', value(deep(18)), true],
    ['an array nested deeper', value(deep(30)), false],
    ['a body nested deeper', { body: deep(30) }, false],
    ['a message that is too long', { body: { stringValue: 'x'.repeat(65_537) } }, false],
    ['many attributes', { attributes: Array(1_000).fill(attribute('a', '1')) }, true],
    ['more attributes', { attributes: Array(1_001).fill(attribute('a', '1')) }, false],
    ['a long name', { attributes: [attribute('x'.repeat(201), '1')] }, false],
  ])('with %s', (_, record, expected) => {
    const bytes = encodedExport({ signal: 'logs', encoding }, logsExport('web', record, record));
    const known = knownAfter(
      fully(bytes, encoding, SCOPE, () => knownFieldsOf(SCOPE.source)),
      SCOPE,
    );
    expect(isTaken(bytes, encoding, SCOPE, known)).toBe(expected);
  });

  it('is packed as by the rules where records have other names or values in the same places', () => {
    const shapes: readonly Sketch[][] = [
      [attribute('ab', '1'), attribute('cd', '2')],
      [attribute('ac', '3'), attribute('cd', '4')],
      [attribute('cd', '5'), attribute('ab', '6'), attribute('e', '7')],
      [attribute('a', '8'), attribute('cde', '9')],
      [{ key: 'ab', value: { intValue: 1n } }, attribute('cd', 'x"y')],
      [attribute('ab', ''), attribute('c"d', 'z')],
      [],
    ];
    const records = [...shapes, ...shapes.toReversed()].map((attributes) => ({ attributes }));
    const bytes = encodedExport({ signal: 'logs', encoding }, logsExport('web', ...records));
    const known = knownAfter(
      fully(bytes, encoding, SCOPE, () => knownFieldsOf(SCOPE.source)),
      SCOPE,
    );
    expect(isTaken(bytes, encoding, SCOPE, known)).toBe(true);
  });

  it('whose project has a name that is too long is left to the rules', () => {
    const bytes = encodedExport({ signal: 'logs', encoding }, logsExport('x'.repeat(201), {}));
    expect(isTaken(bytes, encoding, SCOPE, () => knownFieldsOf(SCOPE.source))).toBe(false);
  });

  it('has its resource written out for records only, as a body may have many scopes without one', () => {
    let asked = 0;
    const known = () => {
      asked++;
      return knownFieldsOf(SCOPE.source);
    };
    const scopeLogs = Array.from({ length: 9 }, () => ({ scope: {}, logRecords: [] }));
    const bytes = encodedExport({ signal: 'logs', encoding }, { resourceLogs: [{ scopeLogs }] });
    expect(quickLogs({ bytes, scope: SCOPE, known }, encoding)?.count).toBe(0);
    expect(asked).toBe(0);
  });

  it('whose numbers are wider than those before is left to the rules', () => {
    const [whole, wider] = [2, 1.5].map((doubleValue) =>
      encodedExport({ signal: 'logs', encoding }, logsExport('web', value({ doubleValue }))),
    );
    if (!whole || !wider) throw new Error('two bodies');
    const knownFrom = (bytes: Buffer) =>
      knownAfter(
        fully(bytes, encoding, SCOPE, () => knownFieldsOf(SCOPE.source)),
        SCOPE,
      );
    expect(isTaken(wider, encoding, SCOPE, knownFrom(whole))).toBe(false);
    expect(isTaken(whole, encoding, SCOPE, knownFrom(wider))).toBe(true);
  });
});

it('a large resource in protobuf is left to the rules', () => {
  const taken = [1, 2].map((megabytes) => {
    const resource = { attributes: [attribute('a', 'x'.repeat(megabytes * 1024 * 1024))] };
    const sketch = { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [{}] }] }] };
    const bytes = encodedExport({ signal: 'logs', encoding: 'protobuf' }, sketch);
    const known = knownAfter(
      fully(bytes, 'protobuf', SCOPE, () => knownFieldsOf(SCOPE.source)),
      SCOPE,
    );
    return isTaken(bytes, 'protobuf', SCOPE, known);
  });
  expect(taken).toEqual([true, false]);
});

/** A field with a length, at most 127 bytes. */
const field = (number: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([(number << 3) | 2, body.length]), body]);
};
const text = (number: number, of: string): Buffer => field(number, Buffer.from(of));
const pair = (key: string, of: string): Buffer => Buffer.concat([text(1, key), field(2, text(1, of))]);
const records = (...parts: readonly Buffer[]): Buffer => field(2, ...parts.map((part) => field(2, part)));
const web = field(1, field(1, pair('service.name', 'web')));
const hi = field(5, text(1, 'hi'));

describe.each<[string, Encoding, Buffer, boolean]>([
  ['a record', 'protobuf', field(1, web, records(hi)), true],
  [
    'unknown fields',
    'protobuf',
    field(1, web, records(Buffer.concat([hi, text(14, 'x'), Buffer.from([0x45, 1, 2, 3, 4])]))),
    true,
  ],
  [
    'a known field of another wire type',
    'protobuf',
    field(1, web, records(Buffer.concat([hi, Buffer.from([0x18, 7])]))),
    true,
  ],
  [
    'a body twice',
    'protobuf',
    field(1, web, records(Buffer.concat([hi, field(5, Buffer.from([0x18, 7]))]))),
    false,
  ],
  ['a value twice', 'protobuf', field(1, records(field(6, pair('a', 'b'), field(2, text(1, 'c'))))), false],
  ['a name twice', 'protobuf', field(1, records(field(6, text(1, 'b'), pair('a', 'b')))), false],
  [
    'two fields in a value',
    'protobuf',
    field(1, records(field(6, text(1, 'a'), field(2, text(1, 'c'), Buffer.from([0x18, 7]))))),
    true,
  ],
  [
    'a number in many bytes',
    'protobuf',
    field(1, records(Buffer.from([0x10, 0x89, 0x80, 0x80, 0x80, 0x80, 0x00]))),
    true,
  ],
  [
    'a number beyond 32 bits',
    'protobuf',
    field(1, records(Buffer.from([0x10, 0x89, 0x80, 0x80, 0x80, 0x20]))),
    false,
  ],
  [
    'a negative number',
    'protobuf',
    field(1, records(Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0x0f]))),
    false,
  ],
  [
    'a length in many bytes',
    'protobuf',
    field(1, records(Buffer.from([0x1a, 0x81, 0x80, 0x80, 0x80, 0x00, 0x61]))),
    false,
  ],
  ['a late resource', 'protobuf', field(1, records(hi), web), false],
  ['two resources', 'protobuf', field(1, web, field(1, field(1, pair('a', 'b'))), records(hi)), false],
  ['a late scope', 'protobuf', field(1, field(2, field(2, hi), field(1, text(1, 'name')))), false],
  ['a long tag', 'protobuf', field(1, records(Buffer.concat([hi, Buffer.from([0x80, 0x01, 0x01])]))), false],
  ['a group', 'protobuf', field(1, records(Buffer.concat([hi, Buffer.from([0x6b, 0x6c])]))), false],
  [
    'a message that goes on beyond its parent',
    'protobuf',
    Buffer.concat([field(1, web, Buffer.from([0x12, 0x05, 0x12, 0x02])), hi]),
    false,
  ],
  ...(
    [
      ['a record', '{"body":{"stringValue":"a"},"droppedAttributesCount":0,"x":{"y":["}"]}}', true],
      ['a body twice', '{"body":{"stringValue":"a"},"body":{"intValue":"7"}}', false],
      ['attributes twice', '{"attributes":[{"key":"a","value":{"intValue":1}}],"attributes":[]}', false],
      ['an escaped name', '{"bo\\u0064y":{"stringValue":"a"}}', false],
      ['fields that are null', '{"body":null,"attributes":null,"traceId":null}', true],
      ['spaces', '{ "body":{"stringValue":"a"}}', false],
      [
        'two fields in a value',
        '{"attributes":[{"key":"a","value":{"stringValue":"b","intValue":1}}]}',
        false,
      ],
      [
        'half of a pair',
        '{"attributes":[{"key":"a","value":{"stringValue":"\\ud800"}}],"severityText":"\\ud800"}',
        true,
      ],
      [
        'half of a pair in an id',
        '{"attributes":[{"key":"log.record.uid","value":{"stringValue":"\\ud800"}}]}',
        true,
      ],
      ['half of a pair in a name', '{"attributes":[{"key":"\\ud800","value":{"stringValue":"b"}}]}', false],
      ['an integer as a number', '{"attributes":[{"key":"a","value":{"intValue":7}}]}', true],
      [
        'an integer in another notation',
        '{"attributes":[{"key":"a","value":{"intValue":"007"}},{"key":"b","value":{"doubleValue":1e5}}]}',
        true,
      ],
      ['a wrong type', '{"attributes":[{"key":"a","value":{"intValue":"x"}}]}', false],
    ] as const
  ).map(([name, record, isQuick]): [string, Encoding, Buffer, boolean] => [
    name,
    'json',
    Buffer.from(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${record}]}]}]}`),
    isQuick,
  ]),
])('an export with %s in %s', (_, encoding, bytes, expected) => {
  it(`is ${expected ? 'taken' : 'left to the rules'}`, () => {
    const known = knownAfter(
      fully(bytes, encoding, SCOPE, () => knownFieldsOf(SCOPE.source)),
      SCOPE,
    );
    expect(isTaken(bytes, encoding, SCOPE, known)).toBe(expected);
  });
});
