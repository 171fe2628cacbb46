/** Queries on advancement: who goes on to the next round, as a moderator sees it before and after deciding. */

import { Query } from '@nestjs/cqrs';
import type { Prospect } from '../../domain/advancement.js';
import type { Confirmation } from '../../domain/advancement-plan.js';
import type { RoundKey } from '../../domain/references.js';
import type { MissingView, RoundProgress } from '../contests/contest.queries.js';
import type { PersonView } from '../persons/person.queries.js';

/** The persons of one competitor, with the place in the round. */
export interface PlacedCompetitorView {
  readonly place: number;
  /** Whether they advance however the round ends. Null: without a rule or a roster. */
  readonly advancement: Prospect | null;
  readonly persons: readonly PersonView[];
}

export interface IncompleteView extends PlacedCompetitorView {
  /** Does not compete any more: the missing attempts are not awaited. */
  readonly hasQuit: boolean;
}

export interface NextRoundView {
  readonly roundNumber: number;
  readonly opened: boolean;
  /** Whether the opening can be taken back: nothing is entered. */
  readonly canUndo: boolean;
  /** Who would advance by the results as they are now, has not quit, and is not on the roster of the next round. */
  readonly notTaken: readonly PlacedCompetitorView[];
  /** Who is on that roster, and would not advance by the results as they are now, nor in the place of one who has quit. */
  readonly notAdvancing: readonly PlacedCompetitorView[];
  /** Who is next in line for places that are free: of those who quit or were left out. Ties are whole. */
  readonly reserves: readonly PlacedCompetitorView[];
}

export interface AdvancementView {
  /** Null: the round takes every known person. */
  readonly progress: RoundProgress | null;
  /** Whether the round has a rule for advancing. Without one a moderator chooses from `line`. */
  readonly hasRule: boolean;
  /** Who advances by the rule of the round and has not quit, best first. */
  readonly competitors: readonly PlacedCompetitorView[];
  /** Who advances by the rule and has quit, or withdrawn from the contest. */
  readonly leaving: readonly PlacedCompetitorView[];
  /** The others with a valid result who have not quit, best first: next in line for places that are free. */
  readonly line: readonly PlacedCompetitorView[];
  /** How many the rule lets through, those who have quit included. Null: no place becomes free when they quit. */
  readonly places: number | null;
  /** How many may advance: 75 percent of those with an attempt. */
  readonly most: number;
  /** What the decision has to confirm as it stands. */
  readonly toConfirm: readonly { readonly rule: Confirmation; readonly message: string }[];
  /** Without a result, by name. */
  readonly missing: readonly MissingView[];
  /** With a result that lacks attempts. */
  readonly incomplete: readonly IncompleteView[];
  /** Null: no round of the event follows in the plan. */
  readonly next: NextRoundView | null;
}

/** Throws RejectedError `contest-not-found`, `round-not-found`; `round-state` for a round that was never opened. */
export class GetAdvancement extends Query<AdvancementView> {
  constructor(readonly round: RoundKey) {
    super();
  }
}

/** Rounds that were closed for a next round that is not open. For the process manager. */
export class ListAdvancingRounds extends Query<readonly RoundKey[]> {}
