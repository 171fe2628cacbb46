/** Queries on contests and what they answer: the JSON of the public API, field by field in its order. */

import { Query } from '@nestjs/cqrs';
import type { Advancement, Cutoff, RoundFormat, TimeLimit } from '../../domain/attempts.js';
import type { ContestRef, RoundKey } from '../../domain/references.js';
import type { ContestDetails } from '../aggregates/contest/contest.js';
import type { PersonView } from '../persons/person.queries.js';
import type { ResultDocument } from '../results/ranking-documents.js';
import type { ResultChangeView } from '../results/result-changes.js';

/** How far a contest has come, as everybody sees it: the field `state`. What is folded from its stream is a ContestState. */
export const CONTEST_STAGES = ['draft', 'announced', 'ongoing', 'finished', 'deleted'] as const;
export type ContestStage = (typeof CONTEST_STAGES)[number];

export interface ContestSummaryView extends Omit<ContestDetails, 'organizerIds'> {
  readonly competitionId: string;
  readonly state: ContestStage;
  /** How many persons have a result. */
  readonly participants: number;
  /** Of its rounds, in the order of the catalogue. */
  readonly eventIds: readonly string[];
}

export interface AttemptView {
  readonly result: number;
}

export interface RoundResultView
  extends Pick<ResultDocument, 'resultId' | 'best' | 'average' | 'date' | 'regionCode'> {
  readonly place: number;
  readonly advances: boolean;
  readonly persons: readonly PersonView[];
  readonly attempts: readonly AttemptView[];
}

export interface RoundView {
  readonly roundNumber: number;
  /** As the association writes it: `1`, `2`, `3` for the rounds before the last (`d`, `e`, `g` with a cutoff), `f` (`c`) for the final. */
  readonly roundTypeId: string;
  readonly format: RoundFormat;
  readonly date: string | null;
  readonly open: boolean;
  readonly timeLimit: TimeLimit | null;
  readonly cutoff: Cutoff | null;
  readonly advancement: Advancement | null;
  readonly results: readonly RoundResultView[];
}

export interface ContestView extends ContestSummaryView {
  readonly organizers: readonly string[];
  readonly events: readonly { readonly eventId: string; readonly rounds: readonly RoundView[] }[];
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Of the whole list. */
  readonly total: number;
  /** Give this as `after` to go on; null at the end. */
  readonly next: string | null;
}

/** Newest start date first, then id; drafts and deleted ones are left out unless asked for. */
export class ListContests extends Query<Page<ContestSummaryView>> {
  constructor(
    readonly filter: {
      readonly spaceId: string;
      readonly eventId?: string;
      /** Country or continent code in upper case. */
      readonly region?: string;
      readonly includeHidden?: boolean;
    },
    readonly page: { readonly limit?: number; readonly after?: string },
  ) {
    super();
  }
}

/** Throws RejectedError `contest-not-found` (also for drafts and deleted ones, unless hidden ones are asked for). */
export class GetContest extends Query<ContestView> {
  constructor(
    readonly contest: ContestRef,
    readonly includeHidden = false,
  ) {
    super();
  }
}

/** Throws RejectedError `contest-not-found` (also for drafts and deleted ones), `round-not-found`. */
export class GetRound extends Query<RoundView> {
  constructor(readonly round: RoundKey) {
    super();
  }
}

/** Who takes part in a contest: has a number there, or a result. */
export interface CompetitorView {
  /** By which the entry desk calls the person; null: none was given. Who was merged may have two, each in its own view. */
  readonly number: number | null;
  readonly person: PersonView;
}

/** By number, then those without one by name; also of a draft. Throws RejectedError `contest-not-found`. */
export class ListCompetitors extends Query<readonly CompetitorView[]> {
  constructor(readonly contest: ContestRef) {
    super();
  }
}

/** Contests whose ending was begun and is not recorded: for the process manager. */
export class ListEndingContests extends Query<
  readonly (ContestRef & { readonly ending: 'finish' | 'delete' })[]
> {}

export class ListResultHistory extends Query<readonly ResultChangeView[]> {
  constructor(
    readonly contest: ContestRef,
    readonly eventId: string,
    readonly roundNumber: number,
  ) {
    super();
  }
}
