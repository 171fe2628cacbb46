/** Who advances, and that a prospect is what all ways in which the round can end have in common. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  advancing,
  type Prospect,
  prospectsOf,
  type RoundUnderWay,
} from '../../../src/domain/advancement.js';
import { ADVANCEMENT_TYPES } from '../../../src/domain/attempts.js';
import { attemptsOf, averageOf, isCutoffMet, placesOf, singleOf } from '../../../src/domain/scoring.js';
import { propertyRuns } from '../../support/property-runs.js';
import { scoredRound } from '../../support/scored-rounds.js';

describe('advancing', () => {
  it('ties advance together, and only competitors with a valid result', () => {
    const advancement = fc.record({
      type: fc.constantFrom(...ADVANCEMENT_TYPES),
      value: fc.integer({ min: 1, max: 75 }),
    });
    fc.assert(
      fc.property(scoredRound, advancement, ({ format, scores }, rule) => {
        const places = placesOf(scores, format);
        const results = scores.map((given) => ({ ...given, attempts: [given.best] }));
        const through = advancing(results, places, { format, advancement: rule });
        expect(through.filter(Boolean).length).toBeLessThanOrEqual(scores.length * 0.75);
        for (const [one, own] of scores.entries()) {
          if (own.best <= 0) expect(through[one]).toBe(false);
          for (const [two, other] of scores.entries()) {
            const tied = own.best > 0 && other.best > 0 && places[one] === places[two];
            if (tied) expect(through[one]).toBe(through[two]);
          }
        }
      }),
    );
  });
});

type Attempts = readonly number[];

/** Best first. The prospects know of no better value than the first, so the model must have none either. */
const VALUES = [1, 2, 3, -1, -2] as const;

/** All ways in which these attempts can end: first those before the cutoff, then, once it is met, the others. */
const endings = (attempts: Attempts, { cutoff }: RoundUnderWay['rules']): readonly Attempts[] => {
  const early = cutoff?.numberOfAttempts ?? attempts.length;
  const fill = (from: number, to: number, of: Attempts): readonly Attempts[] => {
    const open = of.findIndex((value, index) => value === 0 && index >= from && index < to);
    return open === -1 ? [of] : VALUES.flatMap((value) => fill(from, to, of.with(open, value)));
  };
  return fill(0, early, attempts).flatMap((of) =>
    isCutoffMet(of, cutoff) ? fill(early, attempts.length, of) : [of],
  );
};

/** Whether each of the results advances, in every way in which the round can end. */
const everyEnd = ({ rules, valueFormat, results, absent, isOpen }: RoundUnderWay): readonly boolean[][] => {
  const none = Array.from({ length: attemptsOf(rules.format) }, () => 0);
  const ways: (readonly (Attempts | null)[])[] = results.map((attempts) =>
    isOpen ? endings(attempts, rules) : [attempts],
  );
  if (isOpen) for (let count = 0; count < absent; count += 1) ways.push([null, ...endings(none, rules)]);
  const ends = ways.reduce<readonly (readonly (Attempts | null)[])[]>(
    (before, choices) => before.flatMap((chosen) => choices.map((choice) => [...chosen, choice])),
    [[]],
  );
  return ends.map((end) => {
    const all = end.flatMap((attempts) =>
      attempts === null
        ? []
        : [{ attempts, best: singleOf(attempts), average: averageOf(attempts, { ...rules, valueFormat }) }],
    );
    const through = advancing(all, placesOf(all, rules.format), rules);
    return results.map((_, index) => through[index] ?? false);
  });
};

const isComplete = (attempts: Attempts, { rules, isOpen }: RoundUnderWay): boolean =>
  !isOpen || endings(attempts, rules).every((end) => String(end) === String(attempts));

const wanted = (given: RoundUnderWay): readonly Prospect[] => {
  const ends = everyEnd(given);
  return given.results.map((attempts, index) => {
    if (ends.every((through) => !through[index])) return 'out';
    return isComplete(attempts, given) && ends.every((through) => through[index]) ? 'certain' : 'possible';
  });
};

const roundUnderWay = fc
  .record({
    format: fc.constantFrom('1' as const, '2' as const, '3' as const, 'm' as const),
    cutoff: fc.boolean(),
    advancement: fc.oneof(
      fc.record({ type: fc.constant('number' as const), value: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ type: fc.constant('percent' as const), value: fc.constantFrom(20, 34, 50, 67, 75) }),
      fc.record({ type: fc.constant('value' as const), value: fc.integer({ min: 2, max: 4 }) }),
    ),
    isOpen: fc.constantFrom(true, true, true, false),
  })
  .chain(({ format, cutoff, advancement, isOpen }) => {
    const length = attemptsOf(format);
    const attempts = fc
      .array(fc.constantFrom(...VALUES, 0), { minLength: length, maxLength: length })
      .filter((values) => values.some((value) => value !== 0));
    const rules = {
      format,
      advancement,
      cutoff: cutoff && length > 1 ? { numberOfAttempts: 1, attemptResult: 3 } : null,
    };
    return fc.record({
      rules: fc.constant(rules),
      valueFormat: fc.constantFrom('time' as const, 'number' as const),
      results: fc.array(attempts, { minLength: 1, maxLength: 5 }),
      absent: fc.nat(format === '1' ? 4 : format === '2' ? 2 : 1),
      isOpen: fc.constant(isOpen),
    });
  })
  // What the entry refuses: attempts behind a cutoff that is not met.
  .filter(({ rules, results }) =>
    results.every((of) => isCutoffMet(of, rules.cutoff) || of.slice(1).every((value) => value === 0)),
  )
  // So many ways to end that all of them can be tried.
  .filter(({ rules, results, absent }) => {
    const open = results.flat().filter((value) => value === 0).length + absent * attemptsOf(rules.format);
    return VALUES.length ** open <= 4_000;
  });

describe('prospects', () => {
  it('are what all ways in which the round can end have in common', () => {
    fc.assert(
      fc.property(roundUnderWay, (given) => {
        expect(prospectsOf(given)).toEqual(wanted(given));
      }),
      propertyRuns(1_000, 60_000),
    );
  });
});
