/**
 * Decides who gets a score card for a round: its present competitors and those who are expected. For a first round
 * these are all competitors of the contest, for a later round those who advance. A team is known once it has a result
 * in the event.
 */
import type { RoundRef } from '../../domain/attempts.js';
import { textOrder } from '../../domain/text-order.js';
import type { PersonView } from '../persons/person.queries.js';
import type { CompetitorView, ContestView, RoundView } from './contest.queries.js';

/** A competitor: one person, or a team in its order. */
export type Competitor = readonly PersonView[];

/** The competitors of a contest, and how many persons form one competitor in the event. */
export interface Field {
  readonly listed: readonly CompetitorView[];
  readonly participants: number;
}

/** Sorted by number, then those without a number by name. */
export const competitorsFor = (
  contest: ContestView,
  { eventId, roundNumber }: RoundRef,
  { listed, participants }: Field,
): readonly Competitor[] => {
  const rounds = contest.events.find((event) => event.eventId === eventId)?.rounds ?? [];
  const inRound = teamsOf(rounds.find((round) => round.roundNumber === roundNumber));
  const before = rounds.findLast((round) => round.roundNumber < roundNumber);
  const toCome = before
    ? before.results.filter(({ advances }) => advances).map(({ persons }) => persons)
    : participants > 1
      ? []
      : listed.map(({ person }) => [person]);
  const byIds = new Map([...inRound, ...toCome].map((team) => [team.map(({ id }) => id).join(), team]));
  const numbers = numbersOf(listed);
  const numberOf = (team: Competitor): number =>
    Math.min(...team.map(({ id }) => numbers.get(id) ?? Number.MAX_SAFE_INTEGER));
  return [...byIds.values()].sort((a, b) => numberOf(a) - numberOf(b) || textOrder(nameOf(a), nameOf(b)));
};

/** The lowest number of each person who has one, by person id. */
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
