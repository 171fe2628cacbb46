/**
 * How the roster of an opened round compares with the results of the round before it, as they are now. It stays as it was decided:
 * corrections and those who quit leave differences, which a moderator sees and may act on.
 */

import type { RoundRef } from '../../../domain/attempts.js';
import { membersKey } from '../../../domain/references.js';
import { type AdvancementPlan, type PlacedResult, reservesOf } from './advancement-plan.js';
import { type CompetitorFacts, isKeptOut, presentOf } from './competitor-facts.js';
import { isGone, type Members, presentRoster, type Roster } from './roster.js';

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
