/**
 * What a contest says of the competitors of an entry: who has a number of it, and whom a round takes in a contest with a
 * competitor list. Rows that name persons by their ids in a contest without a list do not come here.
 */

import { type Problem, refusal } from '../../domain/entry-rules.js';
import type { ContestRef, EntrantSelector, NumberSelector, RoundKey } from '../../domain/references.js';
import { isCompeting } from '../../domain/registrations.js';
import type { Rejection, RejectionCode } from '../../domain/rejections.js';
import { entriesOf, presentRoster, type Roster } from '../../domain/roster.js';
import { type Competitor, placeOf } from '../../domain/round-entry.js';
import type { AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { type CompetitorList, united } from '../aggregates/competitor-list/competitor-list.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import type { ContestState } from '../aggregates/contest/contest.js';
import type { Competitors, ResolvedCompetitor, UnknownCompetitor } from '../aggregates/person/competitors.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';

/** One competitor of a request. */
export interface RequestedEntrant {
  readonly selector: EntrantSelector;
  /** The request's field that names the competitor. */
  readonly field: string;
}

/** What the lookup reads. */
export interface EntrantLookup {
  readonly competitors: Competitors;
  readonly aggregates: AggregateRuntime;
}

/** A competitor without what was spent in other rounds, which is read when deciding. */
export type Entrant = Omit<Competitor, 'elsewhere'>;

// --- competitors by number -------------------------------------------------------------------------------------------

// Numbers are looked up in the contest's folded state, which the entry reads anyway, and their persons followed through merges.

/** Why a row names no competitor. */
export interface NoCompetitor {
  readonly code: RejectionCode;
  readonly message: string;
}

export type Found = ResolvedCompetitor | UnknownCompetitor | NoCompetitor;

/** The competitors of all rows, in their order. `byId`: of those that have ids, found already. */
export const withNumbered = async (
  lookup: EntrantLookup,
  contest: ContestRef,
  { requested, byId }: { readonly requested: readonly RequestedEntrant[]; readonly byId: readonly Found[] },
): Promise<readonly Found[]> => {
  const numbered = await findNumbered(lookup, contest, requested.flatMap(numberSelector));
  const next = { byId: byId.values(), numbered: numbered.values() };
  return requested.flatMap(({ selector }) => {
    const { value } = selector.by === 'registrantId' ? next.numbered.next() : next.byId.next();
    return value === undefined ? [] : [value];
  });
};

const numberSelector = ({ selector }: RequestedEntrant): readonly NumberSelector[] =>
  selector.by === 'registrantId' ? [selector] : [];

const findNumbered = async (
  { competitors, aggregates }: EntrantLookup,
  contest: ContestRef,
  rows: readonly NumberSelector[],
): Promise<readonly Found[]> => {
  const { personsByNumber } = await contestWithNumbers(aggregates, contest, rows);
  const byNumber = await competitors.resolve(
    contest.spaceId,
    rows.map(({ registrantIds }) => ({
      by: 'personId',
      personIds: registrantIds.flatMap((number) => personsByNumber.get(number) ?? []),
    })),
  );
  const beside = await competitors.resolve(
    contest.spaceId,
    rows.map(({ assocIds }) => ({ by: 'assocId', assocIds: assocIds ?? [] })),
  );
  return rows.map((row, index) => {
    const found = byNumber[index];
    const other = beside[index];
    if (found === undefined || other === undefined) throw new Error('a row was not looked up');
    // Devices send their own numbers also where the contest has none.
    if (personsByNumber.isEmpty() && row.assocIds !== null) return other;
    const unknown = row.registrantIds.filter((number) => !personsByNumber.has(number));
    if (unknown.length > 0) return noSuchNumber(unknown);
    if (row.assocIds === null || 'unknown' in found) return found;
    if ('unknown' in other) return other;
    return isSameTeam(found, other) ? found : contradiction(row, found, other);
  });
};

const noSuchNumber = (numbers: readonly number[]): NoCompetitor => ({
  code: 'person-not-found',
  message: `the contest has no competitor with the number ${numbers.join(', ')}`,
});

const isSameTeam = (a: ResolvedCompetitor, b: ResolvedCompetitor): boolean =>
  a.personIds.length === b.personIds.length && a.personIds.every((id) => b.personIds.includes(id));

const contradiction = (
  { registrantIds, assocIds }: NumberSelector,
  found: ResolvedCompetitor,
  other: ResolvedCompetitor,
): NoCompetitor => {
  const named = (field: string, ids: readonly unknown[], { personIds }: ResolvedCompetitor): string =>
    `${field} ${ids.join(',')} is person ${personIds.join(',')}`;
  const numbers = named('registrantId', registrantIds, found);
  const message = `${numbers}, but ${named('assocId', assocIds ?? [], other)}`;
  return { code: 'competitor-contradiction', message };
};

/** A number that the cached state does not have may have been given by another process a moment ago. */
const contestWithNumbers = async (
  aggregates: AggregateRuntime,
  contest: ContestRef,
  rows: readonly NumberSelector[],
): Promise<ContestState> => {
  const { state } = await aggregates.load(contestAggregate, contest);
  const hasAll = rows.every(({ registrantIds }) =>
    registrantIds.every((id) => state.personsByNumber.has(id)),
  );
  return hasAll ? state : (await aggregates.load(contestAggregate, contest, { fresh: true })).state;
};

// --- expected competitors --------------------------------------------------------------------------------------------

// Round 1 takes those registered for its event, a team when all members are, and those added to its roster. A later round takes
// those on its roster. Neither takes who has quit or withdrawn. A result that is stored already stays correctable. The list and
// the roster are in folded states: for expected competitors nothing more is loaded.

interface Expected {
  readonly list: CompetitorList;
  readonly roster: Roster | null;
}

/** All ids of each member of a competitor, the present one first. */
type AllIds = readonly (readonly number[])[];

/**
 * `entrants`: those with attempts to enter. Returns one refusal that names every row; null when all are expected. What
 * cached states refuse is looked up again in the streams.
 */
export const expectedRefusal = async (
  lookup: EntrantLookup,
  round: RoundKey,
  { entrants, list }: { readonly entrants: readonly Entrant[]; readonly list: CompetitorList },
): Promise<Rejection | null> => {
  const { aggregates } = lookup;
  const { roster } = (await aggregates.load(roundAggregate, round)).state;
  const others = entrants.filter(
    ({ personIds }) => problemOf(round, { list, roster }, idsAlone(personIds)) !== null,
  );
  if (others.length === 0) return null;
  const { state: contest } = await aggregates.load(contestAggregate, round, { fresh: true });
  const { state } = await aggregates.load(roundAggregate, round, { fresh: true });
  const problems: Problem[] = [];
  for (const entrant of others) {
    const members = await idsOf(lookup, round, entrant);
    const present = new Map(members.flatMap((ids) => ids.map((id) => [id, ids[0] ?? id])));
    const now = state.roster && presentRoster(state.roster, (id) => present.get(id) ?? id);
    const problem = problemOf(round, { list: contest, roster: now }, members);
    if (problem !== null && placeOf(state, entrant).result === undefined)
      problems.push({ field: entrant.field, ...problem });
  }
  return refusal(problems);
};

const idsAlone = (personIds: readonly number[]): AllIds => personIds.map((personId) => [personId]);

/** While a merge is under way, only the person who is merged tells of it. */
const idsOf = (
  { competitors }: EntrantLookup,
  { spaceId }: RoundKey,
  { personIds, named }: Entrant,
): Promise<AllIds> =>
  Promise.all(
    personIds.map(async (personId, index) => [
      ...new Set([...(await competitors.idsOf(spaceId, personId)), named[index] ?? personId]),
    ]),
  );

type Unexpected = Pick<Problem, 'rule' | 'message'>;

/** Null: the competitor is expected. `roster`: with the ids that these persons have now. */
const problemOf = (round: RoundKey, { list, roster }: Expected, members: AllIds): Unexpected | null => {
  const personIds = members.map(([personId]) => personId ?? 0);
  const entries = entriesOf(roster, personIds);
  const persons = personIds.join(',');
  const notExpected = (message: string): Unexpected => ({ rule: 'not-expected', message });
  if (entries.some(({ mark }) => mark === 'quit'))
    return notExpected(`person ${persons} has quit round ${round.roundNumber}`);
  if (round.roundNumber > 1 && roster !== null && entries.length === 0)
    return notExpected(`person ${persons} is not among those expected in round ${round.roundNumber}`);
  for (const [index, ids] of members.entries()) {
    // A team is on the roster by one entry, or by one for each member.
    const { isAdded = false } = entries[entries.length === 1 ? 0 : index] ?? {};
    const message = registrationProblem(list, { round, ids, isAdded });
    if (message !== null) return { rule: 'not-registered', message: `person ${ids[0]} ${message}` };
  }
  return null;
};

/** `isAdded`: by a moderator. The events of a registration count in round 1 only: who advances is known later. */
const registrationProblem = (
  list: CompetitorList,
  {
    round: { eventId, roundNumber },
    ids,
    isAdded,
  }: { readonly round: RoundKey; readonly ids: readonly number[]; readonly isAdded: boolean },
): string | null => {
  const isTaken = isAdded || roundNumber > 1;
  const registration = united(list, ids);
  if (registration === null) return isTaken ? null : 'is not registered for this contest';
  if (registration.state === 'dropped') return 'is not registered for this contest';
  if (!isCompeting(registration)) return 'has withdrawn from this contest';
  return isTaken || registration.eventIds.includes(eventId) ? null : `is not registered for ${eventId}`;
};
