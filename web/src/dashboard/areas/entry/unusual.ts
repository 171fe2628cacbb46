/**
 * Finds values that the rules allow but that are probably typing errors: a digit too many or too few, another competitor's
 * card, a value far off the competitor's own best, the same attempt typed twice, a time after a DNS. The typist is asked to check them, and can save them anyway.
 */
import { DNS, NOT_TAKEN, type ValueFormat } from '../../../../../src/domain/attempts.js';
import { decodeMulti } from '../../../../../src/domain/scoring.js';
import { resultText } from '../../../format.js';

export interface AttemptContext {
  readonly valueFormat: ValueFormat;
  /** The current values of the card. */
  readonly attempts: readonly number[];
  /** The valid singles of the other competitors in the round. */
  readonly singles: readonly number[];
  /** The competitor's best single before the day of the round; null: there is none. */
  readonly ownBest: number | null;
}

const SECOND = 100;
const TEN_MINUTES = 60_000;
/** Factors beyond which an attempt is unlike the others of its card. */
const MUCH_BETTER = 0.5;
const MUCH_WORSE = 3;
/**
 * A value below this share of the competitor's own best is unusual. So is one below this share of the round's best single, when at
 * least MIN_SINGLES competitors have a single.
 */
const FAR_AHEAD = 0.7;
const MIN_SINGLES = 3;
const USUAL_MOVES = { min: 16, max: 80 };

/** Why the value is unusual, as a sentence; null when it is not. */
export const unusualReason = (index: number, surroundings: AttemptContext): string | null => {
  const value = surroundings.attempts[index] ?? NOT_TAKEN;
  if (value <= 0) return null;
  // Who did not start an attempt seldom comes back for the next one.
  if (surroundings.attempts.slice(0, index).includes(DNS)) return 'An attempt before this one is a DNS.';
  switch (surroundings.valueFormat) {
    case 'time':
      return unusualTime(value) ?? unlikeTheOthers(index, value, surroundings);
    case 'number':
      return value < USUAL_MOVES.min || value > USUAL_MOVES.max
        ? `${value} is an unusual number.`
        : (unlikeOwnBest(value, surroundings) ?? unlikeTheRound(value, surroundings));
    case 'multi':
      return unusualMulti(value) ?? manyMorePoints(value, surroundings.ownBest);
    default:
      return surroundings.valueFormat satisfies never;
  }
};

const unusualTime = (value: number): string | null => {
  if (value < SECOND) return `${resultText(value, 'time')} is less than a second.`;
  return value >= TEN_MINUTES && value % 100 !== 0
    ? 'Times of ten minutes or more are in whole seconds.'
    : null;
};

const unlikeTheOthers = (index: number, value: number, surroundings: AttemptContext): string | null => {
  const { attempts } = surroundings;
  const others = attempts.filter((other, at) => at !== index && other > 0);
  if (others.length > 0) {
    if (value < Math.min(...others) * MUCH_BETTER) return 'Less than half of the other attempts.';
    if (value > Math.max(...others) * MUCH_WORSE) return 'More than three times the other attempts.';
    if (attempts[index - 1] === value) return 'The same as the attempt before.';
  }
  return unlikeOwnBest(value, surroundings) ?? unlikeTheRound(value, surroundings);
};

const unlikeOwnBest = (value: number, { ownBest, valueFormat }: AttemptContext): string | null => {
  if (ownBest === null) return null;
  const best = `the competitor's best, ${resultText(ownBest, valueFormat)}`;
  if (value < ownBest * FAR_AHEAD) return `Far better than ${best}.`;
  return value > ownBest * MUCH_WORSE ? `More than three times ${best}.` : null;
};

const unlikeTheRound = (value: number, { singles }: AttemptContext): string | null =>
  singles.length >= MIN_SINGLES && value < Math.min(...singles) * FAR_AHEAD
    ? 'Far better than everybody else in the round.'
    : null;

const MULTI_MINUTES_PER_PUZZLE = 10;
const MULTI_MAX_MINUTES = 60;

const unusualMulti = (value: number): string | null => {
  const multi = decodeMulti(value);
  if (!multi) return null;
  const tried = multi.solved + multi.missed;
  const minutes = Math.min(tried * MULTI_MINUTES_PER_PUZZLE, MULTI_MAX_MINUTES);
  return multi.centiseconds > minutes * 60 * SECOND
    ? `More than the ${minutes} minutes allowed for ${tried} puzzles.`
    : null;
};

const pointsIn = (value: number): number => {
  const multi = decodeMulti(value);
  return multi ? multi.solved - multi.missed : 0;
};

const manyMorePoints = (value: number, ownBest: number | null): string | null =>
  ownBest !== null && pointsIn(ownBest) < pointsIn(value) * FAR_AHEAD
    ? `Far better than the competitor's best, ${resultText(ownBest, 'multi')}.`
    : null;
