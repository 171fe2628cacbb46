/** What the desk takes from the round: a team's result, the goals to reach, and results as texts. A person is a team of one. */
import type { RoundResultView, RoundView } from '../../../../../src/competition/contests/contest.queries.js';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type { EntrySheetView } from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import { NOT_TAKEN } from '../../../../../src/domain/attempts.js';
import { attemptsOf, type Scored } from '../../../../../src/domain/scoring.js';
import { averageText, resultText } from '../../../format.js';
import type { Card, CardRules } from './arithmetic.js';

export const teamName = (persons: readonly PersonView[]): string =>
  persons.map(({ name }) => name).join(' & ');

const idsOf = (persons: readonly PersonView[]): string => persons.map(({ id }) => id).join();

const memberIds = (personIds: readonly number[]): string => personIds.toSorted((a, b) => a - b).join();

const membersOf = (persons: readonly PersonView[]): string => memberIds(persons.map(({ id }) => id));

/** The members identify a team, whatever their order. A round of before may hold it in two orders. */
export const resultOf = (round: RoundView, team: readonly PersonView[]): RoundResultView | undefined =>
  round.results.find(({ persons }) => idsOf(persons) === idsOf(team)) ??
  round.results.find(({ persons }) => membersOf(persons) === membersOf(team));

/** Why the round does not take the team: it is not expected, or it does not compete any more. */
export type Unexpected = 'not-expected' | 'quit' | 'withdrawn';

/** Null: the round expects the team, has a result of it, or takes every known person. */
export const unexpected = (round: RoundView, team: readonly PersonView[]): Unexpected | null => {
  if (round.roster === null || resultOf(round, team) !== undefined) return null;
  const { missing } = round.roster;
  const own = missing.find(({ persons }) => membersOf(persons) === membersOf(team));
  // Round 1 of a team event expects persons. Those in another team have a result by it.
  const members = team.map((person) => missing.find(({ persons }) => idsOf(persons) === idsOf([person])));
  const marks = (own === undefined ? members : [own]).map((entry) => entry?.mark);
  if (marks.includes(undefined)) return 'not-expected';
  if (marks.includes('withdrawn')) return 'withdrawn';
  return marks.includes('quit') ? 'quit' : null;
};

const othersOf = (team: readonly PersonView[], round: RoundView): readonly RoundResultView[] => {
  const own = resultOf(round, team);
  return round.results.filter((result) => result !== own);
};

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
  eventId: event.eventId,
  format,
  cutoff,
  timeLimit,
  valueFormat: event.format,
});

/** The valid singles of the other competitors. */
export const otherSingles = (team: readonly PersonView[], round: RoundView): readonly number[] =>
  othersOf(team, round).flatMap(({ best }) => (best <= 0 ? [] : [best]));

/** The scores of the best other competitor and of the last other one who advances, and the team's time in other rounds. */
export const goalsFor = (
  team: readonly PersonView[],
  { spentElsewhere }: EntrySheetView,
  round: RoundView,
): Pick<Card, 'spentElsewhere' | 'lead' | 'advancing'> => {
  const others = othersOf(team, round).filter(({ best }) => best > 0);
  const spent = spentElsewhere.find(({ personIds }) => memberIds(personIds) === membersOf(team));
  return {
    spentElsewhere: spent?.centiseconds ?? 0,
    lead: scored(others[0]),
    advancing: round.advancement === null ? null : scored(others.findLast(({ advances }) => advances)),
  };
};

const scored = (result: RoundResultView | undefined): Scored | null =>
  result === undefined ? null : { best: result.best, average: result.average };

/** `1:23.45, average 1:30.12`; empty when there are no attempts. */
export const scoreText = (
  result: (Scored & { readonly attempts: readonly unknown[] }) | undefined,
  { event }: EntrySheetView,
): string => {
  if (!result || result.attempts.every((attempt) => valueIn(attempt) === NOT_TAKEN)) return '';
  const single = resultText(result.best, event.format);
  const average = averageText(result.average, event.format);
  return average === '' ? single : `${single}, average ${average}`;
};

/** Attempts are objects in results of rounds, and plain values in results of entry. */
const valueIn = (attempt: unknown): unknown =>
  typeof attempt === 'object' && attempt !== null && 'result' in attempt ? attempt.result : attempt;
