/**
 * Finds the persons of the rows of an entry. Ids are looked up in the space. Numbers are looked up in the contest's folded
 * state, which the entry reads anyway, and their persons followed through merges. Rows without numbers load nothing more.
 */

import { type Problem, refusal } from '../../domain/entry-rules.js';
import type {
  CompetitorSelector,
  ContestRef,
  EntrantSelector,
  NumberSelector,
  RoundKey,
} from '../../domain/references.js';
import { RejectedError, type Rejection, type RejectionCode } from '../../domain/rejections.js';
import type { AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import type { ContestState } from '../aggregates/contest/contest.js';
import {
  type Competitors,
  personNotFound,
  type ResolvedCompetitor,
  type UnknownCompetitor,
} from '../aggregates/person/competitors.js';
import type { Competitor } from '../aggregates/round/entry.decider.js';

/** One competitor of a request. */
export interface Asked {
  readonly selector: EntrantSelector;
  /** The request's field that names the competitor. */
  readonly field: string;
}

/** Why a row names no competitor. */
export interface NoCompetitor {
  readonly code: RejectionCode;
  readonly message: string;
}

export type Found = ResolvedCompetitor | UnknownCompetitor | NoCompetitor;

/** What the lookup reads. */
export interface EntrantLookup {
  readonly competitors: Competitors;
  readonly aggregates: AggregateRuntime;
}

/** In the order of the rows. */
export const findEntrants = async (
  lookup: EntrantLookup,
  contest: ContestRef,
  asked: readonly Asked[],
): Promise<readonly Found[]> => {
  const byId: CompetitorSelector[] = [];
  for (const { selector } of asked) if (selector.by !== 'registrantId') byId.push(selector);
  const found = await lookup.competitors.resolve(contest.spaceId, byId);
  if (byId.length === asked.length) return found;
  const numbered = await findNumbered(lookup, contest, asked.flatMap(numberSelector));
  const next = { byId: found.values(), numbered: numbered.values() };
  return asked.flatMap(({ selector }) => {
    const { value } = selector.by === 'registrantId' ? next.numbered.next() : next.byId.next();
    return value === undefined ? [] : [value];
  });
};

const numberSelector = ({ selector }: Asked): readonly NumberSelector[] =>
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

// --- entrants -------------------------------------------------------------------------------------------------------

/** A competitor without what was spent in other rounds, which is read when deciding. */
export type Entrant = Omit<Competitor, 'elsewhere'>;

const resultIdOf = (round: RoundKey, personIds: readonly number[]): string =>
  `${round.competitionId}_${round.eventId}_r${round.roundNumber}_${personIds.join('-')}`;

export interface Entrants {
  /** With the index of each among the rows. */
  readonly known: readonly { readonly index: number; readonly entrant: Entrant }[];
  /** Names every other row; null when all are known. Its kind is the first that is present: not found goes before contradictions. */
  readonly refused: Rejection | null;
}

export const entrantsIn = (found: readonly Found[], round: RoundKey, asked: readonly Asked[]): Entrants => {
  const problems: Problem[] = [];
  const known: Entrants['known'][number][] = [];
  for (const [index, { field }] of asked.entries()) {
    const competitor = found[index];
    if (competitor === undefined) continue;
    if ('personIds' in competitor) {
      const { named, personIds } = competitor;
      known.push({ index, entrant: { named, personIds, resultId: resultIdOf(round, personIds), field } });
    } else {
      const { code, message } =
        'unknown' in competitor
          ? { code: 'person-not-found' as const, message: personNotFound(competitor) }
          : competitor;
      problems.push({ field, rule: code, message });
    }
  }
  const isFirst = ({ rule }: Problem): boolean => rule === 'person-not-found';
  return { known, refused: refusal([...problems.filter(isFirst), ...problems.filter((of) => !isFirst(of))]) };
};

/** Throws RejectedError, naming every row whose ids name no person. */
export const entrants = async (
  lookup: EntrantLookup,
  round: RoundKey,
  asked: readonly Asked[],
): Promise<readonly Entrant[]> => {
  const { known, refused } = entrantsIn(await findEntrants(lookup, round, asked), round, asked);
  if (refused !== null) throw new RejectedError(refused);
  return known.map(({ entrant }) => entrant);
};
