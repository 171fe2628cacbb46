/** Applying what changed from one look at a round to the next gives the next, whatever the looks are. */

import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
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

/**
 * Two looks at a round. Most of what the second shows is as in the first: only then do the changes name results. Who has a result
 * since is no longer missing.
 */
const looks = fc
  .record({
    before: round,
    other: round,
    isRestKept: fc.constantFrom(true, true, true, false),
    isListKept: fc.constantFrom(true, true, true, false),
    isCountKept: fc.boolean(),
    kept: fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']),
    isNothingNew: fc.constantFrom(true, false, false),
  })
  .map(({ before, other, isRestKept, isListKept, isCountKept, kept, isNothingNew }) => {
    const isKept = ({ resultId }: RoundResultView): boolean => kept.includes(resultId);
    const fresh = isNothingNew ? [] : other.results.filter((one) => !isKept(one));
    const entered = new Set(fresh.flatMap(({ persons }) => persons.map(({ id }) => id)));
    const counts = isCountKept ? before.roster : (other.roster ?? before.roster);
    const missing = before.roster?.missing.filter(
      ({ persons }) => !persons.every(({ id }) => entered.has(id)),
    );
    const after = {
      ...(isRestKept ? before : other),
      roster: isListKept ? counts && missing && { ...counts, missing } : other.roster,
      results: [...before.results.filter(isKept), ...fresh.map((one) => ({ ...one, date: '2026-05-02' }))],
    };
    return {
      before,
      after: { ...after, roster: after.roster ?? null, results: after.results.sort(byPlace) },
    };
  });

describe('the changes between two looks at a round', () => {
  it('lead from the first to the second', () => {
    let partial = 0;
    fc.assert(
      fc.property(looks, ({ before, after }) => {
        const changes = new SeenRound(before).changesTo(new SeenRound(after));
        if (changes === null) return isDeepStrictEqual(before, after);
        if (changes === 'all')
          return (
            before.open !== after.open ||
            before.provisional !== after.provisional ||
            !isDeepStrictEqual(before.roster, after.roster)
          );
        if (changes.results.length < after.results.length) partial += 1;
        return isDeepStrictEqual(applyChanges(before, changes), after);
      }),
      { numRuns: 1_000 },
    );
    expect(partial).toBeGreaterThan(50);
  });
});
