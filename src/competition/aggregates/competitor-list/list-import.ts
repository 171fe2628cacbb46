/**
 * What an import makes of a competitor list. The file is compared with the list, competitor by competitor. What the last
 * import left follows the file. What was changed by hand since stays, unless the import shall overwrite it: so nothing that
 * a moderator did at the venue is undone by a file that does not know of it.
 */

import { isSameData } from '../../../domain/equality.js';
import {
  type CompetitorList,
  isCompeting,
  type Registration,
  sortedOnce,
  united,
} from './competitor-list.js';
import { type ListRow, type PersonIds, stateAfter } from './competitor-rows.js';

/**
 * `added`: comes onto the list, or back. `changed`: has other events or another state. `dropped`: is missing in the file.
 * `kept`: the file says otherwise, and the list stays as somebody left it by hand.
 */
export const LIST_CHANGES = ['added', 'changed', 'dropped', 'kept'] as const;
export type ListChange = (typeof LIST_CHANGES)[number];

/** One competitor of the file or of the list. */
export interface ImportedCompetitor {
  readonly change: ListChange | 'same';
  readonly personIds: PersonIds;
  /** Null: never was on the list. */
  readonly before: Registration | null;
  /** Null: the file does not name the competitor. */
  readonly row: ListRow | null;
}

/** Those of the file in its order, then the others of the list. */
export const importedCompetitors = (
  rows: readonly ListRow[],
  list: CompetitorList,
  overwrite: boolean,
): readonly ImportedCompetitor[] => {
  const named = new Set(rows.flatMap(({ personIds }) => personIds));
  const inFile = rows.map((row): ImportedCompetitor => {
    const { personIds } = row;
    const before = united(list, personIds);
    return { change: changeOf(row, before, overwrite), personIds, before, row };
  });
  const others = [...list.registrations].flatMap(([personId, before]): readonly ImportedCompetitor[] => {
    if (named.has(personId) || !isCompeting(before)) return [];
    const change = before.isImported || overwrite ? 'dropped' : 'kept';
    return [{ change, personIds: [personId], before, row: null }];
  });
  return [...inFile, ...others];
};

const changeOf = (
  row: ListRow,
  before: Registration | null,
  overwrite: boolean,
): ImportedCompetitor['change'] => {
  if (before === null) return 'added';
  const isSame =
    isSameData(before.eventIds, sortedOnce(row.eventIds)) && before.state === stateAfter(row, before);
  if (isSame) return 'same';
  if (!before.isImported && !overwrite) return 'kept';
  return before.state === 'dropped' ? 'added' : 'changed';
};

/** Numbers of competitors by what is done with them. */
export type ListCounts = Readonly<Record<ListChange, number>>;

export const listCounts = (differences: readonly { readonly change: ListChange }[]): ListCounts => {
  const counts = { added: 0, changed: 0, dropped: 0, kept: 0 };
  for (const { change } of differences) counts[change] += 1;
  return counts;
};
