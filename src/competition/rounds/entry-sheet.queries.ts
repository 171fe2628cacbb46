/** What somebody who enters results by hand looks at: a round with everybody who may be entered, and its history. */

import { Query } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import type { CompetitorView, ContestStage, RoundView } from '../contests/contest.queries.js';
import type { PersonView } from '../persons/person.queries.js';
import type { ResultChangeView } from '../results/result-changes.js';

/** What a competitor has spent of a cumulative time limit in the other rounds that share it. */
export interface SpentElsewhere {
  readonly personIds: readonly number[];
  readonly centiseconds: number;
}

/** A result that was typed twice, with the attempts that were the same both times. */
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
  /** Of the whole contest, be they in this round or not. */
  readonly competitors: readonly CompetitorView[];
  /** Empty where the time limit is not cumulative; those who have spent nothing are left out. */
  readonly spentElsewhere: readonly SpentElsewhere[];
  /** Only those that have not changed since. */
  readonly checked: readonly CheckedResult[];
}

/** Also of a draft. Throws RejectedError `contest-not-found`, `event-not-found`, `round-not-found`. */
export class GetEntrySheet extends Query<EntrySheetView> {
  constructor(readonly round: RoundKey) {
    super();
  }
}

/** Who made a change: a device by its key, somebody signed in, or what else acts. */
export interface ChangeMaker {
  /** `system`: the command line, an import, or Podium itself. */
  readonly kind: 'device' | 'account' | 'system';
  /** The device's or the account's name; null where it is not known (any more). */
  readonly name: string | null;
  /** Id of the API key or of the account. */
  readonly id: string | null;
}

/** A step of a result's history, with names. */
export interface NamedChangeView
  extends Pick<
    ResultChangeView,
    'resultId' | 'number' | 'change' | 'attemptNumber' | 'attempts' | 'undoes' | 'at'
  > {
  readonly persons: readonly PersonView[];
  /** The attempts before the change; none where the result appeared with it. */
  readonly before: readonly number[];
  readonly by: ChangeMaker;
  /** Whether it is the last change of its result: no other can be undone. */
  readonly last: boolean;
}

/** Newest first. Throws RejectedError `contest-not-found`, `round-not-found`. */
export class GetNamedHistory extends Query<readonly NamedChangeView[]> {
  constructor(
    readonly round: RoundKey,
    /** Only of this result. */
    readonly resultId: string | null,
  ) {
    super();
  }
}
