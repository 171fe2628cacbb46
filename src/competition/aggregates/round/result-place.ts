/**
 * Finds the result that an entry means. The members of a team identify it, whatever their order. The order says who did
 * what, so a result has the order of its last entry. Rounds of before may hold a team twice, in two orders: there the
 * order tells which result is meant.
 */
import { type Problem, teamProblems } from '../../../domain/entry-rules.js';
import { competitorKey, membersKey } from '../../../domain/references.js';
import type { Members } from './roster.js';
import {
  type Competitor,
  type RoundResult,
  type RoundSetup,
  type RoundState,
  resolveAlias,
} from './round.js';

const ofMembers = (state: RoundState, personIds: readonly number[]): RoundResult | undefined => {
  const [first] = personIds;
  if (first === undefined || personIds.length === 1) return undefined;
  const key = membersKey(personIds);
  return state.results.find(
    (other) => other.personIds.includes(first) && membersKey(other.personIds) === key,
  );
};

/** The result of exactly these persons, whatever they were called before a merge. */
export const resultOf = (state: RoundState, personIds: readonly number[]): RoundResult | undefined => {
  const now = resolveAlias(state, personIds);
  return state.results.get(competitorKey(now)) ?? ofMembers(state, now);
};

export interface ResultPlace {
  readonly resultId: string;
  /** In the order that the result has, or would get. */
  readonly personIds: readonly number[];
  /** The same persons in the order of the entry. */
  readonly sent: readonly number[];
  /** Undefined as long as there is none. */
  readonly result?: RoundResult;
}

/**
 * Where an entry goes: the result that the persons have as they were named (their merge has not come to this round
 * yet), else the competitor that they are now.
 */
export const placeOf = (
  state: RoundState,
  { named, personIds, resultId }: Pick<Competitor, 'named' | 'personIds' | 'resultId'>,
): ResultPlace => {
  const asNamed = resultOf(state, named);
  const result = asNamed ?? resultOf(state, personIds);
  const sent = resolveAlias(state, asNamed === undefined ? personIds : named);
  return result === undefined
    ? { resultId, personIds: sent, sent }
    : { resultId: result.resultId, personIds: result.personIds, sent, result };
};

/** What is wrong with the persons of an entry; `result` is the one that they have. */
export const competitorProblems = (
  state: RoundState,
  { participants }: RoundSetup,
  {
    personIds,
    result,
    field,
  }: { readonly personIds: Members; readonly result: RoundResult | undefined; readonly field: string },
): readonly Problem[] => [
  ...teamProblems(personIds, participants, field),
  ...(result === undefined ? otherTeamProblems(state, personIds, field) : []),
];

/** A person is in one team of a round. `personIds` are those of a team that has no result yet. */
const otherTeamProblems = (
  state: RoundState,
  personIds: readonly number[],
  field: string,
): readonly Problem[] => {
  if (personIds.length === 1) return [];
  const other = state.results.find((result) => result.personIds.some((id) => personIds.includes(id)));
  const person = other?.personIds.find((id) => personIds.includes(id));
  if (other === undefined || person === undefined) return [];
  const message = `person ${person} is in another team of the round: ${competitorKey(other.personIds)}`;
  return [{ field, rule: 'person-in-two-teams', message }];
};
