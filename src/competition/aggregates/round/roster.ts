/** The events of a round that change its roster, and their fold. What a roster is stands in domain/roster.ts. */
import { membersKey } from '../../../domain/references.js';
import {
  type Members,
  type Roster,
  type RosterEntry,
  type RosterMark,
  rosterOf,
} from '../../../domain/roster.js';

/** `byList`: the roster follows the competitor list; left out: a moderator has changed it. */
interface Following {
  readonly byList?: true;
}

export type RosterEvent =
  | { readonly type: 'RosterSet'; readonly data: { readonly competitors: readonly Members[] } }
  | {
      readonly type: 'RosterExtended';
      readonly data: Following & { readonly competitors: readonly Members[] };
    }
  | {
      readonly type: 'RosterMarked';
      readonly data: Following & { readonly competitors: readonly Members[]; readonly mark: RosterMark };
    };

/** `roster`: null before there is one. */
export const evolveRoster = (roster: Roster | null, event: RosterEvent): Roster => {
  const before = roster ?? rosterOf([]);
  switch (event.type) {
    case 'RosterSet':
      return rosterOf(event.data.competitors.map((personIds) => ({ personIds, mark: 'expected' })));
    case 'RosterExtended': {
      const { competitors, byList } = event.data;
      const added = competitors.map(
        (personIds): RosterEntry =>
          byList ? { personIds, mark: 'expected' } : { personIds, mark: 'expected', isAdded: true },
      );
      return before.concat(rosterOf(added));
    }
    case 'RosterMarked':
      return before.concat(rosterOf(event.data.competitors.map((each) => marked(before, each, event.data))));
    default:
      event satisfies never;
      return before;
  }
};

/** A moderator who takes in again whom the list has withdrawn has put the competitor here. */
const marked = (
  roster: Roster,
  personIds: Members,
  { mark, byList }: Extract<RosterEvent, { type: 'RosterMarked' }>['data'],
): RosterEntry => {
  const before = roster.get(membersKey(personIds));
  const isAdded = before?.isAdded ?? (before?.mark === 'withdrawn' && mark === 'expected' && !byList);
  return isAdded ? { personIds, mark, isAdded } : { personIds, mark };
};
