/**
 * The roster of a round: who is expected in it. It is written when the round opens in a contest with a competitor list,
 * and changed by moderators only. A round without a roster takes every known person.
 */

import { Map as ImmutableMap } from 'immutable';
import { membersKey } from './competitor-key.js';

/** `no-show`: has not come, and may still. `quit`: does not compete in this round, and is not taken. */
export const ROSTER_MARKS = ['expected', 'no-show', 'quit'] as const;
export type RosterMark = (typeof ROSTER_MARKS)[number];

/** The persons of a competitor. Round 1 of a team event expects persons, whatever their teams. */
export type Members = readonly number[];

export interface RosterEntry {
  readonly personIds: Members;
  readonly mark: RosterMark;
}

export type RosterEvent =
  | { readonly type: 'RosterSet'; readonly data: { readonly competitors: readonly Members[] } }
  | { readonly type: 'RosterExtended'; readonly data: { readonly competitors: readonly Members[] } }
  | {
      readonly type: 'RosterMarked';
      readonly data: { readonly competitors: readonly Members[]; readonly mark: RosterMark };
    };

/** By the key of its members. */
export type Roster = ImmutableMap<string, RosterEntry>;

export const rosterOf = (competitors: readonly RosterEntry[]): Roster =>
  ImmutableMap(competitors.map((entry) => [membersKey(entry.personIds), entry]));

/** The entries that a competitor is on the roster by: its own, or those of its members. Empty when one has none. */
export const entriesOf = (roster: Roster, personIds: Members): readonly RosterEntry[] => {
  const own = roster.get(membersKey(personIds));
  if (own !== undefined) return [own];
  const members = personIds.map((personId) => roster.get(membersKey([personId])));
  return members.every((entry) => entry !== undefined) ? members : [];
};

/** Merged persons may be on the roster under an id of before. `members`: all ids of each, the present one first. */
export const asOnRoster = (roster: Roster, members: readonly (readonly number[])[]): Members => {
  const listed = new Set([...roster.values()].flatMap(({ personIds }) => personIds));
  return members.map((ids) => ids.find((id) => listed.has(id)) ?? ids[0] ?? 0);
};

// --- fold -----------------------------------------------------------------------------------------------------------

const marked = (competitors: readonly Members[], mark: RosterMark): Roster =>
  rosterOf(competitors.map((personIds) => ({ personIds, mark })));

/** `roster`: null before there is one. */
export const evolveRoster = (roster: Roster | null, event: RosterEvent): Roster => {
  const before = roster ?? rosterOf([]);
  switch (event.type) {
    case 'RosterSet':
      return marked(event.data.competitors, 'expected');
    case 'RosterExtended':
      return before.concat(marked(event.data.competitors, 'expected'));
    case 'RosterMarked':
      return before.concat(marked(event.data.competitors, event.data.mark));
    default:
      event satisfies never;
      return before;
  }
};

/** The roster after a merge of two persons. */
export const rosterAfterMerge = (roster: Roster, from: number, into: number): Roster =>
  roster.mapEntries(([key, entry]) => {
    if (!entry.personIds.includes(from)) return [key, entry];
    const personIds = entry.personIds.map((id) => (id === from ? into : id));
    return [membersKey(personIds), { ...entry, personIds }];
  });
