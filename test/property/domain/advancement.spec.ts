/** Who advances, and that a prospect is what all ways in which the round can end have in common. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { advancing, prospectsOf } from '../../../src/domain/advancement.js';
import { ADVANCEMENT_TYPES, DNF, DNS, NOT_TAKEN, type ValueFormat } from '../../../src/domain/attempts.js';
import { attemptsOf, encodeMulti, isCutoffMet, placesOf } from '../../../src/domain/scoring.js';
import { countEnds, type OracleRound, oracleEnd, oracleProspects } from '../../support/oracle/advancement.js';
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

// --- prospects ------------------------------------------------------------------------------------------------------

/** Best first. The prospects know of no better value than the first, so the model must have none either. */
const VALUES = {
  time: [1, 2, 3, DNF, DNS],
  number: [1, 2, 3, DNF, DNS],
  multi: [
    encodeMulti({ solved: 9_999, missed: 0, centiseconds: 1, dnf: false }),
    encodeMulti({ solved: 3, missed: 1, centiseconds: 100, dnf: false }),
    encodeMulti({ solved: 3, missed: 1, centiseconds: 200, dnf: false }),
    encodeMulti({ solved: 1, missed: 2, centiseconds: 100, dnf: true }),
    DNF,
    DNS,
  ],
} as const satisfies Record<ValueFormat, readonly number[]>;

const valuesBelow = (valueFormat: ValueFormat): fc.Arbitrary<number> =>
  fc.constantFrom(VALUES[valueFormat][1], VALUES[valueFormat][2], VALUES[valueFormat][2] + 1);

/** With fewer open attempts there may be more results. */
const attemptsFor = (
  round: Pick<OracleRound, 'format' | 'valueFormat'>,
  open: number,
): fc.Arbitrary<Attempts> => {
  const length = attemptsOf(round.format);
  const value = fc.oneof(
    { weight: 100 - open, arbitrary: fc.constantFrom(...VALUES[round.valueFormat]) },
    { weight: open, arbitrary: fc.constant(NOT_TAKEN) },
  );
  return fc
    .array(value, { minLength: length, maxLength: length })
    .filter((values) => values.some((each) => each !== NOT_TAKEN));
};

type Attempts = readonly number[];

const rulesOf = fc
  .record({
    valueFormat: fc.constantFrom('time' as const, 'time' as const, 'number' as const, 'multi' as const),
    format: fc.constantFrom(
      '1' as const,
      '2' as const,
      '3' as const,
      'm' as const,
      'a' as const,
      '5' as const,
    ),
    cutoff: fc.boolean(),
    isOpen: fc.constantFrom(true, true, true, false),
  })
  // Multi events are best of n.
  .filter(({ valueFormat, format }) => valueFormat !== 'multi' || (format !== 'a' && format !== 'm'))
  .chain(({ valueFormat, format, cutoff, isOpen }) =>
    fc.record({
      valueFormat: fc.constant(valueFormat),
      format: fc.constant(format),
      isOpen: fc.constant(isOpen),
      cutoff: fc.constant(
        cutoff && attemptsOf(format) > 1
          ? { numberOfAttempts: attemptsOf(format) > 3 ? 2 : 1, attemptResult: VALUES[valueFormat][2] }
          : null,
      ),
      advancement: fc.oneof(
        fc.record({ type: fc.constant('number' as const), value: fc.integer({ min: 1, max: 9 }) }),
        fc.record({ type: fc.constant('percent' as const), value: fc.constantFrom(20, 34, 50, 67, 75) }),
        fc.record({ type: fc.constant('value' as const), value: valuesBelow(valueFormat) }),
      ),
    }),
  );

/** What the entry refuses: attempts behind a cutoff that is not met. */
const isAllowed = ({ cutoff }: Pick<OracleRound, 'cutoff'>, attempts: Attempts): boolean =>
  isCutoffMet(attempts, cutoff) ||
  attempts.slice(cutoff?.numberOfAttempts).every((value) => value === NOT_TAKEN);

const roundsOf = (most: { readonly results: number; readonly absent: number; readonly open: number }) =>
  rulesOf.chain((rules) =>
    fc.record({
      rules: fc.constant(rules),
      results: fc
        .array(attemptsFor(rules, most.open), { minLength: 1, maxLength: most.results })
        .map((all) => all.filter((attempts) => isAllowed(rules, attempts))),
      absent: fc.nat(most.absent),
    }),
  );

const oracleRound = ({
  rules,
  results,
  absent,
}: {
  readonly rules: Pick<OracleRound, 'valueFormat' | 'format' | 'isOpen' | 'cutoff' | 'advancement'>;
  readonly results: readonly Attempts[];
  readonly absent: number;
}): OracleRound => ({ ...rules, results, absent, values: VALUES[rules.valueFormat] });

const prospectsIn = ({ valueFormat, isOpen, results, absent, ...rules }: OracleRound) =>
  prospectsOf({ rules, valueFormat, results, absent, isOpen });

/** So many ways to end that all of them can be tried. */
const MOST_ENDS = 4_000;

describe('prospects', () => {
  it('are what all ways in which the round can end have in common', () => {
    const rounds = fc
      .oneof(
        roundsOf({ results: 6, absent: 4, open: 25 }),
        // Nearly over, as rounds are when somebody looks.
        roundsOf({ results: 12, absent: 2, open: 4 }),
        roundsOf({ results: 16, absent: 0, open: 2 }),
      )
      .map(oracleRound)
      .filter((round) => countEnds(round) <= MOST_ENDS);
    fc.assert(
      fc.property(rounds, (round) => {
        expect(prospectsIn(round)).toEqual(oracleProspects(round));
      }),
      propertyRuns(1_000, 120_000),
    );
  });

  it('are true of any way in which a large round ends', () => {
    const rounds = roundsOf({ results: 40, absent: 8, open: 15 }).map(oracleRound);
    fc.assert(
      fc.property(
        rounds,
        fc.array(fc.integer({ min: 0, max: 0x7fffffff }), { minLength: 30, maxLength: 30 }),
        (round, seeds) => {
          const prospects = prospectsIn(round) ?? [];
          for (const seed of seeds) {
            const advances = oracleEnd(round, seed);
            for (const [index, prospect] of prospects.entries())
              if (prospect !== 'possible')
                expect([index, advances[index]]).toEqual([index, prospect === 'certain']);
          }
        },
      ),
      propertyRuns(150, 120_000),
    );
  });
});
