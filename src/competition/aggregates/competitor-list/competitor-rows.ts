/**
 * Rows of a competitor list, and the events that they come to. A row has all ids that its person has had, the present one
 * first, because merges are in other streams. The event names the id that has a number here already, so a person keeps one
 * number.
 */

import { accept, type Decision, reject } from '../../../domain/decider.js';
import { isSameData } from '../../../domain/equality.js';
import { type Registration, type RegistrationState } from '../../../domain/registrations.js';
import { type FieldError, type Rejection, refusalOf } from '../../../domain/rejections.js';
import {
  type CompetitorList,
  type CompetitorListEvent,
  type ImportMark,
  type NumberedCompetitor,
  OFF_THE_LIST,
  sortedOnce,
  united,
} from './competitor-list.js';

/** A person under all ids that the person has had, the present one first. */
export type PersonIds = readonly number[];

export interface ListRow {
  readonly personIds: PersonIds;
  /** Null: the person's own, or the next one. */
  readonly number: number | null;
  readonly eventIds: readonly string[];
  /** Null: who is checked in stays so, everybody else is registered. */
  readonly state: RegistrationState | null;
}

/** The list, and the events of the contest. */
export interface ListContext {
  readonly list: CompetitorList;
  readonly eventIds: ReadonlySet<string>;
}

/** The limit leaves room: later competitors get higher numbers. */
export const MAX_COMPETITOR_NUMBER = 999_999;

export type ListDecision = Decision<CompetitorListEvent>;

/** A row whose person has the id and the number that the events name. */
interface PlacedRow extends Pick<ListRow, 'eventIds'> {
  readonly personId: number;
  readonly number: number;
  readonly state: RegistrationState;
}

interface Applying {
  /** Ids that leave the list. */
  readonly dropped: (placed: readonly PlacedRow[]) => readonly number[];
  /** Left out: a moderator or a program commands. */
  readonly mark?: ImportMark;
}

/** Puts the rows onto the list, or changes what they name there. Refuses all of them when one is faulty. */
export const applied = (
  rows: readonly ListRow[],
  context: ListContext,
  { dropped, mark = {} }: Applying,
): ListDecision => {
  const { list } = context;
  const refused = refusedRows(rows, context);
  if (refused !== null) return reject(refused);
  const placed = placedRows(rows, list);
  const gone = dropped(placed);
  const before = (row: PlacedRow): Registration | undefined => list.registrations.get(row.personId);
  const added = placed.filter((row) => isAdded(row, before(row)));
  const isNew = new Set(added);
  const changed = placed.filter((row) => !isNew.has(row) && !isSameData(before(row)?.eventIds, row.eventIds));
  const becoming = (state: RegistrationState): readonly number[] =>
    placed.flatMap((row) =>
      row.state === state && (isNew.has(row) || before(row)?.state !== state) ? [row.personId] : [],
    );
  const checkedIn = becoming('checked-in');
  const withdrawn = becoming('withdrawn');
  const events: CompetitorListEvent[] = [];
  if (gone.length > 0) events.push({ type: 'CompetitorsDropped', data: { personIds: gone, ...mark } });
  if (added.length > 0) {
    const competitors = added.map(({ personId, number, eventIds }) => ({ personId, number, eventIds }));
    events.push({ type: 'CompetitorsRegistered', data: { competitors, ...mark } });
  }
  if (changed.length > 0) {
    const competitors = changed.map(({ personId, eventIds }) => ({ personId, eventIds }));
    events.push({ type: 'CompetitorEventsChanged', data: { competitors, ...mark } });
  }
  if (checkedIn.length > 0)
    events.push({ type: 'CompetitorsCheckedIn', data: { personIds: checkedIn, ...mark } });
  if (withdrawn.length > 0)
    events.push({ type: 'CompetitorsWithdrawn', data: { personIds: withdrawn, ...mark } });
  return accept(...events);
};

/** Whether the person comes onto the list, comes back, or is no longer checked in. */
const isAdded = ({ state }: PlacedRow, before: Registration | undefined): boolean => {
  if (before === undefined || before.state === 'dropped') return true;
  return (
    (before.state === 'withdrawn' && state !== 'withdrawn') ||
    (before.state === 'checked-in' && state === 'registered')
  );
};

