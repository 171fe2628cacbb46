/** What the desk reads off the round: somebody's result, what there is to reach, and how results are said. */
import type { RoundResultView, RoundView } from '../../../../../src/competition/contests/contest.queries.js';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type { EntrySheetView } from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import { NOT_TAKEN } from '../../../../../src/domain/attempts.js';
import { attemptsOf, type Scored } from '../../../../../src/domain/scoring.js';
import { averageText, resultText } from '../../../format.js';
import type { Card, CardRules } from './arithmetic.js';

export const teamName = (persons: readonly PersonView[]): string =>
  persons.map(({ name }) => name).join(' & ');

const isOf = ({ persons }: RoundResultView, team: readonly PersonView[]): boolean =>
  persons.length === team.length && persons.every(({ id }, index) => id === team[index]?.id);

export const resultOf = (round: RoundView, team: readonly PersonView[]): RoundResultView | undefined =>
  round.results.find((result) => isOf(result, team));

/** One value for each attempt of the round's format. */
export const attemptsOfResult = (
  result: RoundResultView | null | undefined,
  { format }: RoundView,
): readonly number[] =>
  Array.from({ length: attemptsOf(format) }, (_, index) => result?.attempts[index]?.result ?? NOT_TAKEN);

export const cardRules = (
  { event }: EntrySheetView,
  { format, cutoff, timeLimit }: RoundView,
): CardRules => ({
  format,
  cutoff,
  timeLimit,
  valueFormat: event.format,
});

/** Singles of the others, valid ones. */
export const otherSingles = (team: readonly PersonView[], round: RoundView): readonly number[] =>
  round.results.flatMap((result) => (isOf(result, team) || result.best <= 0 ? [] : [result.best]));

/** The best of the others, and the last of them who goes on. */
export const goalsFor = (
  team: readonly PersonView[],
  { spentElsewhere }: EntrySheetView,
  round: RoundView,
): Pick<Card, 'spentElsewhere' | 'lead' | 'advancing'> => {
  const others = round.results.filter((result) => !isOf(result, team) && result.best > 0);
  const ids = team.map(({ id }) => id).join(',');
  const spent = spentElsewhere.find(({ personIds }) => personIds.join(',') === ids);
  return {
    spentElsewhere: spent?.centiseconds ?? 0,
    lead: scored(others[0]),
    advancing: round.advancement === null ? null : scored(others.findLast(({ advances }) => advances)),
  };
};

const scored = (result: RoundResultView | undefined): Scored | null =>
  result === undefined ? null : { best: result.best, average: result.average };

/** `1:23.45, average 1:30.12`; empty where there is nothing. */
export const scoreText = (
  result: (Scored & { readonly attempts: readonly unknown[] }) | undefined,
  { event }: EntrySheetView,
): string => {
  if (!result || result.attempts.every((attempt) => valueIn(attempt) === NOT_TAKEN)) return '';
  const single = resultText(result.best, event.format);
  const average = averageText(result.average, event.format);
  return average === '' ? single : `${single}, average ${average}`;
};

/** Results of rounds wrap their attempts, those of entry do not. */
const valueIn = (attempt: unknown): unknown =>
  typeof attempt === 'object' && attempt !== null && 'result' in attempt ? attempt.result : attempt;
