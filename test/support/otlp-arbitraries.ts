/** Exports of OpenTelemetry of all kinds, for properties. */
import fc from 'fast-check';
import type { Sketch } from './otlp-exports.js';

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('', 'a', '__proto__'));
const bytes = (length: number) =>
  fc.oneof(
    fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array)),
    fc.constantFrom(Buffer.alloc(0), Buffer.alloc(length), Buffer.alloc(length - 1, 7)),
  );
const nanos = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  fc.bigInt({ min: 1_700_000_000_000_000_000n, max: 1_800_000_000_000_000_000n }),
);
const name = fc.oneof(
  text,
  fc.constantFrom('service.name', 'log.record.uid', 'http', 'http.route', 'http.route.x', 'a..b', '.'),
);

/** Without -0, which JSON writes as 0. */
const double = fc
  .oneof(fc.double(), fc.constantFrom(0, 1, Number.NaN, Infinity, -Infinity))
  .map((number) => (number === 0 ? 0 : number));

const { value } = fc.letrec<{ value: Sketch; list: Sketch }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ stringValue: text }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({
      intValue: fc.oneof(
        fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
        fc.integer().map((integer) => BigInt(integer)),
      ),
    }),
    fc.record({ doubleValue: double }),
    fc.record({ bytesValue: bytes(5) }),
    fc.constant({}),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie('value'), { maxLength: 3 }) }) }),
    fc.record({ kvlistValue: fc.record({ values: fc.array(tie('list'), { maxLength: 3 }) }) }),
  ),
  list: fc.record({ key: name, value: tie('value') }),
}));
const attributes = fc.array(fc.record({ key: name, value }), { maxLength: 4 });

/** Each field may be missing. */
const partly = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Sketch> =>
  fc.record(fields, { requiredKeys: [] });

const resource = partly({ attributes });
const scope = partly({ name: text, version: text, attributes });
const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 2 });
const ids = { traceId: bytes(16), spanId: bytes(8) };

export const logs = partly({
  resourceLogs: few(
    partly({
      resource,
      scopeLogs: few(
        partly({
          scope,
          logRecords: few(
            partly({
              ...ids,
              timeUnixNano: nanos,
              observedTimeUnixNano: nanos,
              severityNumber: fc.integer({ min: 0, max: 24 }),
              severityText: text,
              body: value,
              attributes,
              eventName: text,
            }),
          ),
        }),
      ),
    }),
  ),
});

export const traces = partly({
  resourceSpans: few(
    partly({
      resource,
      scopeSpans: few(
        partly({
          scope,
          spans: few(
            partly({
              ...ids,
              parentSpanId: bytes(8),
              traceState: text,
              name: text,
              kind: fc.integer({ min: 0, max: 7 }),
              startTimeUnixNano: nanos,
              endTimeUnixNano: nanos,
              attributes,
              events: few(partly({ timeUnixNano: nanos, name: text, attributes })),
              links: few(partly({ ...ids, traceState: text, attributes })),
              status: partly({ code: fc.integer({ min: 0, max: 3 }), message: text }),
            }),
          ),
        }),
      ),
    }),
  ),
});
