/** Rounds that are held, with few values and so with many ties, for properties of prospects and outlooks. */
import fc from 'fast-check';
import { DNF, DNS, NOT_TAKEN, type ValueFormat } from '../../src/domain/attempts.js';
import { attemptsOf, encodeMulti, isCutoffMet } from '../../src/domain/scoring.js';
import type { OracleRound } from './oracle/advancement.js';

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

export const roundsOf = (most: {
  readonly results: number;
  readonly absent: number;
  readonly open: number;
}) =>
  rulesOf.chain((rules) =>
    fc.record({
      rules: fc.constant(rules),
      results: fc
        .array(attemptsFor(rules, most.open), { minLength: 1, maxLength: most.results })
        .map((all) => all.filter((attempts) => isAllowed(rules, attempts))),
      absent: fc.nat(most.absent),
    }),
  );

export const oracleRound = ({
  rules,
  results,
  absent,
}: {
  readonly rules: Pick<OracleRound, 'valueFormat' | 'format' | 'isOpen' | 'cutoff' | 'advancement'>;
  readonly results: readonly Attempts[];
  readonly absent: number;
}): OracleRound => ({ ...rules, results, absent, values: VALUES[rules.valueFormat] });
