/** How the roster of a round changes: as moderators mark competitors on it, and as it follows the competitor list. */

import type { RoundRef } from './attempts.js';
import { membersKey } from './references.js';
import { isRegisteredFor } from './registrations.js';
import type { FieldError } from './rejections.js';
import {
  type CompetitorFacts,
  hasLeft,
  isKeptOut,
  type Members,
  type ModeratorMark,
  presentEntries,
  presentOf,
  type Roster,
  type RosterEntry,
  type RosterMark,
  rosterOf,
} from './roster.js';

/** `byList`: the roster follows the competitor list; left out: a moderator has changed it. */
export interface RosterChange {
  readonly competitors: readonly Members[];
  readonly byList?: true;
}

export interface RosterMarking extends RosterChange {
  readonly mark: RosterMark;
}

export const expectedRoster = (competitors: readonly Members[]): Roster =>
  rosterOf(competitors.map((personIds) => ({ personIds, mark: 'expected' })));

export const extendedRoster = (roster: Roster, { competitors, byList }: RosterChange): Roster => {
  const added = competitors.map(
    (personIds): RosterEntry =>
      byList ? { personIds, mark: 'expected' } : { personIds, mark: 'expected', isAdded: true },
  );
  return roster.concat(rosterOf(added));
};

/** A moderator who takes in again whom the list has withdrawn has put the competitor here. */
export const markedRoster = (roster: Roster, { competitors, mark, byList }: RosterMarking): Roster => {
  const marked = competitors.map((personIds): RosterEntry => {
    const before = roster.get(membersKey(personIds));
    const isAdded = before?.isAdded ?? (before?.mark === 'withdrawn' && mark === 'expected' && !byList);
    return isAdded ? { personIds, mark, isAdded } : { personIds, mark };
  });
  return roster.concat(rosterOf(marked));
};

// --- marks of a moderator --------------------------------------------------------------------------------------------

/** A competitor as a request names it. */
export interface MarkRow {
  readonly personIds: Members;
  readonly mark: ModeratorMark;
}

/** The same with the ids that its persons have now. */
export interface RosterRow extends MarkRow {
  /** Its entries, or those of all its members. Empty when one is not on the roster. */
  readonly entries: readonly RosterEntry[];
}

export const rosterRows = (
  roster: Roster,
  competitors: readonly MarkRow[],
  facts: CompetitorFacts,
): readonly RosterRow[] => {
  const present = presentOf(facts);
  const entries = presentEntries(roster, present);
  const entriesNow = (personIds: Members): readonly RosterEntry[] => {
    const own = entries.get(membersKey(personIds));
    if (own !== undefined) return own;
    const members = personIds.map((personId) => entries.get(membersKey([personId])) ?? []);
    return members.every((of) => of.length > 0) ? members.flat() : [];
  };
  return competitors.map(({ personIds: named, mark }) => {
    const personIds = named.map(present);
    return { personIds, mark, entries: entriesNow(personIds) };
  });
};

export const rowErrors = (rows: readonly RosterRow[], facts: CompetitorFacts): readonly FieldError[] => [
  ...repeatedPersons(rows),
  ...rows.flatMap((row, index) => {
    const problem = markProblem(row, facts);
    return problem === null ? [] : [{ field: `competitors[${index}].personIds`, ...problem }];
  }),
];

export const repeatedPersons = (
  competitors: readonly { readonly personIds: Members }[],
): readonly FieldError[] => {
  const seen = new Set<number>();
  return competitors.flatMap(({ personIds }, index) => {
    const twice = personIds.find((id, place) => seen.has(id) || personIds.indexOf(id) < place);
    for (const personId of personIds) seen.add(personId);
    if (twice === undefined) return [];
    const message = `person ${twice} is named twice`;
    return [{ field: `competitors[${index}].personIds`, rule: 'competitor-repeated', message }];
  });
};

const markProblem = (
  { personIds, mark, entries }: RosterRow,
  facts: CompetitorFacts,
): Pick<FieldError, 'rule' | 'message'> | null => {
  if (mark !== 'expected') {
    if (entries.length > 0) return null;
    return { rule: 'not-expected', message: `person ${personIds.join(',')} is not expected in the round` };
  }
  const gone = personIds.find((personId) => hasLeft(facts, personId));
  if (gone === undefined) return null;
  const message = `person ${gone} has withdrawn from the contest: register the person on the competitor list again first`;
  return { rule: 'has-withdrawn', message };
};

// --- the competitor list ---------------------------------------------------------------------------------------------

export interface ListDifferences {
  /** Who is registered for the first round of the event and is not on its roster. */
  readonly late: readonly Members[];
  readonly withdrawn: readonly Members[];
  readonly back: readonly Members[];
}

/** What a moderator has marked stays: only who was expected withdraws, and only who had withdrawn comes back. */
export const listDifferences = (roster: Roster, round: RoundRef, facts: CompetitorFacts): ListDifferences => {
  const present = presentOf(facts);
  const entries = presentEntries(roster, present);
  const isOut = (entry: RosterEntry): boolean =>
    isKeptOut({ ...entry, personIds: entry.personIds.map(present) }, round, facts);
  const where = (holds: (entry: RosterEntry) => boolean): readonly Members[] =>
    [...roster.values()].filter(holds).map(({ personIds }) => personIds);
  const registered = round.roundNumber === 1 ? [...facts.registrations] : [];
  return {
    late: registered
      .filter(([id, each]) => isRegisteredFor(each, round.eventId) && !entries.has(membersKey([id])))
      .map(([id]) => [id]),
    withdrawn: where((entry) => (entry.mark === 'expected' || entry.mark === 'no-show') && isOut(entry)),
    back: where((entry) => entry.mark === 'withdrawn' && !isOut(entry)),
  };
};
