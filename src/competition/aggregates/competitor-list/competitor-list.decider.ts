/** The commands on the competitor list of a contest and their decisions. Rows become events in competitor-rows.ts. */

import { accept, reject } from '../../../domain/decider.js';
import { isSameData } from '../../../domain/equality.js';
import { isCompeting, type Registration } from '../../../domain/registrations.js';
import type { Rejection } from '../../../domain/rejections.js';
import { type CompetitorList, OFF_THE_LIST, sortedOnce, united } from './competitor-list.js';
import {
  applied,
  type ListContext,
  type ListDecision,
  type ListRow,
  othersOf,
  type PersonIds,
  refusedRows,
  stateAfter,
} from './competitor-rows.js';

export type CompetitorListCommand =
  | {
      readonly type: 'ReplaceCompetitors';
      readonly rows: readonly ListRow[];
      /** `listChanges` of the list that is replaced; null: of any. */
      readonly seen: number | null;
    }
  /** Adds competitors, or changes the events of those on the list. Who has withdrawn is registered again. */
  | { readonly type: 'RegisterCompetitors'; readonly rows: readonly Omit<ListRow, 'state'>[] }
  /** Brings the list up to date with a file, as `importedCompetitors` says. */
  | {
      readonly type: 'ImportCompetitors';
      readonly rows: readonly ListRow[];
      /** As in `ReplaceCompetitors`. */
      readonly seen: number | null;
      /** Also where the list was changed by hand since the last import. */
      readonly overwrite: boolean;
      /** Drops no competitor. */
      readonly keepsMissing: boolean;
    }
  | { readonly type: 'CheckInCompetitor'; readonly personIds: PersonIds }
  | { readonly type: 'WithdrawCompetitor'; readonly personIds: PersonIds };

type CommandOf<T extends CompetitorListCommand['type']> = Extract<CompetitorListCommand, { type: T }>;

export const replaceCompetitors = (
  { rows, seen }: CommandOf<'ReplaceCompetitors'>,
  context: ListContext,
): ListDecision => {
  const { list } = context;
  if (seen !== null && seen !== list.listChanges) return reject(CHANGED);
  return applied(rows, context, {
    dropped: (placed) => {
      const named = new Set(placed.map(({ personId }) => personId));
      return [...list.registrations].flatMap(([personId, { state }]) =>
        state === 'dropped' || named.has(personId) ? [] : [personId],
      );
    },
  });
};

export const importCompetitors = (
  { rows, seen, overwrite, keepsMissing }: CommandOf<'ImportCompetitors'>,
  context: ListContext,
): ListDecision => {
  const { list } = context;
  if (seen !== null && seen !== list.listChanges) return reject(CHANGED);
  const refused = refusedRows(rows, context);
  if (refused !== null) return reject(refused);
  const found = importedCompetitors(rows, list, overwrite);
  const taken = found.flatMap(({ change, row }) =>
    row !== null && (change === 'added' || change === 'changed') ? [row] : [],
  );
  const dropped = found.flatMap(({ change, personIds }) => (change === 'dropped' ? personIds : []));
  return applied(taken, context, {
    dropped: () => [
      ...(keepsMissing ? [] : dropped),
      ...taken.flatMap(({ personIds }) => othersOf(personIds, list)),
    ],
    mark: { imported: true },
  });
};

const CHANGED: Rejection = {
  code: 'competitors-changed',
  detail: 'the competitor list is another one by now: read it again, then replace that one',
};

export const registerCompetitors = (
  rows: readonly Omit<ListRow, 'state'>[],
  context: ListContext,
): ListDecision => {
  const { list } = context;
  const kept = rows.map((row): ListRow => ({ ...row, state: null }));
  return applied(kept, context, {
    dropped: () => rows.flatMap(({ personIds }) => othersOf(personIds, list)),
  });
};

export const checkIn = (personIds: PersonIds, context: ListContext): ListDecision => {
  const registration = united(context.list, personIds);
  if (registration === null || !isCompeting(registration)) return reject(notOnTheList(personIds));
  const row: ListRow = { personIds, number: null, eventIds: registration.eventIds, state: 'checked-in' };
  return applied([row], context, { dropped: () => othersOf(personIds, context.list) });
};

export const withdraw = (personIds: PersonIds, { list }: ListContext): ListDecision => {
  const registration = united(list, personIds);
  if (registration === null || registration.state === 'dropped') return reject(notOnTheList(personIds));
  const competing = personIds.filter((id) => isCompeting(list.registrations.get(id) ?? OFF_THE_LIST));
  return competing.length === 0
    ? accept()
    : accept({ type: 'CompetitorsWithdrawn', data: { personIds: competing } });
};

const notOnTheList = ([personId]: PersonIds): Rejection => ({
  code: 'not-registered',
  detail: `person ${personId} is not registered for this contest`,
});

// --- imports ---------------------------------------------------------------------------------------------------------

// The file is compared with the list, competitor by competitor. What the last import left follows the file. What was changed by
// hand since stays, unless the import shall overwrite it: so nothing that a moderator did at the venue is undone by a file that
// does not know of it.

/**
 * `added`: comes onto the list, or back. `changed`: has other events or another state. `dropped`: is missing in the file.
 * `kept`: the file says otherwise, and the list stays as a moderator left it.
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
