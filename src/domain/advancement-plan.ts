/**
 * Who advances from a round by its rule, as its results stand now, who takes the places of those who have quit, and what a
 * moderator is asked before that is decided.
 */

import { advancing, mostAdvancing, nextInLine } from './advancement.js';
import type { RoundRef, RoundRules, ValueFormat } from './attempts.js';
import { membersKey } from './references.js';
import type { FieldError } from './rejections.js';
import {
  type CompetitorFacts,
  entriesOf,
  hasLeft,
  isGone,
  isKeptOut,
  type Members,
  presentOf,
  presentRoster,
  type Roster,
  type RosterEntry,
} from './roster.js';
import { repeatedPersons } from './roster-changes.js';
import { averageOf, isComplete, placesOf, singleOf } from './scoring.js';

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

/** A result as it stands in its round. */
export interface StandingResult {
  readonly resultId: string;
  readonly personIds: Members;
  /** One value for each attempt of the format. */
  readonly attempts: readonly number[];
}

export interface PlacedResult extends StandingResult {
  readonly place: number;
  readonly best: number;
  /** By the rule of the round. */
  readonly advances: boolean;
  /** Does not compete in the next round: a moderator says so, or the competitor list. */
  readonly hasQuit: boolean;
}

export interface AdvancementPlan {
  readonly hasRule: boolean;
  /** All results, best first. */
  readonly placed: readonly PlacedResult[];
  /** Those who advance by the rule and have not quit, best first. */
  readonly competitors: readonly PlacedResult[];
  /** Those who advance by the rule and have quit. */
  readonly leaving: readonly PlacedResult[];
  /** The others with a valid result who have not quit, best first. */
  readonly line: readonly PlacedResult[];
  /** How many the rule lets through, those who have quit included. Null: no place becomes free when they quit, or there is no rule. */
  readonly places: number | null;
  /** How many may advance. */
  readonly most: number;
  /** Who is on the roster and has no result, as they are now. */
  readonly missing: readonly RosterEntry[];
  /** Not `other-competitors`, which depends on the list that is decided. */
  readonly toConfirm: ReadonlySet<Confirmation>;
}

interface PlannedFrom {
  readonly round: RoundRef;
  readonly state: {
    readonly results: { values(): Iterable<StandingResult> };
    /** Null: the round takes every known person. */
    readonly roster: Roster | null;
  };
  readonly setup: { readonly rules: RoundRules; readonly valueFormat: ValueFormat };
  readonly facts: CompetitorFacts;
}

export const advancementPlan = ({ round, state, setup, facts }: PlannedFrom): AdvancementPlan => {
  const { rules, valueFormat } = setup;
  const present = presentOf(facts);
  const roster = state.roster && presentRoster(state.roster, present);
  const scored = [...state.results.values()].map((result) => ({
    ...result,
    best: singleOf(result.attempts),
    average: averageOf(result.attempts, { ...rules, valueFormat }),
  }));
  const places = placesOf(scored, rules.format);
  const advances = advancing(scored, places, rules);
  const placed = scored
    .map((result, index) => ({
      ...result,
      place: places[index] ?? 0,
      advances: advances[index] ?? false,
      hasQuit: hasQuit(result.personIds.map(present), { roster, round, facts }),
    }))
    .sort((a, b) => a.place - b.place);
  const entered = placed.map(({ personIds }) => ({ personIds: personIds.map(present) }));
  const missing = missingOf(roster, entered).map((entry) =>
    entry.mark !== 'quit' && isKeptOut(entry, round, facts)
      ? { ...entry, mark: 'withdrawn' as const }
      : entry,
  );
  const isMissing =
    missing.some(({ mark }) => mark === 'expected') ||
    placed.some((result) => !result.hasQuit && !isComplete(result.attempts, rules));
  const toConfirm = new Set<Confirmation>();
  if (isMissing) toConfirm.add('missing-results');
  if (placed.length < FEWEST_COMPETITORS) toConfirm.add('few-competitors');
  if (round.roundNumber >= MOST_ROUNDS) toConfirm.add('fifth-round');
  const through = placed.filter((result) => result.advances);
  const isByNumber = rules.advancement !== null && rules.advancement.type !== 'value';
  return {
    hasRule: rules.advancement !== null,
    placed,
    competitors: through.filter((result) => !result.hasQuit),
    leaving: through.filter((result) => result.hasQuit),
    line: placed.filter((result) => !result.advances && !result.hasQuit && result.best > 0),
    places: isByNumber ? through.length : null,
    most: mostAdvancing(placed),
    missing,
    toConfirm,
  };
};

/** The mark of who has withdrawn counts only as long as the list says so: a closed round does not follow it. */
const hasQuit = (
  personIds: Members,
  { roster, round, facts }: Pick<PlannedFrom, 'round' | 'facts'> & { readonly roster: Roster | null },
): boolean =>
  personIds.some((id) => hasLeft(facts, id)) ||
  entriesOf(roster, personIds).some(
    (entry) => entry.mark === 'quit' || (entry.mark === 'withdrawn' && isKeptOut(entry, round, facts)),
  );

