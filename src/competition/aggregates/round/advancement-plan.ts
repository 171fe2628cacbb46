/**
 * Who advances from a round by its rule, as its results stand now, and what a moderator is asked before that is decided.
 */

import { advancing } from '../../../domain/advancement.js';
import { averageOf, isComplete, placesOf, singleOf } from '../../../domain/scoring.js';
import type { Members, Roster, RosterEntry } from './roster.js';
import type { RoundResult, RoundSetup, RoundState } from './round.js';

export const CONFIRMATIONS = [
  'missing-results',
  'few-competitors',
  'fifth-round',
  'other-competitors',
] as const;
export type Confirmation = (typeof CONFIRMATIONS)[number];

export const QUESTIONS: Readonly<Record<Confirmation, string>> = {
  'missing-results': 'results are missing or not complete',
  'few-competitors': 'a round of fewer than 8 competitors has no round after it by the regulations',
  'fifth-round': 'an event has at most 4 rounds by the regulations',
  'other-competitors': 'these are not the competitors who advance by the rule of the round',
};

/** By the regulations: with fewer competitors, a round has no round after it. */
const FEWEST_COMPETITORS = 8;
/** By the regulations. */
const MOST_ROUNDS = 4;

export interface PlacedResult extends RoundResult {
  readonly place: number;
  readonly best: number;
  readonly advances: boolean;
}

export interface AdvancementPlan {
  /** All results, best first. */
  readonly placed: readonly PlacedResult[];
  /** Those who advance by the rule, best first. */
  readonly competitors: readonly Members[];
  /** Not `other-competitors`, which depends on the list that is decided. */
  readonly toConfirm: ReadonlySet<Confirmation>;
}

export const advancementPlan = (
  { results, roster }: Pick<RoundState, 'results' | 'roster'>,
  { rules, valueFormat }: RoundSetup,
  roundNumber: number,
): AdvancementPlan => {
  const scored = [...results.values()].map((result) => ({
    ...result,
    best: singleOf(result.attempts),
    average: averageOf(result.attempts, { ...rules, valueFormat }),
  }));
  const places = placesOf(scored, rules.format);
  const advances = advancing(scored, places, rules);
  const placed = scored
    .map((result, index) => ({ ...result, place: places[index] ?? 0, advances: advances[index] ?? false }))
    .sort((a, b) => a.place - b.place);
  const isMissing =
    missingOf(roster, placed).some(({ mark }) => mark === 'expected') ||
    placed.some(({ attempts }) => !isComplete(attempts, rules));
  const toConfirm = new Set<Confirmation>();
  if (isMissing) toConfirm.add('missing-results');
  if (placed.length < FEWEST_COMPETITORS) toConfirm.add('few-competitors');
  if (roundNumber >= MOST_ROUNDS) toConfirm.add('fifth-round');
  const competitors = placed.filter((result) => result.advances).map(({ personIds }) => personIds);
  return { placed, competitors, toConfirm };
};

/** Who is on the roster and has no result. */
export const missingOf = (
  roster: Roster | readonly RosterEntry[] | null,
  entered: readonly { readonly personIds: Members }[],
): readonly RosterEntry[] => {
  const persons = new Set(entered.flatMap(({ personIds }) => personIds));
  return [...(roster?.values() ?? [])].filter(({ personIds }) => !personIds.every((id) => persons.has(id)));
};
