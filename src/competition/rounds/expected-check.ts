/**
 * Whom a round takes in a contest with a competitor list. Round 1: those registered for its event, a team when all members
 * are, and those added to its roster. A later round: those on its roster. Neither takes who has quit or withdrawn. A result that
 * is stored already stays correctable. The list and the roster are in folded states: for expected competitors nothing more is loaded.
 */

import { type Problem, refusal } from '../../domain/entry-rules.js';
import type { RoundKey } from '../../domain/references.js';
import type { Rejection } from '../../domain/rejections.js';
import { type CompetitorList, isCompeting, united } from '../aggregates/contest/competitor-list.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import { placeOf } from '../aggregates/round/entry.decider.js';
import { entriesOf, presentRoster, type Roster } from '../aggregates/round/roster.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';
import type { Entrant, EntrantLookup } from './entrant-lookup.js';

interface Expected {
  readonly list: CompetitorList;
  readonly roster: Roster | null;
}

/** All ids of each member of a competitor, the present one first. */
type AllIds = readonly (readonly number[])[];

/**
 * `entrants`: those with attempts to enter. Returns one refusal that names every row; null when all are expected. What
 * cached states refuse is looked up again in the streams.
 */
export const expectedRefusal = async (
  lookup: EntrantLookup,
  round: RoundKey,
  { entrants, list }: { readonly entrants: readonly Entrant[]; readonly list: CompetitorList },
): Promise<Rejection | null> => {
  const { aggregates } = lookup;
  const { roster } = (await aggregates.load(roundAggregate, round)).state;
  const others = entrants.filter(
    ({ personIds }) => problemOf(round, { list, roster }, idsAlone(personIds)) !== null,
  );
  if (others.length === 0) return null;
  const { state: contest } = await aggregates.load(contestAggregate, round, { fresh: true });
  const { state } = await aggregates.load(roundAggregate, round, { fresh: true });
  const problems: Problem[] = [];
  for (const entrant of others) {
    const members = await idsOf(lookup, round, entrant);
    const present = new Map(members.flatMap((ids) => ids.map((id) => [id, ids[0] ?? id])));
    const now = state.roster && presentRoster(state.roster, (id) => present.get(id) ?? id);
    const problem = problemOf(round, { list: contest, roster: now }, members);
    if (problem !== null && placeOf(state, entrant).result === undefined)
      problems.push({ field: entrant.field, ...problem });
  }
  return refusal(problems);
};

const idsAlone = (personIds: readonly number[]): AllIds => personIds.map((personId) => [personId]);

/** While a merge is under way, only the person who is merged tells of it. */
const idsOf = (
  { competitors }: EntrantLookup,
  { spaceId }: RoundKey,
  { personIds, named }: Entrant,
): Promise<AllIds> =>
  Promise.all(
    personIds.map(async (personId, index) => [
      ...new Set([...(await competitors.idsOf(spaceId, personId)), named[index] ?? personId]),
    ]),
  );

type Unexpected = Pick<Problem, 'rule' | 'message'>;

/** Null: the competitor is expected. `roster`: with the ids that these persons have now. */
const problemOf = (round: RoundKey, { list, roster }: Expected, members: AllIds): Unexpected | null => {
  const personIds = members.map(([personId]) => personId ?? 0);
  const entries = entriesOf(roster, personIds);
  const persons = personIds.join(',');
  const notExpected = (message: string): Unexpected => ({ rule: 'not-expected', message });
  if (entries.some(({ mark }) => mark === 'quit'))
    return notExpected(`person ${persons} has quit round ${round.roundNumber}`);
  if (round.roundNumber > 1 && roster !== null && entries.length === 0)
    return notExpected(`person ${persons} is not among those expected in round ${round.roundNumber}`);
  for (const [index, ids] of members.entries()) {
    // A team is on the roster by one entry, or by one for each member.
    const { isAdded = false } = entries[entries.length === 1 ? 0 : index] ?? {};
    const message = registrationProblem(list, { round, ids, isAdded });
    if (message !== null) return { rule: 'not-registered', message: `person ${ids[0]} ${message}` };
  }
  return null;
};

/** `isAdded`: by a moderator. The events of a registration count in round 1 only: who advances is known later. */
const registrationProblem = (
  list: CompetitorList,
  {
    round: { eventId, roundNumber },
    ids,
    isAdded,
  }: { readonly round: RoundKey; readonly ids: readonly number[]; readonly isAdded: boolean },
): string | null => {
  const isTaken = isAdded || roundNumber > 1;
  const registration = united(list, ids);
  if (registration === null) return isTaken ? null : 'is not registered for this contest';
  if (registration.state === 'dropped') return 'is not registered for this contest';
  if (!isCompeting(registration)) return 'has withdrawn from this contest';
  return isTaken || registration.eventIds.includes(eventId) ? null : `is not registered for ${eventId}`;
};
