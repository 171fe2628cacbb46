/** A round's name, its rules, and how far it is, as texts. */
import type {
  RoundProgress,
  RoundRosterView,
  RoundView,
} from '../../src/competition/contests/contest.queries.js';
import type { RoundFormat, RoundRules, TimeLimit, ValueFormat } from '../../src/domain/attempts.js';
import { ranksByAverage } from '../../src/domain/scoring.js';
import { averageText, countText, dateText, resultText } from './format.js';

/** The plan of a round, without its results. */
type PlannedRound = Omit<RoundView, 'results'>;

/** The association's round types: the final is `f`, or `c` with a cutoff. */
export const roundName = ({
  roundTypeId,
  roundNumber,
}: Pick<PlannedRound, 'roundTypeId' | 'roundNumber'>): string =>
  roundTypeId === 'f' || roundTypeId === 'c' ? 'Final' : `Round ${roundNumber}`;

export const FORMAT_NAMES: Readonly<Record<RoundFormat, string>> = {
  '1': 'Best of 1',
  '2': 'Best of 2',
  '3': 'Best of 3',
  '5': 'Best of 5',
  m: 'Mean of 3',
  a: 'Average of 5',
};

export const ruleTexts = (
  { format, date, timeLimit, cutoff, advancement }: PlannedRound,
  values: ValueFormat,
): string[] => {
  const rules = [FORMAT_NAMES[format]];
  if (date !== null) rules.push(dateText(date));
  if (timeLimit !== null) rules.push(limitText(timeLimit));
  if (cutoff !== null) {
    const value = resultText(cutoff.attemptResult, values);
    rules.push(`Cutoff: under ${value} in ${countText(cutoff.numberOfAttempts, 'attempt')}`);
  }
  if (advancement !== null) {
    const text = advancementText({ format, advancement }, values);
    rules.push(advancement.type === 'value' ? `All ${text} advance` : `Top ${text} advance`);
  }
  return rules;
};

/** As a user types it: `16`, `75%`, `under 10.00`. */
export const advancementText = (
  { format, advancement }: Pick<RoundRules, 'format' | 'advancement'>,
  values: ValueFormat,
): string => {
  if (advancement === null) return '';
  const { type, value } = advancement;
  if (type !== 'value') return type === 'percent' ? `${value}%` : String(value);
  return `under ${ranksByAverage(format) ? averageText(value, values) : resultText(value, values)}`;
};

const limitText = ({ centiseconds, cumulativeRounds }: TimeLimit): string => {
  const limit = resultText(centiseconds, 'time');
  return cumulativeRounds.length === 0
    ? `Time limit ${limit}`
    : `Cumulative time limit ${limit} for ${cumulativeRounds.join(', ')}`;
};

/** `12 of 16 entered, 11 complete`; without the second part where all that are entered are complete. */
export const progressText = ({ entered, expected, complete }: RoundProgress): string => {
  const text = `${entered} of ${expected} entered`;
  return complete === entered ? text : `${text}, ${complete} complete`;
};

/** Those who are missing are named only where they are few. */
const MAX_NAMED = 8;

/** Null when no competitor is missing. */
export const missingText = ({ missing }: RoundRosterView): string | null => {
  const awaited = missing.filter(({ mark }) => mark === 'expected');
  if (awaited.length === 0) return null;
  if (awaited.length > MAX_NAMED) return `${awaited.length} missing`;
  return `Missing: ${awaited.map(({ persons }) => persons.map(({ name }) => name).join(', ')).join('; ')}`;
};

/** Null when the places are final, or there are none. */
export const provisionalText = ({ provisional, open, results }: RoundView): string | null => {
  if (!provisional || results.length === 0) return null;
  return open
    ? 'Places are provisional while the round is open.'
    : 'Places are provisional: results are missing.';
};
