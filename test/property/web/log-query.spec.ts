/** Any question to the logs is the same when it comes back from its address, and what it found from its files. */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countRows } from '../../../web/src/dashboard/areas/logs/counts.js';
import { toNdjson } from '../../../web/src/dashboard/areas/logs/exports.js';
import {
  absoluteRange,
  callParameters,
  type LogQuery,
  parseSearch,
  RELATIVE_RANGES,
  type TimeRange,
  toSearch,
} from '../../../web/src/dashboard/areas/logs/log-query.js';
import { propertyRuns } from '../../support/property-runs.js';

const runs = propertyRuns(300);

/** Whole characters: half of one is in no address. */
const texts = fc.string({ unit: 'binary', maxLength: 20 });
const moments = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2050-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const ranges: fc.Arbitrary<TimeRange> = fc.oneof(
  fc.constant<TimeRange>({ kind: 'all' }),
  fc.constantFrom(...RELATIVE_RANGES).map(({ name }): TimeRange => ({ kind: 'last', last: name })),
  fc.record({ kind: fc.constant('between' as const), from: moments, to: fc.oneof(moments, fc.constant('')) }),
);

const questions: fc.Arbitrary<LogQuery> = fc
  .record({
    endpoint: texts,
    language: fc.constantFrom('stored' as const, 'sql' as const, 'lql' as const),
    query: texts,
    parameters: fc
      .array(fc.tuple(texts, fc.string({ unit: 'binary', minLength: 1, maxLength: 10 })), { maxLength: 4 })
      .map((given) => Object.fromEntries(given)),
    range: ranges,
    redact: fc.boolean(),
  })
  .map((asked) => (asked.language === 'stored' ? { ...asked, query: '' } : asked));

it('asks the same from its address', () =>
  fc.assert(
    fc.property(questions, (asked) => expect(parseSearch(toSearch(asked))).toEqual(asked)),
    runs,
  ));

it('calls the same, whether its time was fixed for a link or not', () =>
  fc.assert(
    fc.property(questions, fc.integer({ min: 0, max: 2_000_000_000_000 }), (asked, now) => {
      const linked = { ...asked, range: absoluteRange(asked.range, now) };
      expect(callParameters(linked, now + 86_400_000)).toEqual(callParameters(asked, now));
    }),
    runs,
  ));

it('counts every row once, in buckets that follow each other and are no more than can be drawn', () =>
  fc.assert(
    fc.property(fc.array(moments, { minLength: 1, maxLength: 30 }), (times) => {
      const counts = countRows(times.map((timestamp) => ({ timestamp })));
      const buckets = counts?.buckets ?? [];
      expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(times.length);
      expect(buckets.length).toBeLessThanOrEqual(1_000);
      expect([buckets[0]?.count, buckets.at(-1)?.count]).not.toContain(0);
      const starts = buckets.map(({ start }) => start);
      expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
      const last = [...times].sort().at(-1) ?? '';
      expect(starts.at(-1)).toBeLessThanOrEqual(Date.parse(last));
    }),
    runs,
  ));

it('has a line for each row in its file, which gives the row back', () =>
  fc.assert(
    fc.property(fc.array(fc.dictionary(texts, fc.jsonValue()), { maxLength: 5 }), (rows) => {
      const lines = toNdjson(rows).split('\n').slice(0, -1);
      expect(lines).toEqual(rows.map((row) => JSON.stringify(row)));
    }),
    runs,
  ));
