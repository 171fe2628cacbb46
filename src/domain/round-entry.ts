/** An entry into a round: which result it is of, and what is wrong with it, apart from cutoff and time limit (entry-rules.ts). */

import type { Map as ImmutableMap } from 'immutable';
import { NOT_TAKEN, type RoundRules, type ValueFormat } from './attempts.js';
import {
  type AttemptField,
  type Problem,
  teamProblems,
  tooManyAttempts,
  valueProblems,
} from './entry-rules.js';
import { isSameData } from './equality.js';
import { competitorKey } from './references.js';
import type { Rejection } from './rejections.js';
import { hasAttempts, type RoundResult, type RoundResults, resultIn } from './round-results.js';

/** A competitor as a request names it and as the persons' streams know it. */
export interface Competitor {
  /** As named. */
  readonly named: readonly number[];
  /** With merged persons followed to whom they became. */
  readonly personIds: readonly number[];
  /** What the result will be called if this entry makes it. */
  readonly resultId: string;
  /** The request's field that names the competitor. */
  readonly field: string;
  /** Centiseconds spent in the other rounds of a cumulative time limit. */
  readonly elsewhere: number;
}

// --- where it goes ---------------------------------------------------------------------------------------------------

interface Entered {
  readonly results: RoundResults;
  /** Persons that were merged in this round, and into whom. */
  readonly aliases: ImmutableMap<number, number>;
}

export const resolveAlias = (
  { aliases }: Pick<Entered, 'aliases'>,
  personIds: readonly number[],
): readonly number[] => (aliases.size === 0 ? personIds : personIds.map((id) => aliases.get(id, id)));

/** The result of exactly these persons, whatever they were called before a merge. */
export const resultOf = (round: Entered, personIds: readonly number[]): RoundResult | undefined =>
  resultIn(round.results, resolveAlias(round, personIds));

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
 * The result that the persons have as they were named (their merge has not come to this round yet), else the competitor
 * that they are now.
 */
export const placeOf = (
  round: Entered,
  { named, personIds, resultId }: Pick<Competitor, 'named' | 'personIds' | 'resultId'>,
): ResultPlace => {
  const asNamed = resultOf(round, named);
  const result = asNamed ?? resultOf(round, personIds);
  const sent = resolveAlias(round, asNamed === undefined ? personIds : named);
  return result === undefined
    ? { resultId, personIds: sent, sent }
    : { resultId: result.resultId, personIds: result.personIds, sent, result };
};

export const isReordered = ({ result, sent }: ResultPlace): boolean =>
  result !== undefined && !isSameData(result.personIds, sent);

/** Whether these are the attempts of a result, be those that are not taken left out at the end or not. */
export const areAttempts = (given: readonly number[], now: readonly number[]): boolean =>
  isSameData(
    now,
    now.map((_, index) => given[index] ?? NOT_TAKEN),
  );

// --- what is wrong with it -------------------------------------------------------------------------------------------

export interface Entry {
  readonly eventId: string;
  readonly personIds: readonly number[];
  readonly result: RoundResult | undefined;
  /** The field that names the competitor. */
  readonly competitor: string;
  /** The field of an attempt that the format does not have; null: there is none. */
  readonly beyond: string | null;
  readonly values: readonly number[];
  readonly field: AttemptField;
  /** Stored values are not judged again, so that a device may send them again, alone or beside new ones. */
  readonly isEntered: (index: number) => boolean;
}

interface Setup {
  readonly rules: Pick<RoundRules, 'format'>;
  readonly valueFormat: ValueFormat;
  readonly participants: number;
}

/** In the order in which refusals are told. */
export const entryProblems = (
  entry: Entry,
  { results }: Pick<Entered, 'results'>,
  setup: Setup,
): readonly Problem[] => {
  const { eventId, personIds, result, competitor, beyond, values } = entry;
  const team = teamProblems(personIds, setup.participants, competitor);
  const isNew = team.length === 0 && result === undefined && hasAttempts(values);
  return [
    ...(beyond === null ? [] : [tooManyAttempts(beyond, setup.rules.format)]),
    ...team,
    ...(isNew ? otherTeamProblems(results, personIds, competitor) : []),
    ...valueProblems(values, { eventId, valueFormat: setup.valueFormat }, entry),
  ];
};

/** A person is in one team of a round. `personIds` are those of a team that has no result yet. */
const otherTeamProblems = (
  results: RoundResults,
  personIds: readonly number[],
  field: string,
): readonly Problem[] => {
  if (personIds.length === 1) return [];
  const other = results.find((result) => result.personIds.some((id) => personIds.includes(id)));
  const person = other?.personIds.find((id) => personIds.includes(id));
  if (other === undefined || person === undefined) return [];
  const message = `person ${person} is in another team of the round: ${competitorKey(other.personIds)}`;
  return [{ field, rule: 'person-in-two-teams', message }];
};

/**
 * Only the last change of a result can be undone, so that nothing that came behind it is lost unseen. `changes`: how many it has had;
 * `now`: the result that its competitor has.
 */
export const undoRefusal = (
  { resultId, change }: { readonly resultId: string; readonly change: number },
  { changes, now }: { readonly changes: number; readonly now: RoundResult | undefined },
): Rejection | null => {
  if (!(change >= 1 && change <= changes))
    return { code: 'change-not-found', detail: `result ${resultId} has no change ${change}` };
  if (change < changes)
    return {
      code: 'result-changed',
      detail: 'the result was changed again since: undo the later changes first',
    };
  if (now === undefined || now.resultId === resultId) return null;
  return { code: 'result-changed', detail: `the competitor has another result since: ${now.resultId}` };
};
