/**
 * The roster of a round: who is expected in it. It is written when the round opens in a contest with a competitor list,
 * and changed by moderators, or as it follows the list. A round without a roster takes every known person.
 */

import { Map as ImmutableMap } from 'immutable';
import type { RoundRef } from './attempts.js';
import { membersKey } from './references.js';
import { isCompeting, isRegisteredFor, type Registration } from './registrations.js';

/**
 * `no-show`: has not come, and may still. `withdrawn`: has left the competitor list, or the event on it. `quit`: does not
 * compete any more, says a moderator. The last two are not taken. Of two entries of merged persons the first mark counts.
 */
export const ROSTER_MARKS = ['expected', 'no-show', 'withdrawn', 'quit'] as const;
export type RosterMark = (typeof ROSTER_MARKS)[number];

/** What a moderator can mark. */
export const MODERATOR_MARKS = ['expected', 'no-show', 'quit'] as const satisfies readonly RosterMark[];
export type ModeratorMark = (typeof MODERATOR_MARKS)[number];

/** The persons of a competitor. Round 1 of a team event expects persons, whatever their teams. */
export type Members = readonly number[];

export interface RosterEntry {
  readonly personIds: Members;
  readonly mark: RosterMark;
  /** A moderator has put the competitor here, so the events of the competitor list do not matter. */
  readonly isAdded?: true;
}

/** Whether the competitor is not taken any more. */
export const isGone = ({ mark }: Pick<RosterEntry, 'mark'>): boolean =>
  mark === 'quit' || mark === 'withdrawn';

/** By the key of its members. */
export type Roster = ImmutableMap<string, RosterEntry>;

export const rosterOf = (competitors: readonly RosterEntry[]): Roster =>
  ImmutableMap(competitors.map((entry) => [membersKey(entry.personIds), entry]));

/** The entries that a competitor is on the roster by: its own, or those of its members. Empty when one has none. */
export const entriesOf = (roster: Roster | null, personIds: Members): readonly RosterEntry[] => {
  const own = roster?.get(membersKey(personIds));
  if (own !== undefined) return [own];
  const members = personIds.map((personId) => roster?.get(membersKey([personId])));
  return members.every((entry) => entry !== undefined) ? members : [];
};

// --- merged persons -------------------------------------------------------------------------------------------------

/** The id that a person has now. */
type PresentOf = (personId: number) => number;

/** The entries by the key of whom they are now: merged persons may have several. */
export const presentEntries = (
  roster: Roster,
  presentOf: PresentOf,
): ReadonlyMap<string, readonly RosterEntry[]> => {
  const entries = new Map<string, readonly RosterEntry[]>();
  for (const entry of roster.values()) {
    const personIds = entry.personIds.map(presentOf);
    // A team of one person twice cannot compete.
    if (new Set(personIds).size < personIds.length) continue;
    const key = membersKey(personIds);
    entries.set(key, [...(entries.get(key) ?? []), entry]);
  }
  return entries;
};

/** The roster with merged persons as whom they became. */
export const presentRoster = (roster: Roster, presentOf: PresentOf): Roster => {
  if (roster.every(({ personIds }) => personIds.every((id) => presentOf(id) === id))) return roster;
  const united = [...presentEntries(roster, presentOf)].map(([key, entries]): [string, RosterEntry] => {
    const [first, ...others] = entries.toSorted(
      (a, b) => ROSTER_MARKS.indexOf(a.mark) - ROSTER_MARKS.indexOf(b.mark),
    );
    if (first === undefined) throw new Error(`no entry of the roster is ${key}`);
    const isAdded = [first, ...others].some((entry) => entry.isAdded);
    const personIds = first.personIds.map(presentOf);
    return [key, { personIds, mark: first.mark, ...(isAdded && { isAdded }) }];
  });
  return ImmutableMap(united);
};

// --- facts of other streams ------------------------------------------------------------------------------------------

// What a round takes from other streams when it decides on competitors. They come in with the command, so its decisions stay
// pure.

export interface CompetitorFacts {
  /** Merged persons by their ids of before: the ids that they have now. */
  readonly merged: ReadonlyMap<number, number>;
  /** By the id that the person has now. Empty: the contest has no list. */
  readonly registrations: ReadonlyMap<number, Registration>;
}

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
