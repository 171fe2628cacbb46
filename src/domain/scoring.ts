/**
 * The arithmetic of results: what an attempt's value may be, single and average, cutoffs and time limits, and places
 * within a round. Everything that shows a number computes it here, so that entry,
 * rankings, contest pages and exports cannot disagree.
 */
import {
  type Cutoff,
  DNF,
  DNS,
  MAX_VALUE,
  NOT_TAKEN,
  type RoundFormat,
  TIME_NOT_KNOWN,
  type ValueFormat,
} from './attempts.js';

const ATTEMPTS: Readonly<Record<RoundFormat, number>> = { '1': 1, '2': 2, '3': 3, '5': 5, m: 3, a: 5 };

/** How many attempts a round of this format has. */
export const attemptsOf = (format: RoundFormat): number => ATTEMPTS[format];

/** Formats `a` and `m` rank by average, then single; the others by single, then average. */
export const ranksByAverage = (format: RoundFormat): boolean => format === 'a' || format === 'm';

/** One value for each attempt of the format: 0 where none is in, nothing beyond the format. */
export const padded = (attempts: readonly number[], format: RoundFormat): readonly number[] => {
  const length = attemptsOf(format);
  if (attempts.length === length) return attempts;
  return Array.from({ length }, (_, index) => attempts[index] ?? NOT_TAKEN);
};

// --- values ---------------------------------------------------------------------------------------------------------

/** A decoded multi value: points = solved - missed. */
export interface MultiValue {
  readonly solved: number;
  readonly missed: number;
  readonly points: number;
  readonly centiseconds: number;
  /** The details of a DNF are kept as the negated number. */
  readonly dnf: boolean;
}

const MISSED = 10_000;
const CENTISECONDS = 10_000_000;
const MAX_POINTS = 9_999;

/**
 * Decodes a multi value. Returns null for DNF and DNS without details, for no attempt, and for an impossible
 * value.
 */
export const decodeMulti = (value: number): MultiValue | null => {
  if (!Number.isInteger(value) || (value <= 0 && value >= DNS)) return null;
  const magnitude = Math.abs(value);
  const missed = magnitude % MISSED;
  const centiseconds = Math.floor(magnitude / MISSED) % CENTISECONDS;
  const points = MAX_POINTS - Math.floor(magnitude / (MISSED * CENTISECONDS));
  const solved = points + missed;
  const possible = solved >= 0 && solved <= MAX_POINTS && solved + missed > 0;
  return possible ? { solved, missed, points, centiseconds, dnf: value < 0 } : null;
};

/** Encodes a multi value: `(9999 - points)`, 7 digits of centiseconds, 4 digits of missed; negated for a DNF. */
export const encodeMulti = (value: Omit<MultiValue, 'points'>): number => {
  const magnitude =
    (MAX_POINTS - (value.solved - value.missed)) * CENTISECONDS * MISSED +
    value.centiseconds * MISSED +
    value.missed;
  return value.dnf ? -magnitude : magnitude;
};

/** Returns why a value cannot be an attempt of this format, or null when it can. */
export const valueProblem = (value: number, format: ValueFormat): string | null => {
  if (!Number.isInteger(value)) return 'must be an integer';
  if (value > MAX_VALUE) return `must be at most ${MAX_VALUE}`;
  if (value >= DNS && value <= NOT_TAKEN) return null;
  if (format !== 'multi') return value < DNS ? 'must be at least -2 (-1 is DNF, -2 is DNS)' : null;
  return decodeMulti(value) === null
    ? 'must be 4 digits of 9999 minus points, 7 of centiseconds and 4 of missed, negated for a DNF'
    : null;
};

// --- single and average ---------------------------------------------------------------------------------------------

/** Returns the best value of the attempts, -1 when none is valid. */
export const singleOf = (attempts: readonly number[]): number => {
  let best = Number.POSITIVE_INFINITY;
  for (const value of attempts) if (value > 0 && value < best) best = value;
  return best === Number.POSITIVE_INFINITY ? DNF : best;
};

/** Returns whether one of the first attempts is strictly below the cutoff. True without a cutoff. */
export const isCutoffMet = (attempts: readonly number[], cutoff: Cutoff | null): boolean =>
  cutoff === null ||
  attempts.slice(0, cutoff.numberOfAttempts).some((value) => value > 0 && value < cutoff.attemptResult);

/** Returns whether every attempt that the result may have is in: up to the cutoff as long as it is not met. */
export const isComplete = (
  attempts: readonly number[],
  { format, cutoff }: Pick<AverageRules, 'format' | 'cutoff'>,
): boolean => {
  const isWhole = cutoff === null || isCutoffMet(attempts, cutoff);
  const allowed = padded(attempts, format).slice(0, isWhole ? undefined : cutoff.numberOfAttempts);
  return allowed.every((value) => value !== NOT_TAKEN);
};

export interface AverageRules {
  readonly format: RoundFormat;
  readonly valueFormat: ValueFormat;
  readonly cutoff: Cutoff | null;
}

const TEN_MINUTES = 60_000;
const A_SECOND = 100;

