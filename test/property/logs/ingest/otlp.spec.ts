/** An export of OpenTelemetry gives the same entries in protobuf and in JSON, and no attribute is lost or hides another. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../../../src/foundation/log-store/sources.js';
import type { EntryScope } from '../../../../src/logs/ingest/entry-rules.js';
import type { OtlpForm } from '../../../../src/logs/ingest/log-body.js';
import { nested } from '../../../../src/logs/ingest/otlp/nested-attributes.js';
import { otlpEntries } from '../../../../src/logs/ingest/otlp/otlp-entries.js';
import { logs, traces } from '../../../support/otlp-arbitraries.js';
import { encodedExport, type Sketch } from '../../../support/otlp-exports.js';

const ground: fc.Arbitrary<EntryScope> = fc.record({
  source: fc.constantFrom('otel_logs', 'function_logs', 'storage_logs'),
  onlyProject: fc.constantFrom(null, 'one'),
  now: fc.constant(0),
});

describe.each<[OtlpForm['signal'], fc.Arbitrary<Sketch>]>([
  ['logs', logs],
  ['traces', traces],
])('an export of %s', (signal, sketch) => {
  it('gives the same entries in protobuf and in JSON', () => {
    let entries = 0;
    fc.assert(
      fc.property(sketch, ground, (given, on) => {
        const [json, protobuf] = (['json', 'protobuf'] as const).map((encoding) =>
          otlpEntries(encodedExport({ signal, encoding }, given), { signal, encoding }, on),
        );
        expect(protobuf).toEqual(json);
        entries += json?.length ?? 0;
      }),
      { numRuns: 500 },
    );
    expect(entries).toBeGreaterThan(100);
  });
});

const leavesOf = (value: Json): number =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.values(value).reduce<number>((sum, inner) => sum + leavesOf(inner), 0)
    : 1;

describe('attributes', () => {
  const names = fc.uniqueArray(
    fc.array(fc.constantFrom('a', 'b', 'c', '', '__proto__'), { minLength: 1, maxLength: 5 }),
    { maxLength: 8, selector: (steps) => steps.join('.') },
  );

  it('of any names all have their place, whatever their order', () => {
    fc.assert(
      fc.property(names, (steps) => {
        const values = steps.map((each, index): [string, Json] => [each.join('.'), index]);
        const tree = nested(new Map(values));
        expect(leavesOf(tree)).toBe(values.length);
        expect(nested(new Map(values.toReversed()))).toEqual(tree);
      }),
    );
  });
});
