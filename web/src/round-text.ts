/** A round's name and its rules as texts. */
import type { RoundView } from '../../src/competition/contests/contest.queries.js';
import type { RoundFormat, TimeLimit, ValueFormat } from '../../src/domain/attempts.js';
import { countText, dateText, resultText } from './format.js';

/** The plan of a round, without its results. */
type PlannedRound = Omit<RoundView, 'results'>;

/** The association's round types: the final is `f`, or `c` with a cutoff. */
export const roundName = ({ roundTypeId, roundNumber }: PlannedRound): string =>
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
    rules.push(`Top ${advancement.value}${advancement.type === 'percent' ? '%' : ''} advance`);
  }
  return rules;
};

const limitText = ({ centiseconds, cumulativeRounds }: TimeLimit): string => {
  const limit = resultText(centiseconds, 'time');
  return cumulativeRounds.length === 0
    ? `Time limit ${limit}`
    : `Cumulative time limit ${limit} for ${cumulativeRounds.join(', ')}`;
};