const placedRows = (rows: readonly ListRow[], list: CompetitorList): readonly PlacedRow[] => {
  let last = Math.max(list.competitorNumbers.max() ?? 0, ...rows.map(({ number }) => number ?? 0));
  const next = (): number => {
    last += 1;
    return last;
  };
  return rows.map((row) => {
    const own = ownOf(row.personIds, list);
    const personId = own?.personId ?? row.personIds[0] ?? 0;
    const number = own?.number ?? row.number ?? next();
    const state = stateAfter(row, united(list, row.personIds));
    return { personId, number, eventIds: sortedOnce(row.eventIds), state };
  });
};

/** The state that the row gives to a competitor; `before` null: not on the list yet. */
export const stateAfter = ({ state }: ListRow, before: Registration | null): RegistrationState =>
  state ?? (before?.state === 'checked-in' ? 'checked-in' : 'registered');

/** The number that the person keeps: that of the present id, else that of one merged into it. */
const ownOf = (personIds: PersonIds, { competitorNumbers }: CompetitorList): NumberedCompetitor | null => {
  const personId = personIds.find((id) => competitorNumbers.has(id));
  const number = personId === undefined ? undefined : competitorNumbers.get(personId);
  return personId === undefined || number === undefined ? null : { personId, number };
};

const isListed = (personId: number, { registrations }: CompetitorList): boolean =>
  (registrations.get(personId) ?? OFF_THE_LIST).state !== 'dropped';

/** Further ids of the person on the list: the row stands for all of them. */
export const othersOf = (personIds: PersonIds, list: CompetitorList): readonly number[] => {
  const personId = ownOf(personIds, list)?.personId;
  return personIds.filter((id) => id !== personId && isListed(id, list));
};

// --- faults of rows -------------------------------------------------------------------------------------------------

/** Names every faulty row; null when there is none. */
export const refusedRows = (rows: readonly ListRow[], context: ListContext): Rejection | null => {
  const errors = [
    ...repeatedPersons(rows),
    ...rows.flatMap((row, index) => unknownEvents(row, index, context)),
    ...wrongNumbers(rows, context),
  ];
  if (errors.length === 0) return null;
  const isRepeated = errors.every(({ rule }) => rule === 'competitor-repeated');
  return refusalOf(isRepeated ? 'competitor-repeated' : 'competitor-list', errors);
};

const fieldOf = (index: number, field: string): string => `competitors[${index}].${field}`;

const repeatedPersons = (rows: readonly ListRow[]): readonly FieldError[] => {
  const first = new Map<number, number>();
  return rows.flatMap(({ personIds }, index) => {
    const personId = personIds.find((id) => first.has(id));
    const other = personId === undefined ? undefined : first.get(personId);
    for (const id of personIds) if (!first.has(id)) first.set(id, index);
    if (other === undefined) return [];
    return [other, index].map((row) => ({
      field: fieldOf(row, 'personId'),
      rule: 'competitor-repeated',
      message: `person ${personId} is in the rows ${other} and ${index}`,
    }));
  });
};

const unknownEvents = (row: ListRow, index: number, { eventIds }: ListContext): readonly FieldError[] =>
  row.eventIds.flatMap((eventId, at) => {
    const message = `the contest does not have the event ${eventId}`;
    return eventIds.has(eventId)
      ? []
      : [{ field: fieldOf(index, `eventIds[${at}]`), rule: 'event-not-found', message }];
  });

const wrongNumbers = (rows: readonly ListRow[], { list }: ListContext): readonly FieldError[] => {
  const given = new Map<number, number>();
  return rows.flatMap(({ personIds, number }, index) => {
    if (number === null) return [];
    const message = wrongNumber(number, personIds, list) ?? repeatedNumber(number, given.get(number));
    given.set(number, index);
    return message === null ? [] : [{ field: fieldOf(index, 'number'), rule: 'number', message }];
  });
};

const repeatedNumber = (number: number, row: number | undefined): string | null =>
  row === undefined ? null : `${number} is the number of row ${row}`;

const wrongNumber = (number: number, personIds: PersonIds, list: CompetitorList): string | null => {
  if (!Number.isInteger(number) || number < 1 || number > MAX_COMPETITOR_NUMBER)
    return `must be from 1 to ${MAX_COMPETITOR_NUMBER}`;
  const bearer = list.personsByNumber.get(number);
  if (bearer !== undefined && personIds.includes(bearer)) return null;
  const own = ownOf(personIds, list);
  if (own !== null) return `person ${personIds[0]} keeps the number ${own.number}`;
  return bearer === undefined ? null : `${number} is the number of person ${bearer}`;
};
