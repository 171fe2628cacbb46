/**
 * What a round takes from other streams when it decides on competitors: who was merged into whom, and the registrations on the
 * competitor list. They come in with the command, so its decisions stay pure.
 */

import type { RoundRef } from '../../../domain/attempts.js';
import { isCompeting, isRegisteredFor, type Registration } from '../contest/competitor-list.js';
import type { RosterEntry } from './roster.js';

export interface CompetitorFacts {
  /** Merged persons by their ids of before: the ids that they have now. */
  readonly merged: ReadonlyMap<number, number>;
  /** By the id that the person has now. Empty: the contest has no list. */
  readonly registrations: ReadonlyMap<number, Registration>;
}

export const NO_FACTS: CompetitorFacts = { merged: new Map(), registrations: new Map() };

export const presentOf =
  ({ merged }: Pick<CompetitorFacts, 'merged'>) =>
  (personId: number): number =>
    merged.get(personId) ?? personId;

/** Whether the person has withdrawn from the contest, or was dropped from its list. */
export const hasLeft = ({ registrations }: CompetitorFacts, personId: number): boolean => {
  const registration = registrations.get(personId);
  return registration !== undefined && !isCompeting(registration);
};

/**
 * Whether the list keeps the entry out of the round: a person has left the list, or in round 1 the event. `entry`: with the ids
 * that its persons have now.
 */
export const isKeptOut = (
  { personIds, isAdded }: Pick<RosterEntry, 'personIds' | 'isAdded'>,
  { eventId, roundNumber }: RoundRef,
  facts: CompetitorFacts,
): boolean =>
  personIds.some((id) => {
    if (hasLeft(facts, id)) return true;
    const registration = facts.registrations.get(id);
    return (
      roundNumber === 1 && !isAdded && registration !== undefined && !isRegisteredFor(registration, eventId)
    );
  });
