/** Applying what changed from one look at a round to the next gives the next, whatever the looks are. */

import { isDeepStrictEqual } from 'node:util';
import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import type {
  RoundResultView,
  RoundRosterView,
} from '../../../../src/competition/contests/contest.queries.js';
import { byPlace } from '../../../../src/competition/contests/round-order.js';
import { applyChanges, SeenRound } from '../../../../src/competition/live/round-changes.js';
import { PROSPECTS } from '../../../../src/domain/advancement.js';
import { ROSTER_MARKS } from '../../../../src/domain/roster.js';
import { roundView } from '../../../support/round-views.js';

const person = fc.integer({ min: 1, max: 4 }).map((id) => ({
  id,
  name: `Person ${id}`,
  localizedName: null,
  regionCode: null,
  assocId: null,
}));

const result = fc.record<RoundResultView>(
  {
    resultId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    place: fc.integer({ min: 1, max: 4 }),
    advances: fc.boolean(),
    advancement: fc.constantFrom(...PROSPECTS, null),
    recordTags: fc.constantFrom({ single: null, average: null }, { single: 'WR' as const, average: null }),
    persons: fc.array(person, { maxLength: 2 }),
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

const count = fc.integer({ min: 0, max: 2 });
const roster = fc.option(
  fc.record<RoundRosterView>(
    {
      expected: count,
      entered: count,
      complete: count,
      missing: fc.array(
        fc.record(
          {
            persons: fc.array(person, { minLength: 1, maxLength: 2 }),
            mark: fc.constantFrom(...ROSTER_MARKS),
          },
          { noNullPrototype: true },
        ),
        { maxLength: 2 },
      ),
    },
    { noNullPrototype: true },
  ),
);

const round = fc
  .record({
    open: fc.boolean(),
    provisional: fc.boolean(),
    roster,
    results: fc.uniqueArray(result, { selector: ({ resultId }) => resultId, maxLength: 6 }),
  })
  .map(({ open, provisional, roster: expected, results }) =>
    roundView({ open, provisional, roster: expected, results: results.sort(byPlace) }),
  );

describe('the changes between two looks at a round', () => {
  it('lead from the first to the second', () => {
    fc.assert(
      fc.property(round, round, (before, after) => {
        const changes = new SeenRound(before).changesTo(new SeenRound(after));
        if (changes === null) return isDeepStrictEqual(before, after);
        if (changes === 'all')
          return (
            before.open !== after.open ||
            before.provisional !== after.provisional ||
            !isDeepStrictEqual(before.roster, after.roster)
          );
        return isDeepStrictEqual(applyChanges(before, changes), after);
      }),
      { numRuns: 1_000 },
    );
  });
});
