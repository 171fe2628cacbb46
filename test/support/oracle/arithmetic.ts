/**
 * Best, average and places as the facts of the field state them (docs/domain.md), written anew for the tests: nothing
 * of the server's own scoring is used here, so that agreement between the two means something. Sums are exact
 * (BigInt), and every rule is one line that can be held against its sentence.
 */

export type OracleValueFormat = 'time' | 'number' | 'multi';
export type OracleRoundFormat = '1' | '2' | '3' | '5' | 'm' | 'a';

export interface OracleCutoff {
  readonly numberOfAttempts: number;
  readonly attemptResult: number;
}

const TIME_NOT_KNOWN = 8_640_000;
const TEN_MINUTES = 60_000;

export const attemptsOf = (format: OracleRoundFormat): number =>
  ({ '1': 1, '2': 2, '3': 3, '5': 5, m: 3, a: 5 })[format];

/** The smallest value above 0, else -1. */
export const oracleBest = (attempts: readonly number[]): number => {
  const solved = attempts.filter((value) => value > 0);
  return solved.length === 0 ? -1 : Math.min(...solved);
};

export const meetsCutoff = (attempts: readonly number[], cutoff: OracleCutoff): boolean =>
  attempts.slice(0, cutoff.numberOfAttempts).some((value) => value > 0 && value < cutoff.attemptResult);

/** numerator / denominator to the nearest multiple of `unit`, a half upwards. */
const roundHalfUp = (numerator: number, denominator: number, unit: number): number => {
  const step = 2n * BigInt(denominator) * BigInt(unit);
  return Number((2n * BigInt(numerator) + BigInt(denominator) * BigInt(unit)) / step) * unit;
};

/** The mean of three counting attempts, all of them solved. */
const meanOfThree = (values: readonly number[], format: OracleValueFormat): number => {
  const sum = values.reduce((total, value) => total + value, 0);
  if (format === 'number') return roundHalfUp(100 * sum, 3, 1);
  if (values.includes(TIME_NOT_KNOWN)) return 0;
  return sum > 3 * TEN_MINUTES ? roundHalfUp(sum, 3, 100) : roundHalfUp(sum, 3, 1);
};

/** `attempts` has one value for each attempt of the round's format, 0 where none is in. */
export const oracleAverage = (
  attempts: readonly number[],
  valueFormat: OracleValueFormat,
  cutoff: OracleCutoff | null,
): number => {
  if (attempts.length < 3) return 0;
  if (valueFormat === 'multi') return 0;
  if (attempts.includes(0)) return 0;
  if (cutoff !== null && !meetsCutoff(attempts, cutoff)) return 0;
  const failed = attempts.filter((value) => value < 0).length;
  if (attempts.length === 3) return failed > 0 ? -1 : meanOfThree(attempts, valueFormat);
  if (failed > 1) return -1;
  const slowness = (value: number): number => (value < 0 ? Number.POSITIVE_INFINITY : value);
  const fromBest = [...attempts].sort((a, b) => slowness(a) - slowness(b));
  return meanOfThree(fromBest.slice(1, 4), valueFormat);
};

/** What a round ranks by, first and second; no valid value comes after every valid one. */
export const placeKeys = (
  format: OracleRoundFormat,
  { best, average }: { readonly best: number; readonly average: number },
): readonly [number, number] => {
  const valid = (value: number): number => (value > 0 ? value : Number.MAX_SAFE_INTEGER);
  return format === 'a' || format === 'm' ? [valid(average), valid(best)] : [valid(best), valid(average)];
};
