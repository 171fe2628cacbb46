/**
 * Who gets a score card for a round: who is in it already, and who is to come. For a first round those are all who have
 * a result in the contest, for a later one those who go on from the round before. Teams are known once they have a result
 * in the event.
 */
import type { RoundRef } from '../domain/attempts.js';
import type { PersonView } from '../persons/person.queries.js';
import type { ContestView, RoundView } from './contest.queries.js';

/** A competitor: one person, or a team in its order. */
export type Competitor = readonly PersonView[];

/** By name. `participants`: how many persons are one competitor of the event. */
export const competitorsFor = (
  contest: ContestView,
  { eventId, roundNumber }: RoundRef,
  participants: number,
): readonly Competitor[] => {
  const rounds = contest.events.find((event) => event.eventId === eventId)?.rounds ?? [];
  const inRound = teamsOf(rounds.find((round) => round.roundNumber === roundNumber));
  const before = rounds.findLast((round) => round.roundNumber < roundNumber);
  const toCome = before
    ? before.results.filter(({ advances }) => advances).map(({ persons }) => persons)
    : everybody(contest, participants);
  const byIds = new Map([...inRound, ...toCome].map((team) => [team.map(({ id }) => id).join(), team]));
  return [...byIds.values()].sort((a, b) => compareText(nameOf(a), nameOf(b)));
};

const teamsOf = (round: RoundView | undefined): readonly Competitor[] =>
  round?.results.map(({ persons }) => persons) ?? [];

const everybody = (contest: ContestView, participants: number): readonly Competitor[] =>
  participants > 1
    ? []
    : contest.events
        .flatMap(({ rounds }) => rounds.flatMap(teamsOf))
        .flatMap((team) => team.map((person) => [person]));

const nameOf = (team: Competitor): string => team.map(({ name }) => name).join(', ');

/** The same on every machine: no locale is asked. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
