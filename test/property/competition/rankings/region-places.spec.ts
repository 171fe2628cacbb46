/** Places in one region, after whatever bests came, got better, got worse and went, are those that counting gives. */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RegionPlaces } from '../../../../src/competition/rankings/region-places.js';
import { propertyRuns } from '../../../support/property-runs.js';

/** Of few persons with equal bests, or of so many with bests of their own that they are merged. */
const changesOf = (persons: number, values: number, length: number) =>
  fc.array(fc.record({ personId: fc.nat(persons), best: fc.nat(values) }), {
    minLength: length / 2,
    maxLength: length,
  });
const few = fc.record({ read: changesOf(20, 9, 20), changes: changesOf(20, 9, 40) });
const many = fc.record({ read: changesOf(9_000, 5_000, 100), changes: changesOf(9_000, 5_000, 16_000) });

const valuesOf = (bests: ReadonlyMap<number, number>) => {
  const known = [...bests].filter(([, value]) => value > 0).sort(([one], [other]) => one - other);
  const values = Float64Array.from(known, ([, value]) => value);
  return {
    personIds: Float64Array.from(known, ([personId]) => personId),
    bests: values,
    sorted: values.toSorted(),
  };
};

it('a place is one plus the number of persons whose best is better', () => {
  fc.assert(
    fc.property(fc.oneof({ arbitrary: few, weight: 9 }, many), ({ read, changes }) => {
      const bests = new Map(read.map((one) => [one.personId, one.best]));
      const places = new RegionPlaces(valuesOf(bests));
      for (const { personId, best } of changes) {
        places.set(personId, best);
        bests.set(personId, best);
      }
      const { sorted } = valuesOf(bests);
      for (const value of new Set([1, ...sorted.slice(-50), 6_000])) {
        expect(places.placeOf(value)).toBe(1 + sorted.filter((other) => other < value).length);
      }
    }),
    propertyRuns(100),
  );
});
