/** Applying what changed from one look at a round to the next gives the next, whatever the looks are. */

import { isDeepStrictEqual } from 'node:util';
import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import type { RoundResultView } from '../../../../src/competition/contests/contest.queries.js';
import { byPlace } from '../../../../src/competition/contests/round-order.js';
import { applyChanges, SeenRound } from '../../../../src/competition/live/round-changes.js';
import { roundView } from '../../../support/round-views.js';

const result = fc.record<RoundResultView>(
  {
    resultId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    place: fc.integer({ min: 1, max: 4 }),
    advances: fc.boolean(),
    persons: fc.constant([]),
    attempts: fc.array(
      fc.integer({ min: -2, max: 3 }).map((value) => ({ result: value })),
      { maxLength: 2 },
    ),
    best: fc.integer({ min: -1, max: 3 }),
    average: fc.constant(0),
    date: fc.constant('2026-05-01'),
    regionCode: fc.constant(null),
  },
  // What is compared strictly would differ in a null prototype alone.
  { noNullPrototype: true },
);

const round = fc
  .record({
    open: fc.boolean(),
    results: fc.uniqueArray(result, { selector: ({ resultId }) => resultId, maxLength: 6 }),
  })
  .map(({ open, results }) => roundView({ open, results: results.sort(byPlace) }));

describe('the changes between two looks at a round', () => {
  it('lead from the first to the second', () => {
    fc.assert(
      fc.property(round, round, (before, after) => {
        const changes = new SeenRound(before).changesTo(new SeenRound(after));
        if (changes === null) return isDeepStrictEqual(before, after);
        if (changes === 'all') return before.open !== after.open;
        return isDeepStrictEqual(applyChanges(before, changes), after);
      }),
      { numRuns: 1_000 },
    );
  });
});
