/** The quick way into the log store packs the very bytes that the rules would pack, or leaves the body to them. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sampleLogs } from '../../../../src/app/generators/logs/sample-logs.js';
import type { RecordType } from '../../../../src/foundation/log-store/field-catalogue.js';
import { knownFieldsOf } from '../../../../src/foundation/log-store/known-fields.js';
import { readPacked } from '../../../../src/foundation/log-store/packed-entries.js';
import type { EntryScope } from '../../../../src/logs/ingest/entry-rules.js';
import { type QuickRequest, quickEntries } from '../../../../src/logs/ingest/quick-entries.js';
import { checkedEntries } from '../../../../src/logs/ingest/read-entries.js';

const KNOWN: RecordType = {
  kind: 'record',
  fields: {
    text: { kind: 'string' },
    count: { kind: 'integer' },
    share: { kind: 'number' },
    ok: { kind: 'boolean' },
    any: { kind: 'json' },
    project: { kind: 'string' },
    project_ref: { kind: 'json' },
    'naïve "name"': { kind: 'string' },
    naïve: { kind: 'string' },
    '7': { kind: 'string' },
    __proto__x: { kind: 'string' },
    inner: { kind: 'record', fields: { text: { kind: 'string' }, count: { kind: 'integer' } } },
    mixed: { kind: 'record', fields: { text: { kind: 'string' } }, arrays: true },
    list: { kind: 'array', items: { kind: 'record', fields: { text: { kind: 'string' } } } },
    tags: { kind: 'array', items: { kind: 'string' } },
  },
};

/** Project `two` had other fields. */
const { tags: _, ...OTHERS } = KNOWN.fields;
const OF_TWO: RecordType = {
  kind: 'record',
  fields: { ...OTHERS, ok: { kind: 'json' }, inner: { kind: 'json' } },
};
const knownOf = (whose: string | null): RecordType => (whose === 'two' ? OF_TWO : KNOWN);

const NIL = '00000000-0000-0000-0000-000000000000';

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    '',
    'one',
    'a"b\\c',
    'x\n\ty',
    '\u001b[0m',
    'Žluťoučký 🐎',
    '\u2028',
    '\ud800',
    '/',
    '\u007f',
  ),
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 0.5, -0.25, 1e-6, 1.23e-6, 1e-7, 1e21, 123456789012345, 0.1 + 0.2),
);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const project = fc.constantFrom('one', 'one', 'two', null, '', 7);
const inner = fc.record({ text, count: fc.integer() }, { requiredKeys: [] });
const fits = fc.record(
  {
    text,
    count: fc.integer(),
    share: number,
    ok: fc.boolean(),
    any: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
    project: fc.constantFrom('one', null),
    project_ref: fc.constantFrom('one', null),
    naïve: text,
    inner: fc.oneof(inner, scalar),
    mixed: fc.oneof(inner, fc.array(scalar, { maxLength: 2 })),
    list: fc.array(fc.oneof(fc.record({ text }), fc.constant(null)), { maxLength: 3 }),
    tags: fc.array(text, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const odd = fc.oneof(
  fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(KNOWN.fields)), text), fc.jsonValue(), {
    maxKeys: 4,
  }),
  fc.record({ project, project_ref: project, mixed: fc.array(inner), '7': text, 'naïve "name"': text }),
);
const usually = (usual: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown>, weight = 12) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });
const entry = fc.record(
  {
    id: usually(
      fc.uuid(),
      fc.oneof(
        fc.uuid().map((id) => id.toUpperCase()),
        text,
      ),
      30,
    ),
    timestamp: usually(
      fc.constantFrom<unknown>(
        1_700_000_000,
        1_700_000_000_123,
        1_700_000_000_123_456,
        '2026-03-01T12:00:00Z',
        null,
      ),
      fc.oneof(
        scalar,
        fc.constantFrom<unknown>(
          '1700000000',
          9_999_999_999_999_998,
          999_999_999,
          1_700_000_000_123_456_800,
          '1700000000123456999',
          1_700_000_000.25,
        ),
      ),
      30,
    ),
    event_message: usually(text, scalar, 30),
    metadata: usually(fits, odd),
    project: usually(fc.constantFrom('one', 'two', null), project),
  },
  { requiredKeys: ['id', 'event_message'] },
);

