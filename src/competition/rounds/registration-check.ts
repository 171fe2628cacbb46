/**
 * Round 1 of a contest with a competitor list takes the competitors who are registered for its event, a team when all
 * members are. A result that is stored already stays correctable, whatever became of the registration. The list is in the
 * contest's folded state: for registered competitors nothing more is loaded.
 */

import { refusal } from '../../domain/entry-rules.js';
import type { RoundKey } from '../../domain/references.js';
import type { Rejection } from '../../domain/rejections.js';
import { type CompetitorList, hasList, isCompeting, united } from '../aggregates/contest/competitor-list.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import { placeOf } from '../aggregates/round/result-place.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';
import type { Entrant, EntrantLookup } from './entrant-lookup.js';

interface Refused {
  readonly entrant: Entrant;
  readonly message: string;
}

/** Whether the round takes registered competitors only. */
export const expectsRegistered = ({ roundNumber }: RoundKey, list: CompetitorList): boolean =>
  roundNumber === 1 && hasList(list);

/**
 * `entrants`: those with attempts to enter. Returns the refusal `not-registered`, naming every row; null when all are
 * registered. What a cached state refuses is looked up again in the streams.
 */
export const registrationRefusal = async (
  lookup: EntrantLookup,
  round: RoundKey,
  { entrants, list }: { readonly entrants: readonly Entrant[]; readonly list: CompetitorList },
): Promise<Rejection | null> => {
  const others = entrants.filter(({ personIds }) =>
    personIds.some((personId) => problemOf(list, round.eventId, [personId]) !== null),
  );
  if (others.length === 0) return null;
  const { state: current } = await lookup.aggregates.load(contestAggregate, round, { fresh: true });
  const refused: Refused[] = [];
  for (const entrant of others) {
    const message = await problemWith(lookup, round, { entrant, list: current });
    if (message !== null && !(await isStored(lookup, round, entrant))) refused.push({ entrant, message });
  }
  return refusal(
    refused.map(({ entrant: { field }, message }) => ({ field, rule: 'not-registered', message })),
  );
};

/** Of any member; null: all are registered, under one of their ids. */
const problemWith = async (
  { competitors }: EntrantLookup,
  { spaceId, eventId }: RoundKey,
  { entrant, list }: { readonly entrant: Entrant; readonly list: CompetitorList },
): Promise<string | null> => {
  for (const [index, personId] of entrant.personIds.entries()) {
    // While a merge is under way, only the person who is merged tells of it.
    const named = entrant.named[index] ?? personId;
    const ids = new Set([...(await competitors.idsOf(spaceId, personId)), named]);
    const problem = problemOf(list, eventId, [...ids]);
    if (problem !== null) return `person ${personId} ${problem}`;
  }
  return null;
};

const problemOf = (list: CompetitorList, eventId: string, personIds: readonly number[]): string | null => {
  const registration = united(list, personIds);
  if (registration === null || registration.state === 'dropped') return 'is not registered for this contest';
  if (!isCompeting(registration)) return 'has withdrawn from this contest';
  return registration.eventIds.includes(eventId) ? null : `is not registered for ${eventId}`;
};

const isStored = async (
  { aggregates }: EntrantLookup,
  round: RoundKey,
  entrant: Entrant,
): Promise<boolean> => {
  const { state } = await aggregates.load(roundAggregate, round);
  if (placeOf(state, entrant).result !== undefined) return true;
  const { state: current } = await aggregates.load(roundAggregate, round, { fresh: true });
  return placeOf(current, entrant).result !== undefined;
};