/** The mean, rounded half up to a multiple of the unit. It stays in integers, so it is exact. */
const roundedMean = (sum: number, count: number, unit: number): number =>
  Math.floor((2 * sum + count * unit) / (2 * count * unit)) * unit;

/**
 * The mean of counted attempts, as an average has it. The mean of times is rounded once: 10:00.49667 becomes 10:00, not first
 * 10:00.50.
 */
export const meanOf = (counting: readonly number[], valueFormat: ValueFormat): number =>
  meanOfSum(
    counting.reduce((total, value) => total + value, 0),
    counting.length,
    valueFormat,
  );

const meanOfSum = (sum: number, count: number, valueFormat: ValueFormat): number => {
  if (valueFormat === 'number') return roundedMean(100 * sum, count, 1);
  return roundedMean(sum, count, sum > count * TEN_MINUTES ? A_SECOND : 1);
};

/** The indexes of the best and of the worst of five attempts; -1 for three, which all count. */
const droppedIn = (attempts: readonly number[]): readonly [best: number, worst: number] => {
  if (attempts.length === 3) return [-1, -1];
  let [best, worst] = [0, attempts.length - 1];
  for (let index = 0; index < attempts.length; index += 1) {
    const value = worth(attempts[index] ?? 0);
    if (value < worth(attempts[best] ?? 0)) best = index;
    // Where all are equal, the first and the last are dropped.
    if (value > worth(attempts[worst] ?? 0)) worst = index;
  }
  return [best, worst];
};

/** In ascending order, a DNF being the worst. */
export const withoutBestAndWorst = (attempts: readonly number[]): readonly number[] =>
  attempts.toSorted((a, b) => ascending(worth(a), worth(b))).slice(1, -1);

/**
 * The average: Ao5 for five attempts, Mo3 for three. In time events it is rounded half up to a centisecond, above ten
 * minutes to a second; in number events it is 100 times the mean. -1: too many attempts are DNF or DNS.
 * 0: there is none, because attempts are missing, the cutoff was not met, the format has fewer than three attempts,
 * a time that is not known would count, or the event is a multi event.
 */
export const averageOf = (
  attempts: readonly number[],
  { format, valueFormat, cutoff }: AverageRules,
): number => {
  const values = padded(attempts, format);
  if (valueFormat === 'multi' || values.length < 3) return 0;
  if (values.includes(NOT_TAKEN) || !isCutoffMet(values, cutoff)) return 0;
  // Without a new array: every entry, every replay and every search for a needed value computes averages.
  const [best, worst] = droppedIn(values);
  let [sum, count, isKnown] = [0, 0, true];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? NOT_TAKEN;
    if (index === best || index === worst) continue;
    if (value < 0) return DNF;
    if (value === TIME_NOT_KNOWN) isKnown = false;
    sum += value;
    count += 1;
  }
  return isKnown || valueFormat !== 'time' ? meanOfSum(sum, count, valueFormat) : 0;
};

// --- limits ---------------------------------------------------------------------------------------------------------

/** The time that counts against a limit. A DNF and an unknown time count as 0. */
export const timeSpent = (value: number): number => (value > 0 && value !== TIME_NOT_KNOWN ? value : 0);

/** The sum of the known times in centiseconds, for a cumulative time limit. */
export const timeSpentOn = (attempts: readonly number[]): number =>
  attempts.reduce((total, value) => total + timeSpent(value), 0);

/** Returns the numbers (from 1) of the attempts taken after those of the cutoff. */
export const attemptsBehindCutoff = (
  attempts: readonly number[],
  cutoff: Cutoff | null,
): readonly number[] =>
  cutoff === null
    ? []
    : attempts.flatMap((value, index) =>
        index >= cutoff.numberOfAttempts && value !== NOT_TAKEN ? [index + 1] : [],
      );

// --- places ---------------------------------------------------------------------------------------------------------

/** The values that decide a place within a round. */
export interface Scored {
  readonly best: number;
  readonly average: number;
}

/** Lower is better; infinite without a valid value. */
export const worth = (value: number): number => (value > 0 ? value : Number.POSITIVE_INFINITY);

const ascending = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

/** Order within a round: negative where `a` is ahead, 0 where both share a place. Without a valid value: last. */
export const compareScores = (format: RoundFormat, a: Scored, b: Scored): number => {
  const byBest = ascending(worth(a.best), worth(b.best));
  const byAverage = ascending(worth(a.average), worth(b.average));
  return ranksByAverage(format) ? byAverage || byBest : byBest || byAverage;
};

/** RANK() within a round, for each score in the order given: equals share a place and the next is skipped. */
export const placesOf = (scores: readonly Scored[], format: RoundFormat): readonly number[] => {
  const order = scores.map((score, index) => ({ score, index }));
  order.sort((a, b) => compareScores(format, a.score, b.score));
  const places = new Array<number>(scores.length).fill(1);
  let place = 1;
  let ahead: Scored | undefined;
  for (const [position, { score, index }] of order.entries()) {
    if (ahead === undefined || compareScores(format, ahead, score) !== 0) place = position + 1;
    places[index] = place;
    ahead = score;
  }
  return places;
};
