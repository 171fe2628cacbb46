/**
 * The results of one round. The members of a team identify it, whatever their order. The order says who did what, so a result
 * has the order of its last entry. Rounds of before may hold a team twice, in two orders: there the order tells which result is meant.
 */

import type { Map as ImmutableMap } from 'immutable';
import { NOT_TAKEN, type RoundFormat } from './attempts.js';
import { competitorKey, membersKey } from './references.js';
import { padded } from './scoring.js';

export interface RoundResult {
  readonly resultId: string;
  readonly personIds: readonly number[];
  /** One value for each attempt of the format; never all 0. */
  readonly attempts: readonly number[];
  /** How often it has changed so far, its first entry counted: the number of its last change. */
  readonly changes: number;
  /** Whether it was typed a second time, the same, or confirmed since it last changed. */
  readonly checked: boolean;
}

/** By competitor: the person ids in their order, joined by commas. */
export type RoundResults = ImmutableMap<string, RoundResult>;

/** The result of exactly these persons, in this order if there is one. */
export const resultIn = (results: RoundResults, personIds: readonly number[]): RoundResult | undefined =>
  results.get(competitorKey(personIds)) ?? ofMembers(results, personIds);

const ofMembers = (results: RoundResults, personIds: readonly number[]): RoundResult | undefined => {
  const [first] = personIds;
  if (first === undefined || personIds.length === 1) return undefined;
  const key = membersKey(personIds);
  return results.find((other) => other.personIds.includes(first) && membersKey(other.personIds) === key);
};

export const hasAttempts = (attempts: readonly number[]): boolean =>
  attempts.some((value) => value !== NOT_TAKEN);

// --- changes ---------------------------------------------------------------------------------------------------------

/** With the persons of the result in another order than `was`. */
export const reordered = (
  results: RoundResults,
  personIds: readonly number[],
  was: readonly number[],
): RoundResults => {
  const former = results.get(competitorKey(was));
  if (former === undefined) return results;
  return results.delete(competitorKey(was)).set(competitorKey(personIds), { ...former, personIds });
};

export const withCheck = (results: RoundResults, personIds: readonly number[]): RoundResults => {
  const result = results.get(competitorKey(personIds));
  return result === undefined ? results : results.set(competitorKey(personIds), { ...result, checked: true });
};

export const inFormat = (results: RoundResults, format: RoundFormat): RoundResults =>
  results.map((result) => ({ ...result, attempts: padded(result.attempts, format) }));

/** In every result, `from` is `into`. */
export const withMerged = (results: RoundResults, from: number, into: number): RoundResults =>
  results.mapEntries(([key, result]) => {
    if (!result.personIds.includes(from)) return [key, result];
    const personIds = result.personIds.map((id) => (id === from ? into : id));
    return [competitorKey(personIds), { ...result, personIds }];
  });
