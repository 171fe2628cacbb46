/**
 * Decides who gets a score card for a round: its present competitors and those who are expected. These are those on its
 * roster; before it has one, for a first round those registered for the event, or all competitors of a contest without a
 * list, for a later round those who advance. A team is known once it has a result in the event.
 */
import type { RoundRef } from '../../domain/attempts.js';
import { isGone } from '../../domain/roster.js';
import { textOrder } from '../../domain/text-order.js';
import type { PersonView } from '../persons/person.queries.js';
import type { CompetitorView, ContestView, RoundRosterView, RoundView } from './contest.queries.js';

/** A competitor: one person, or a team in its order. */
export type Competitor = readonly PersonView[];

/** The competitors of a contest, and how many persons form one competitor in the event. */
export interface Field {
  readonly listed: readonly CompetitorView[];
  /** Who is registered for the event; null: the contest has no list. */
  readonly registered: readonly PersonView[] | null;
  readonly participants: number;
}

/** Sorted by number, then those without a number by name. */
export const competitorsFor = (
  contest: ContestView,
  { eventId, roundNumber }: RoundRef,
  field: Field,
): readonly Competitor[] => {
  const { listed } = field;
  const rounds = contest.events.find((event) => event.eventId === eventId)?.rounds ?? [];
  const round = rounds.find((planned) => planned.roundNumber === roundNumber);
  const before = rounds.findLast((planned) => planned.roundNumber < roundNumber);
  const toCome = round?.roster ? stillToCome(round.roster, field) : expectedIn(before, field);
  const byIds = new Map(
    [...teamsOf(round), ...toCome].map((team) => [team.map(({ id }) => id).join(), team]),
  );
  const numbers = numbersOf(listed);
  const numberOf = (team: Competitor): number =>
    Math.min(...team.map(({ id }) => numbers.get(id) ?? Number.MAX_SAFE_INTEGER));
  return [...byIds.values()].sort((a, b) => numberOf(a) - numberOf(b) || textOrder(nameOf(a), nameOf(b)));
};

/** Round 1 of a team event has single persons on its roster, whose teams are not known. */
const stillToCome = ({ missing }: RoundRosterView, { participants }: Field): readonly Competitor[] =>
  missing.flatMap((entry) => (isGone(entry) || entry.persons.length !== participants ? [] : [entry.persons]));

/** `before`: the round before; undefined for a first round. */
const expectedIn = (before: RoundView | undefined, field: Field): readonly Competitor[] => {
  if (before) return before.results.filter(({ advances }) => advances).map(({ persons }) => persons);
  if (field.participants > 1) return [];
  const persons = field.registered ?? field.listed.map(({ person }) => person);
  return persons.map((person) => [person]);
};

/** The number of each person who has one, by person id. `listed`: as ListCompetitors gives them. */
export const numbersOf = (listed: readonly CompetitorView[]): ReadonlyMap<number, number> => {
  const numbers = new Map<number, number>();
  for (const { number, person } of listed) {
    if (number !== null && !numbers.has(person.id)) numbers.set(person.id, number);
  }
  return numbers;
};

const teamsOf = (round: RoundView | undefined): readonly Competitor[] =>
  round?.results.map(({ persons }) => persons) ?? [];

const nameOf = (team: Competitor): string => team.map(({ name }) => name).join(', ');
