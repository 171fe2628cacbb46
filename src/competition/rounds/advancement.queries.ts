/** Queries on advancement: who goes on to the next round, as a moderator sees it before and after deciding. */

import { Query } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import type { Confirmation } from '../aggregates/round/advancement-plan.js';
import type { MissingView, RoundProgress } from '../contests/contest.queries.js';
import type { PersonView } from '../persons/person.queries.js';

/** The persons of one competitor, with the place in the round. */
export interface PlacedCompetitorView {
  readonly place: number;
  readonly persons: readonly PersonView[];
}

export interface NextRoundView {
  readonly roundNumber: number;
  readonly opened: boolean;
  /** Whether the opening can be taken back: nothing is entered. */
  readonly canUndo: boolean;
  /** Who would advance by the results as they are now, and is not on the roster of the next round. */
  readonly notTaken: readonly PlacedCompetitorView[];
  /** Who is on that roster, and would not advance by the results as they are now. */
  readonly notAdvancing: readonly PlacedCompetitorView[];
  /** Who is next in line for the places of those who quit; ties are whole. */
  readonly reserves: readonly PlacedCompetitorView[];
}

export interface AdvancementView {
  /** Null: the round takes every known person. */
  readonly progress: RoundProgress | null;
  /** Who advances by the rule of the round, best first. */
  readonly competitors: readonly PlacedCompetitorView[];
  /** What the decision has to confirm as it stands. */
  readonly toConfirm: readonly { readonly rule: Confirmation; readonly message: string }[];
  /** Without a result. */
  readonly missing: readonly MissingView[];
  /** With a result that lacks attempts. */
  readonly incomplete: readonly PlacedCompetitorView[];
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
