/** Queries of the entry desk: a round with all competitors who may be entered, and its history. */

import { Query } from '@nestjs/cqrs';
import type { RecordStep } from '../../domain/record-steps.js';
import type { RoundKey } from '../../domain/references.js';
import type { OneCategory, ValueKind } from '../../domain/results.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import type { CompetitorView, ContestStage, RoundView } from '../contests/contest.queries.js';
import type { PersonView } from '../persons/person.queries.js';
import type { ResultChangeView, RoundChangeView } from '../results/round-history.js';
import type { SpentElsewhere } from './spent-elsewhere.js';

/** A result whose attempts were compared with the card: they were typed a second time, or a moderator confirmed them. */
export interface CheckedResult {
  readonly resultId: string;
  readonly attempts: readonly number[];
}

/** A value that stood as a record, from a day on. */
export interface HeldStep extends RecordStep {
  /** The names of one holder's persons; empty where a reference record names none. */
  readonly holders: readonly string[];
}

/** The record of one region in the event and category of the round. */
export interface StandingRecord {
  readonly kind: ValueKind;
  /** Country or continent; null: World. */
  readonly region: string | null;
  /** Ascending: what stood before the day of the round, then what results of that day have made of it. */
  readonly steps: readonly HeldStep[];
}

/** What a person had as best before the day of the round. */
export interface OwnBest {
  readonly personId: number;
  readonly kind: ValueKind;
  readonly value: number;
}

/** What the desk judges a value by. */
export interface StandingView {
  readonly category: OneCategory;
  /** Of the world and the competitors' regions. Leaves out regions that had no record before the day. */
  readonly records: readonly StandingRecord[];
  /** Leaves out persons of whom no best before the day is known. */
  readonly bests: readonly OwnBest[];
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

/** Who has entered which attempts, as they are now. */
export interface Typist {
  readonly by: ChangeMaker;
  readonly typed: readonly { readonly resultId: string; readonly attemptNumbers: readonly number[] }[];
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
  readonly standing: StandingView;
  readonly typists: readonly Typist[];
}

/** Includes drafts. Throws RejectedError `contest-not-found`, `event-not-found`, `round-not-found`. */
export class GetEntrySheet extends Query<EntrySheetView> {
  constructor(readonly round: RoundKey) {
    super();
  }
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
