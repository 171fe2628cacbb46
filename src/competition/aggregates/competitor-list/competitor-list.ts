/**
 * The competitors of a contest, as part of its state: their numbers, and the list of those who are registered. A contest
 * has a list from its first registration on; numbers alone are no list. The list is in the contest's own stream, because
 * each entry reads that state anyway: 600 competitors in 17 events come to one event of about 100 kB.
 */

import type { Map as ImmutableMap } from 'immutable';
import { isCompeting, type Registration } from '../../../domain/registrations.js';

export interface NumberedCompetitor {
  readonly personId: number;
  /** From 1, unique in the contest, never reused for another person. */
  readonly number: number;
}

/** Of events that an import caused. */
export interface ImportMark {
  /** Missing: a moderator or a program commanded. */
  readonly imported?: true;
}

export type CompetitorListEvent =
  /** From now on these persons have a number in this contest. */
  | {
      readonly type: 'CompetitorsNumbered';
      readonly data: { readonly competitors: readonly NumberedCompetitor[] };
    }
  /** These persons are on the list, registered for these events, under these numbers. They are not checked in. */
  | {
      readonly type: 'CompetitorsRegistered';
      readonly data: {
        readonly competitors: readonly (NumberedCompetitor & Pick<Registration, 'eventIds'>)[];
      } & ImportMark;
    }
  | {
      readonly type: 'CompetitorEventsChanged';
      readonly data: {
        readonly competitors: readonly { readonly personId: number; readonly eventIds: readonly string[] }[];
      } & ImportMark;
    }
  | { readonly type: 'CompetitorsCheckedIn'; readonly data: MarkedPersons }
  | { readonly type: 'CompetitorsWithdrawn'; readonly data: MarkedPersons }
  /** A new list came without these persons. */
  | { readonly type: 'CompetitorsDropped'; readonly data: MarkedPersons };

interface MarkedPersons extends ImportMark {
  readonly personIds: readonly number[];
}

const LIST_EVENTS: Readonly<Record<CompetitorListEvent['type'], true>> = {
  CompetitorsNumbered: true,
  CompetitorsRegistered: true,
  CompetitorEventsChanged: true,
  CompetitorsCheckedIn: true,
  CompetitorsWithdrawn: true,
  CompetitorsDropped: true,
};

export const isListEvent = <E extends { readonly type: string }>(
  event: E,
): event is Extract<E, CompetitorListEvent> => event.type in LIST_EVENTS;

export interface CompetitorList {
  /** By person id as numbered. Persons who were merged later keep their entry. */
  readonly competitorNumbers: ImmutableMap<number, number>;
  /** The same by number. */
  readonly personsByNumber: ImmutableMap<number, number>;
  /** By person id as registered. Persons who were merged later keep their entry. */
  readonly registrations: ImmutableMap<number, Registration>;
  /** Grows with each change of the list, so that a new list can name the one that it replaces. */
  readonly listChanges: number;
}

export const hasList = ({ registrations }: Pick<CompetitorList, 'registrations'>): boolean =>
  registrations.size > 0;

/**
 * The registration of one person under all ids that the person has had: the events of all, and the state that goes
 * furthest. Null when the list has none of them.
 */
export const united = (
  { registrations }: Pick<CompetitorList, 'registrations'>,
  personIds: readonly number[],
): Registration | null => {
  const found = personIds.flatMap((personId) => registrations.get(personId) ?? []);
  const state = FURTHEST.find((each) => found.some((registration) => registration.state === each));
  if (state === undefined) return null;
  const counted = found.filter((each) => isCompeting(each) || each.state === state);
  return {
    eventIds: sortedOnce(counted.flatMap(({ eventIds }) => eventIds)),
    state,
    isImported: counted.every(({ isImported }) => isImported),
  };
};

const FURTHEST: readonly Registration['state'][] = ['checked-in', 'registered', 'withdrawn', 'dropped'];

/** Event ids as registrations have them. */
export const sortedOnce = (eventIds: readonly string[]): readonly string[] => [...new Set(eventIds)].sort();

// --- fold -----------------------------------------------------------------------------------------------------------

export const evolveList = <S extends CompetitorList>(state: S, event: CompetitorListEvent): S => {
  const listChanges = state.listChanges + 1;
  const isImported = event.type !== 'CompetitorsNumbered' && event.data.imported === true;
  switch (event.type) {
    case 'CompetitorsNumbered':
      return { ...state, ...withNumbers(state, event.data.competitors) };
    case 'CompetitorsRegistered': {
      const { competitors } = event.data;
      const added = competitors.map(({ personId, eventIds }): [number, Registration] => [
        personId,
        { eventIds, state: 'registered', isImported },
      ]);
      const registrations = state.registrations.concat(added);
      return { ...state, ...withNumbers(state, competitors), registrations, listChanges };
    }
    case 'CompetitorEventsChanged': {
      const change = (registrations: Registrations, { personId, eventIds }: WithEvents): Registrations =>
        registrations.update(personId, OFF_THE_LIST, (before) => ({ ...before, eventIds, isImported }));
      return {
        ...state,
        registrations: event.data.competitors.reduce(change, state.registrations),
        listChanges,
      };
    }
    case 'CompetitorsCheckedIn':
      return { ...state, registrations: withState(state, event.data, 'checked-in'), listChanges };
    case 'CompetitorsWithdrawn':
      return { ...state, registrations: withState(state, event.data, 'withdrawn'), listChanges };
    case 'CompetitorsDropped':
      return { ...state, registrations: withState(state, event.data, 'dropped'), listChanges };
    default:
      event satisfies never;
      return state;
  }
};

type Registrations = CompetitorList['registrations'];
type WithEvents = Pick<NumberedCompetitor, 'personId'> & Pick<Registration, 'eventIds'>;

/** Of a person who is not on the list. */
export const OFF_THE_LIST: Registration = { eventIds: [], state: 'dropped', isImported: false };

const withState = (
  { registrations }: CompetitorList,
  { personIds, imported }: MarkedPersons,
  state: Registration['state'],
): Registrations =>
  personIds.reduce(
    (all, personId) =>
      all.update(personId, OFF_THE_LIST, (before) => ({ ...before, state, isImported: imported === true })),
    registrations,
  );

const withNumbers = (
  { competitorNumbers, personsByNumber }: CompetitorList,
  competitors: readonly NumberedCompetitor[],
): Pick<CompetitorList, 'competitorNumbers' | 'personsByNumber'> => {
  const numbers = competitors.map(({ personId, number }): [number, number] => [personId, number]);
  const persons = competitors.map(({ personId, number }): [number, number] => [number, personId]);
  return {
    competitorNumbers: competitorNumbers.concat(numbers),
    personsByNumber: personsByNumber.concat(persons),
  };
};
