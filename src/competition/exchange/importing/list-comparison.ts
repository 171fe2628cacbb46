/**
 * Compares the registrations of a file with the competitor list of the stored contest: what an import adds, changes, drops,
 * and keeps because a moderator changed it. The preview and the import both use it, so they agree.
 */

import type { Registration } from '../../../domain/registrations.js';
import {
  type ImportedCompetitor,
  importedCompetitors,
  type ListChange,
} from '../../aggregates/competitor-list/competitor-list.decider.js';
import type { CompetitorList } from '../../aggregates/competitor-list/competitor-list.js';
import { type ListRow, stateAfter } from '../../aggregates/competitor-list/competitor-rows.js';
import { unusedNumbers } from '../../aggregates/contest/contest.decider.js';
import type { ImportCompetitorList } from '../../contests/competitor-list.commands.js';
import { ERASED_NAME } from '../../persons/person-directory.js';
import type { FileRegistration } from '../formats/competitors-file.js';
import { type Fault, type FilePerson, placeOf } from '../formats/contest-file.js';
import { type Candidate, type ContestIdentities, personKey } from './identity.js';

/** A registration whose person is decided. */
export interface PlannedRegistration {
  readonly registration: FileRegistration;
  readonly candidate: Candidate;
}

/** A competitor whom the import changes, or keeps although the file says otherwise. */
export type ListDifference = ImportedCompetitor & { readonly change: ListChange };

export interface ListComparison {
  /** All registrations of the file. */
  readonly rows: readonly ListRow[];
  readonly differences: readonly ListDifference[];
  /** Number of competitors who are the same in both. */
  readonly same: number;
}

/** Without those whom the identities do not name, which have faults. */
export const plannedRegistrations = (
  registrations: readonly FileRegistration[],
  { persons }: ContestIdentities,
): readonly PlannedRegistration[] =>
  registrations.flatMap((registration) => {
    const identified = persons.get(personKey(registration.person));
    return identified === undefined ? [] : [{ registration, candidate: identified.candidate }];
  });

export const compareList = (
  planned: readonly PlannedRegistration[],
  list: CompetitorList,
  overwrite: boolean,
): ListComparison => {
  const rows = listRows(planned, list);
  const found = importedCompetitors(rows, list, overwrite);
  const differences = found.filter((each): each is ListDifference => each.change !== 'same');
  return { rows, differences, same: found.length - differences.length };
};

/** With the numbers of the file where they can be given: a competitor keeps a number, and no number is given twice. */
const listRows = (planned: readonly PlannedRegistration[], list: CompetitorList): readonly ListRow[] => {
  const free = new Set(unusedNumbers(planned.flatMap(numbered), list).map(({ number }) => number));
  return planned.map(({ registration: { number, eventIds, state }, candidate }) => {
    const personIds = [candidate.personId, ...candidate.absorbed];
    const isOwn = number !== null && personIds.includes(list.personsByNumber.get(number) ?? 0);
    const isFree =
      number !== null && free.has(number) && !personIds.some((id) => list.competitorNumbers.has(id));
    return { personIds, number: isOwn || isFree ? number : null, eventIds, state };
  });
};

/** As the command on the list takes them. */
export const requestedRows = (rows: readonly ListRow[]): ImportCompetitorList['rows'] =>
  rows.map(({ personIds, ...row }) => ({
    ...row,
    selector: { by: 'personId', personIds: personIds.slice(0, 1) },
  }));

const numbered = ({ registration: { number }, candidate: { personId } }: PlannedRegistration) =>
  number === null ? [] : [{ personId, number }];

/** Returns a fault for each registration whose person an earlier one has. */
export const repeatedRegistrations = (planned: readonly PlannedRegistration[]): readonly Fault[] => {
  const first = new Map<Candidate, FileRegistration>();
  return planned.flatMap(({ registration, candidate }): readonly Fault[] => {
    const earlier = first.get(candidate);
    if (earlier === undefined) {
      first.set(candidate, registration);
      return [];
    }
    const { line } = earlier.place;
    const reason = `${candidate.name} is registered in line ${line} too; another person of this name needs an assocId or a personId`;
    return [{ ...placeOf(registration.place), reason }];
  });
};

/** Those on the list who are not in the file and are dropped or kept. */
export const missingIn = (list: ListComparison | null): readonly number[] =>
  (list?.differences ?? []).flatMap(({ row, personIds }) => (row === null ? personIds : []));

// --- view -----------------------------------------------------------------------------------------------------------

export type RegistrationView = Pick<Registration, 'eventIds' | 'state'>;

/** A difference as a preview shows it. */
export interface ListChangeView {
  readonly change: ListChange;
  readonly name: string;
  /** Null: the import would register the person. */
  readonly personId: number | null;
  /** Null: the competitor gets the next one. */
  readonly number: number | null;
  /** On the list; null: never was there. */
  readonly before: RegistrationView | null;
  /** In the file; null: not there. */
  readonly file: RegistrationView | null;
  /** Whether the competitor has results in the contest, and so is shown also when dropped. */
  readonly hasResults: boolean;
}

/** What a preview knows of persons beside the file. */
export interface KnownPersons {
  /** Names of those who are on the list and not in the file, without erased ones. */
  readonly names: ReadonlyMap<number, string>;
  readonly withResults: ReadonlySet<number>;
}

export const listChangeViews = (
  { differences }: ListComparison,
  planned: readonly PlannedRegistration[],
  { list, names, withResults }: KnownPersons & { readonly list: CompetitorList },
): readonly ListChangeView[] => {
  const persons = new Map<number, FilePerson>(
    planned.map(({ registration, candidate }) => [candidate.personId, registration.person]),
  );
  return differences.map(({ change, personIds, before, row }) => {
    const [personId = 0] = personIds;
    const number = personIds.map((id) => list.competitorNumbers.get(id)).find((each) => each !== undefined);
    return {
      change,
      name: persons.get(personId)?.name ?? names.get(personId) ?? ERASED_NAME,
      personId: personId > 0 ? personId : null,
      number: number ?? row?.number ?? null,
      before: before && { eventIds: before.eventIds, state: before.state },
      file: row && { eventIds: [...row.eventIds].sort(), state: stateAfter(row, before) },
      hasResults: personIds.some((id) => withResults.has(id)),
    };
  });
};