/** Who is offered for places that are free when so many advance. `line`: those who may be offered, best first. */
const reservesOf = (
  { places, most }: Pick<AdvancementPlan, 'places' | 'most'>,
  { taken, line }: { readonly taken: number; readonly line: readonly PlacedResult[] },
): readonly PlacedResult[] => nextInLine(line, { free: (places ?? 0) - taken, room: most - taken });

/** Whether these are those who advance by the rule, and no others but those next in line for places that are free. */
const isByRule = (plan: AdvancementPlan, chosen: readonly Members[]): boolean => {
  const keys = new Set(chosen.map(membersKey));
  const isChosen = ({ personIds }: PlacedResult): boolean => keys.has(membersKey(personIds));
  if (!plan.competitors.every(isChosen)) return false;
  const added = plan.line.filter(isChosen);
  const last = added.at(-1)?.place ?? 0;
  const reserves = reservesOf(plan, { taken: plan.competitors.length, line: plan.line });
  const inTurn = reserves.filter(({ place }) => place <= last);
  return added.length === inTurn.length && inTurn.every(isChosen);
};

/** Why these, named by whom they have results as, cannot advance. */
export const choiceErrors = (
  chosen: readonly Members[],
  { placed }: AdvancementPlan,
): readonly FieldError[] => {
  if (chosen.length === 0)
    return [{ field: 'competitors', rule: 'not-empty', message: 'no competitor would advance' }];
  const results = new Map(placed.map((result) => [membersKey(result.personIds), result]));
  const rows = chosen.map((personIds) => ({ personIds }));
  return [
    ...repeatedPersons(rows),
    ...rows.flatMap(({ personIds }, index) => {
      const result = results.get(membersKey(personIds));
      const field = `competitors[${index}]`;
      const person = `person ${personIds.join(',')}`;
      if (result === undefined || result.best <= 0)
        return [{ field, rule: 'no-result', message: `${person} has no valid result in the round` }];
      return result.hasQuit ? [{ field, rule: 'has-quit', message: `${person} has quit` }] : [];
    }),
  ];
};

/** What a moderator has yet to confirm, before these advance. */
export const openQuestions = (
  plan: AdvancementPlan,
  chosen: readonly Members[],
  confirmed: readonly Confirmation[],
): readonly FieldError[] => {
  const isOther = plan.hasRule && !isByRule(plan, chosen);
  const asked = CONFIRMATIONS.filter((rule) =>
    rule === 'other-competitors' ? isOther : plan.toConfirm.has(rule),
  );
  const open = asked.filter((rule) => !confirmed.includes(rule));
  return open.map((rule) => ({ field: 'confirmed', rule, message: QUESTIONS[rule] }));
};

/** Who is on the roster and has no result. */
export const missingOf = (
  roster: Roster | null,
  entered: readonly { readonly personIds: Members }[],
): readonly RosterEntry[] => {
  const persons = new Set(entered.flatMap(({ personIds }) => personIds));
  return [...(roster?.values() ?? [])].filter(({ personIds }) => !personIds.every((id) => persons.has(id)));
};

// --- the next round --------------------------------------------------------------------------------------------------

// How the roster of an opened round compares with the results of the round before it, as they are now. It stays as it was decided:
// corrections and those who quit leave differences, which a moderator sees and may act on.

export interface NextRoundDifferences {
  /** Who would advance, has not quit, and is not on the roster. */
  readonly notTaken: readonly PlacedResult[];
  /** Who is on the roster, and would not advance, nor in the place of one who has quit. */
  readonly notAdvancing: readonly PlacedResult[];
  /** Who is next in line for places that are free: of those who quit or were left out. */
  readonly reserves: readonly PlacedResult[];
}

export const NO_DIFFERENCES: NextRoundDifferences = { notTaken: [], notAdvancing: [], reserves: [] };

interface Compared {
  /** Of the round before. */
  readonly plan: AdvancementPlan;
  /** Whom a moderator has decided on; null: the rule has. */
  readonly advanced: readonly Members[] | null;
  readonly next: RoundRef;
  readonly roster: Roster;
  readonly facts: CompetitorFacts;
}

export const differencesIn = ({ plan, advanced, next, roster, facts }: Compared): NextRoundDifferences => {
  const present = presentRoster(roster, presentOf(facts));
  const competing = present.filter((entry) => !isGone(entry) && !isKeptOut(entry, next, facts));
  const isTaken = ({ personIds }: PlacedResult): boolean => present.has(membersKey(personIds));
  const competes = ({ personIds }: PlacedResult): boolean => competing.has(membersKey(personIds));
  // Without a rule there are as many places as a moderator has chosen competitors.
  const places = plan.hasRule ? plan.places : (advanced?.length ?? null);
  const limits = { places, most: plan.most };
  const entitled = plan.competitors.filter((result) => competes(result) || !isTaken(result));
  const instead = reservesOf(limits, { taken: entitled.length, line: plan.line });
  const isOut = (result: PlacedResult): boolean => !result.advances && !instead.includes(result);
  return {
    notTaken: plan.competitors.filter((result) => !isTaken(result)),
    notAdvancing: plan.hasRule ? plan.placed.filter((result) => competes(result) && isOut(result)) : [],
    reserves: reservesOf(limits, {
      taken: competing.size,
      line: plan.line.filter((result) => !isTaken(result)),
    }),
  };
};