const scope: fc.Arbitrary<EntryScope> = fc.record({
  source: fc.constantFrom('edge_logs', 'function_logs', 'storage_logs'),
  onlyProject: fc.constantFrom(null, null, 'one'),
  now: fc.constant(1_772_366_400_000_000),
});
const document = fc.oneof(
  fc.array(entry, { minLength: 1, maxLength: 3 }).map((batch) => JSON.stringify({ batch })),
  fc.array(entry, { minLength: 1, maxLength: 3 }).map((batch) => JSON.stringify(batch, null, 1)),
  fc.array(entry, { maxLength: 3 }).map((batch) => JSON.stringify(batch)),
);
const lines = fc
  .array(entry, { maxLength: 3 })
  .chain((batch) =>
    fc
      .constantFrom('\n', '\r\n', ' \n\n\t')
      .map((end) => batch.map((one) => JSON.stringify(one) + end).join('')),
  );
const request = fc.oneof(
  fc.record({ text: document, lines: fc.constant(false), scope }),
  fc.record({ text: lines, lines: fc.constant(true), scope }),
);

/** Nothing in it keeps it from the quick way, and most of it is text, where one character more does no harm. */
const plain = fc
  .array(
    fc.record(
      {
        id: fc.uuid(),
        timestamp: fc.constantFrom(1_700_000_000_123_456, '2026-03-01T12:00:00Z'),
        event_message: fc.string({ minLength: 80, maxLength: 120 }),
        metadata: fc.record(
          {
            text: fc.string({ minLength: 80, maxLength: 120 }),
            count: fc.integer(),
            share: fc.constantFrom(0.5, -12.25, 0.001),
            inner: fc.record({ text: fc.string({ maxLength: 5 }) }),
            tags: fc.array(fc.string({ maxLength: 3 }), { maxLength: 2 }),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: ['event_message'] },
    ),
    { minLength: 1, maxLength: 2 },
  )
  .chain((batch) =>
    fc.constantFrom(
      { text: JSON.stringify({ batch: batch.map((one) => ({ id: NIL, ...one })) }), lines: false },
      { text: batch.map((one) => JSON.stringify({ id: NIL, ...one })).join('\n'), lines: true },
    ),
  );
const tamperable = fc.oneof(
  request,
  fc.record({ plain, scope }).map((one) => ({ ...one.plain, scope: one.scope })),
);

const PIECES = [
  ...'"\\ \n\r\t{}[],:-+.eE0159',
  '\\u0041',
  '\\u001b',
  '\\ud800',
  '\\/',
  '\\n',
  '-0',
  '0.10',
  '00',
  '1e5',
  '1e400',
  '1.0',
  '0.0000001',
  '12345678901234567890',
  'null',
  'true',
  'é',
  '\u2028',
  '"text":"",',
  '.5',
  '999',
  '"text":"x",',
  '"count":1,',
  '"project":"one",',
  '"project":"two",',
  '"project_ref":null,',
  '"7":"",',
  '"__proto__":1,',
  '"id":null,',
  ',"batch":[]',
  '{"text":"a"}',
];
const edit = fc.oneof(
  fc.record({ at: fc.nat(), remove: fc.nat({ max: 2 }), insert: fc.constantFrom('', ...PIECES) }),
  // What does no harm to most texts.
  fc.record({ at: fc.nat(), remove: fc.constant(0), insert: fc.constantFrom('x', '7', 'é', '🐎', '\\n') }),
);

/** Throws unless the law holds; whether the quick way was taken. */
const isQuick = (asked: QuickRequest): boolean => {
  const quick = quickEntries(asked);
  if (quick === null) return false;
  const { packed: checked } = checkedEntries(asked);
  if (checked === null) throw new Error('the rules refuse it');
  expect(quick).toMatchObject({ source: checked.source, count: checked.count });
  expect(Buffer.compare(quick.bytes, checked.bytes)).toBe(0);
  return true;
};

describe('the quick reader of entries', () => {
  it('packs what the rules pack', () => {
    let quick = 0;
    fc.assert(
      fc.property(request, ({ text: body, lines: byLine, scope: on }) => {
        if (isQuick({ bytes: Buffer.from(body), lines: byLine, scope: on, known: knownOf })) quick++;
      }),
      { numRuns: 2_000 },
    );
    expect(quick).toBeGreaterThan(200);
  });

  it('packs what the rules pack of texts that were tampered with', () => {
    let quick = 0;
    fc.assert(
      fc.property(tamperable, fc.array(edit, { minLength: 1, maxLength: 2 }), (asked, edits) => {
        let body = asked.text;
        for (const { at, remove, insert } of edits) {
          const place = body.length === 0 ? 0 : at % body.length;
          body = body.slice(0, place) + insert + body.slice(place + remove);
        }
        if (isQuick({ ...asked, bytes: Buffer.from(body), known: knownOf })) quick++;
      }),
      { numRuns: 5_000 },
    );
    expect(quick).toBeGreaterThan(200);
  });

  it('packs what the rules pack of bytes that were tampered with', () => {
    fc.assert(
      fc.property(tamperable, fc.nat(), fc.nat({ max: 255 }), (asked, at, byte) => {
        const bytes = Buffer.from(asked.text);
        if (bytes.length > 0) bytes[at % bytes.length] = byte;
        isQuick({ ...asked, bytes, known: knownOf });
      }),
      { numRuns: 3_000 },
    );
  });

  it('is taken for all of the sample', () => {
    for (const portion of sampleLogs({
      entries: 3_000,
      seed: 1,
      until: Date.UTC(2026, 2, 1) * 1_000,
      days: 1,
    })) {
      for (const [source, entries] of portion) {
        const batch = entries.map(({ eventMessage, ...entry }) => ({
          ...entry,
          event_message: eventMessage,
        }));
        const bytes = Buffer.from(JSON.stringify({ batch }));
        const on: EntryScope = { source, onlyProject: null, now: 0 };
        expect([
          source,
          isQuick({ bytes, lines: false, scope: on, known: () => knownFieldsOf(source) }),
        ]).toEqual([source, true]);
      }
    }
  });

  const quickly = (body: string, on: Partial<EntryScope> = {}) =>
    quickEntries({
      bytes: Buffer.from(body),
      lines: false,
      scope: { source: 'edge_logs', onlyProject: null, now: 5, ...on },
      known: knownOf,
    });

  it('makes ids where there are none', () => {
    const packed = quickly('[{"event_message":"a"},{"event_message":"b","id":null}]');
    const { ids, timestamps } = readPacked(packed?.bytes ?? new Uint8Array());
    const [one, other] = [ids.subarray(0, 16), ids.subarray(16)].map((id) => Buffer.from(id).toString('hex'));
    expect(one).toMatch(/^[0-9a-f]{12}4[0-9a-f]{19}$/);
    expect(other).toMatch(/^[0-9a-f]{12}4[0-9a-f]{19}$/);
    expect(one).not.toBe(other);
    expect([...timestamps]).toEqual([5n, 5n]);
  });

  it.each([
    ['a name twice', '[{"event_message":"a","metadata":{"text":"a","text":"b"}}]'],
    ['a name twice in an inner record', '[{"event_message":"a","metadata":{"inner":{"count":1,"count":1}}}]'],
    ['a field of an entry twice', '[{"event_message":"a","event_message":"b"}]'],
    ['a field that is to be learned', '[{"event_message":"a","metadata":{"fresh":1}}]'],
    ['a type that is to be learned', '[{"event_message":"a","metadata":{"count":0.5}}]'],
    ['a number in another notation', '[{"event_message":"a","metadata":{"share":1e2}}]'],
    ['a number that is none', '[{"event_message":"a","metadata":{"share":1e400}}]'],
    ['a number that loses digits', '[{"event_message":"a","metadata":{"count":12345678901234567890}}]'],
    ['a negative zero', '[{"event_message":"a","metadata":{"count":-0}}]'],
    ['an escape for a plain character', '[{"event_message":"a","metadata":{"text":"\\u0041"}}]'],
    ['a half of a pair', '[{"event_message":"a","metadata":{"text":"\\ud800"}}]'],
    ['a space', '[{"event_message":"a","metadata":{"text": "a"}}]'],
    ['a name that is a number', '[{"event_message":"a","metadata":{"text":"a","7":"b"}}]'],
    ['no message', '[{"metadata":{}}]'],
    ['a message of another name', '[{"message":"a"}]'],
    ['a field beside those of an entry', '[{"event_message":"a","host":"b"}]'],
    ['a time that loses digits', '[{"event_message":"a","timestamp":1700000000123456999}]'],
    ['a time with a fraction', '[{"event_message":"a","timestamp":1700000000.5}]'],
    ['a long message', `[{"event_message":"${'x'.repeat(65_537)}"}]`],
    ['something behind the end', '[{"event_message":"a"}] 1'],
    ['an end that is missing', '{"batch":[{"event_message":"a"}]'],
  ])('leaves %s to the rules', (_, body) => {
    expect(quickly(body)).toBeNull();
  });

  it('leaves what a token may not write, or has to have set, to the rules', () => {
    const foreign = '[{"event_message":"a","project":"two"}]';
    expect(quickly(foreign)).not.toBeNull();
    expect(quickly(foreign, { onlyProject: 'one' })).toBeNull();
    const unnamed = '[{"event_message":"a","metadata":{"text":"a"}}]';
    expect(quickly(unnamed, { onlyProject: 'one' })).not.toBeNull();
    expect(quickly(unnamed, { source: 'storage_logs', onlyProject: 'one' })).toBeNull();
    const named = '[{"event_message":"a","metadata":{"project":"one"}},{"event_message":"b"}]';
    expect(quickly(named, { source: 'storage_logs', onlyProject: 'one' })).toBeNull();
  });
});
