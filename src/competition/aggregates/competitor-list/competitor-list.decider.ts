/** The commands on the competitor list of a contest and their decisions. */

import { accept, reject } from '../../../domain/decider.js';
import type { Rejection } from '../../../domain/rejections.js';
import { isCompeting, OFF_THE_LIST, united } from './competitor-list.js';
import {
  applied,
  type ListContext,
  type ListDecision,
  type ListRow,
  othersOf,
  type PersonIds,
  refusedRows,
} from './competitor-rows.js';
import { importedCompetitors } from './list-import.js';

export type CompetitorListCommand =
  | {
      readonly type: 'ReplaceCompetitors';
      readonly rows: readonly ListRow[];
      /** `listChanges` of the list that is replaced; null: of any. */
      readonly seen: number | null;
    }
  /** Adds competitors, or changes the events of those on the list. Who has withdrawn is registered again. */
  | { readonly type: 'RegisterCompetitors'; readonly rows: readonly Omit<ListRow, 'state'>[] }
  /** Brings the list up to date with a file, see list-import.ts. */
  | {
      readonly type: 'ImportCompetitors';
      readonly rows: readonly ListRow[];
      /** As in `ReplaceCompetitors`. */
      readonly seen: number | null;
      /** Also where the list was changed by hand since the last import. */
      readonly overwrite: boolean;
      /** Drops nobody. */
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
