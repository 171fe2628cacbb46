/**
 * Searches the worst value of a next attempt that is enough, whatever it is to be enough for. What is enough stays so for every
 * better value, so the search halves what is left.
 */
import { BEST_VALUE } from './advancement.js';
import {
  DNF,
  FEWEST_MOVES,
  MAX_MOVES,
  MAX_VALUE,
  type RoundRules,
  TIME_NOT_KNOWN,
  type ValueFormat,
} from './attempts.js';
import { averageOf, decodeMulti, encodeMulti, type Scored, singleOf } from './scoring.js';

export interface HallRound {
  readonly eventId: string;
  readonly valueFormat: ValueFormat;
  readonly rules: Pick<RoundRules, 'format' | 'cutoff' | 'advancement' | 'timeLimit'>;
  /** The attempts of each result. */
  readonly results: readonly (readonly number[])[];
  /** Number of competitors who are expected and have no result; null: the round has no roster, so no competitor has a prospect. */
  readonly absent: number | null;
}

/** A competitor with open attempts. */
export interface Seat {
  readonly round: HallRound;
  readonly attempts: readonly number[];
  /** The attempts with a value in those that the needs are of. */
  readonly after: (value: number) => readonly number[];
  /** The worst value that they may have. */
  readonly most: number;
}

export const scoreOf = (attempts: readonly number[], { rules, valueFormat }: HallRound): Scored => {
  const { format, cutoff } = rules;
  return { best: singleOf(attempts), average: averageOf(attempts, { format, cutoff, valueFormat }) };
};

const MOST: Readonly<Record<ValueFormat, number>> = {
  time: TIME_NOT_KNOWN - 1,
  // Averages of such counts are exact integers.
  number: 1_000_000_000_000,
  multi: MAX_VALUE,
};

/** Returns the worst value that may be had. `spent`: against a cumulative limit. `times`: how often the value is taken. */
export const worstValue = ({ eventId, valueFormat, rules }: HallRound, spent: number, times = 1): number => {
  const most = valueFormat === 'number' && eventId === FEWEST_MOVES ? MAX_MOVES : MOST[valueFormat];
  if (rules.timeLimit === null || valueFormat !== 'time') return most;
  const { centiseconds, cumulativeRounds } = rules.timeLimit;
  const left =
    cumulativeRounds.length > 0 ? Math.floor((centiseconds - spent - 1) / times) : centiseconds - 1;
  return Math.min(most, left);
};

// --- search ---------------------------------------------------------------------------------------------------------

/**
 * The worst value that is enough. `success`: every valid value is, a DNF is not. `any`: a DNF is enough too. Null: no value is.
 */
export type Need = number | 'success' | 'any' | null;

/** `isEnough`: of the attempts with the value; what is enough stays so for every better value. */
export const needOf = (
  { round: { valueFormat }, after, most }: Seat,
  isEnough: (attempts: readonly number[]) => boolean,
): Need => {
  const isValueEnough = (value: number): boolean => isEnough(after(value));
  if (isValueEnough(DNF)) return 'any';
  const best = BEST_VALUE[valueFormat];
  if (most < best || !isValueEnough(best)) return null;
  if (isValueEnough(most)) return 'success';
  const enough = worstEnough(isValueEnough, { best, tooMuch: most });
  return valueFormat === 'multi' ? multiUpTo(enough) : enough;
};

/**
 * Returns the worst integer that is enough. `best` is enough, `tooMuch` is not, and every value better than one that is enough is
 * enough too.
 */
export const worstEnough = (
  isEnough: (value: number) => boolean,
  { best, tooMuch }: { readonly best: number; readonly tooMuch: number },
): number => {
  let [enough, notEnough] = [best, tooMuch];
  while (notEnough - enough > 1) {
    const middle = Math.floor((enough + notEnough) / 2);
    if (isEnough(middle)) enough = middle;
    else notEnough = middle;
  }
  return enough;
};

const MOST_CUBES = 9_999;
const LATEST = 9_999_999;

/** The worst multi value that is no worse than this number, which may be none. Not for numbers better than the best value. */
const multiUpTo = (number: number): number => {
  if (decodeMulti(number) !== null) return number;
  const missed = number % 10_000;
  const centiseconds = Math.floor(number / 10_000) % 10_000_000;
  const points = MOST_CUBES - Math.floor(number / 100_000_000_000);
  const most = MOST_CUBES - points;
  if (missed > most) return encodeMulti({ solved: points + most, missed: most, centiseconds, dnf: false });
  // Nothing solved and nothing missed is no result.
  return centiseconds > 0
    ? encodeMulti({ solved: MOST_CUBES, missed: MOST_CUBES, centiseconds: centiseconds - 1, dnf: false })
    : encodeMulti({ solved: MOST_CUBES, missed: MOST_CUBES - 1, centiseconds: LATEST, dnf: false });
};
