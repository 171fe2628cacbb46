/** Queries of the entry desk: a round with all competitors who may be entered, and its history. */

import { Query } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import type { CompetitorView, ContestStage, RoundView } from '../contests/contest.queries.js';
import type { PersonView } from '../persons/person.queries.js';
import type { ResultChangeView, RoundChangeView } from '../results/round-history.js';

/** The time of a competitor in the other rounds that share a cumulative time limit. */
export interface SpentElsewhere {
  readonly personIds: readonly number[];
  readonly centiseconds: number;
}

/** A result that was typed twice with the same attempts. */
export interface CheckedResult {
  readonly resultId: string;
  readonly attempts: readonly number[];
}

export interface EntrySheetView {
  readonly competitionId: string;
  readonly contestName: string;
  readonly state: ContestStage;
  readonly event: EventDefinition;
  readonly round: RoundView;
  /** All competitors of the contest, in this round or not. */
  readonly competitors: readonly CompetitorView[];
  /** Empty when the time limit is not cumulative. Leaves out competitors who have spent nothing. */
  readonly spentElsewhere: readonly SpentElsewhere[];
  /** Only results that have not changed since they were checked. */
  readonly checked: readonly CheckedResult[];
}

/** Includes drafts. Throws RejectedError `contest-not-found`, `event-not-found`, `round-not-found`. */
export class GetEntrySheet extends Query<EntrySheetView> {
  constructor(readonly round: RoundKey) {
    super();
  }
}

/** The author of a change: a device by its key, an account, or the system. */
export interface ChangeMaker {
  /** `system`: the command line, an import, or Podium itself. */
  readonly kind: 'device' | 'account' | 'system';
  /** The name of the device or account; null: not known, or not any more. */
  readonly name: string | null;
  /** Id of the API key or of the account. */
  readonly id: string | null;
}

/** A step of a result's history, with names. */
export interface NamedChangeView
  extends Pick<
    ResultChangeView,
    'kind' | 'resultId' | 'number' | 'change' | 'attemptNumber' | 'attempts' | 'undoes' | 'at'
  > {
  readonly persons: readonly PersonView[];
  /** The attempts before the change; empty for a new result. */
  readonly before: readonly number[];
  readonly by: ChangeMaker;
  /** Whether it is the last change of its result. Only that one can be undone. */
  readonly last: boolean;
}

/** A step of the round itself or its roster, with names. */
export interface NamedRoundChangeView extends Pick<RoundChangeView, 'kind' | 'change' | 'byList' | 'at'> {
  /** The persons of each competitor that it concerns. */
  readonly competitors: readonly (readonly PersonView[])[];
  readonly by: ChangeMaker;
}

export type NamedStepView = NamedChangeView | NamedRoundChangeView;

/** Newest first. Throws RejectedError `contest-not-found`, `round-not-found`. */
export class GetNamedHistory extends Query<readonly NamedStepView[]> {
  constructor(
    readonly round: RoundKey,
    /** Only changes of this result; null: all of the round. */
    readonly resultId: string | null,
  ) {
    super();
  }
}
