/** What holds for every set of attempts and every round. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  attemptsOf,
  averageOf,
  compareScores,
  decodeMulti,
  encodeMulti,
  placesOf,
  singleOf,
} from '../../../src/domain/scoring.js';
import { scoredRound } from '../../support/scored-rounds.js';

const time = fc.oneof(fc.integer({ min: 1, max: 200_000 }), fc.constantFrom(-1, -2));
const averaged = fc.constantFrom('a', '5', 'm', '3').chain((format) =>
  fc.record({
    format: fc.constant(format),
    attempts: fc.array(time, { minLength: attemptsOf(format), maxLength: attemptsOf(format) }),
    valueFormat: fc.constantFrom('time' as const, 'number' as const),
  }),
);

describe('an average', () => {
  it('lies between the best and the worst attempt, within its rounding', () => {
    fc.assert(
      fc.property(averaged, ({ format, attempts, valueFormat }) => {
        const average = averageOf(attempts, { format, valueFormat, cutoff: null });
        const solved = attempts.filter((value) => value > 0);
        const allowed = attempts.length === 5 ? 1 : 0;
        if (attempts.length - solved.length > allowed) return expect(average).toBe(-1);
        const scale = valueFormat === 'number' ? 100 : 1;
        const rounding = valueFormat === 'time' && average > 60_000 ? 50 : 1;
        expect(average).toBeGreaterThanOrEqual(Math.min(...solved) * scale - rounding);
        expect(average).toBeLessThanOrEqual(Math.max(...solved) * scale + rounding);
        return expect(Number.isInteger(average)).toBe(true);
      }),
    );
  });

  it('and a single do not depend on the order of the attempts', () => {
    fc.assert(
      fc.property(averaged, fc.integer(), ({ format, attempts, valueFormat }, seed) => {
        const shuffled = attempts.toSorted((a, b) => ((a * 31 + seed) % 7) - ((b * 31 + seed) % 7));
        const rules = { format, valueFormat, cutoff: null };
        expect(averageOf(shuffled, rules)).toBe(averageOf(attempts, rules));
        expect(singleOf(shuffled)).toBe(singleOf(attempts));
      }),
    );
  });
});

describe('places', () => {
  it('are one more than how many are ahead: RANK()', () => {
    fc.assert(
      fc.property(scoredRound, ({ format, scores }) => {
        const ahead = scores.map(
          (own) => scores.filter((other) => compareScores(format, other, own) < 0).length,
        );
        expect(placesOf(scores, format)).toEqual(ahead.map((count) => count + 1));
      }),
    );
  });
});

describe('a multi value', () => {
  it('says what was put into it, and better is lower', () => {
    const details = fc.record({
      solved: fc.nat(9_999),
      missed: fc.nat(9_999),
      centiseconds: fc.nat(9_999_999),
      dnf: fc.boolean(),
    });
    fc.assert(
      fc.property(details, (given) => {
        fc.pre(given.solved + given.missed > 0);
        const value = encodeMulti(given);
        expect(Number.isSafeInteger(value)).toBe(true);
        // Fewer points than none is no success, so such a value is a DNF's.
        fc.pre(value > 0 || given.dnf);
        expect(decodeMulti(value)).toEqual({ ...given, points: given.solved - given.missed });
      }),
    );
  });
});
