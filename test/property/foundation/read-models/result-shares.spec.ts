/** Who gives way when cached results are too many: bounds hold, and no tenant within an equal part loses anything to another. */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { beyondShares, type SizedResult } from '../../../../src/foundation/read-models/result-shares.js';
import { propertyRuns } from '../../../support/property-runs.js';

const results = fc
  .array(
    fc.record({ tenant: fc.constantFrom('a', 'b', 'c', 'd', 'e'), bytes: fc.integer({ min: 1, max: 40 }) }),
    {
      maxLength: 60,
    },
  )
  .map((all) => all.map((one, at): SizedResult => ({ ...one, key: String(at) })));
const sizes = fc.record({
  entries: fc.integer({ min: 5, max: 60 }),
  bytes: fc.integer({ min: 5, max: 800 }),
});
const bounds = fc.record({ total: sizes, each: sizes });

const sizeOf = (all: readonly SizedResult[]) => ({
  entries: all.length,
  bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
});

it('keeps the bounds, the most recent of each tenant, and whole tenants that have no more than an equal part', () => {
  fc.assert(
    fc.property(results, bounds, (all, given) => {
      const { total, each } = given;
      const beyond = new Set(beyondShares(all, given));
      const left = all.filter(({ key }) => !beyond.has(key));
      expect(sizeOf(left).entries).toBeLessThanOrEqual(total.entries);
      expect(sizeOf(left).bytes).toBeLessThanOrEqual(total.bytes);
      const tenants = new Set(all.map(({ tenant }) => tenant));
      for (const tenant of tenants) {
        const own = all.filter((one) => one.tenant === tenant);
        const kept = left.filter((one) => one.tenant === tenant);
        expect(kept).toEqual(own.slice(0, kept.length));
        expect(sizeOf(kept).entries).toBeLessThanOrEqual(each.entries);
        expect(sizeOf(kept).bytes).toBeLessThanOrEqual(each.bytes);
        const isSmall = (['entries', 'bytes'] as const).every(
          (what) => sizeOf(own)[what] <= Math.min(each[what], Math.floor(total[what] / tenants.size)),
        );
        if (isSmall) expect(kept).toEqual(own);
      }
    }),
    propertyRuns(500),
  );
});
