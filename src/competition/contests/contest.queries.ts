/** Queries on contests and their results: the JSON of the public API, field by field in its order. */

import { Query } from '@nestjs/cqrs';
import type { Prospect } from '../../domain/advancement.js';
import type { Advancement, Cutoff, RoundFormat, TimeLimit } from '../../domain/attempts.js';
import type { RecordTags } from '../../domain/record-tags.js';
import type { ContestRef, RoundKey } from '../../domain/references.js';
import type { RosterMark } from '../../domain/roster.js';
import type { ContestDetails, OpaqueParts, OpaqueRound } from '../aggregates/contest/contest.js';
import { ContestQuery } from '../contest-query.js';
import type { PersonView } from '../persons/person.queries.js';
import type { ResultDocument } from '../results/ranking-documents.js';
import type { HistoryStep } from '../results/round-history.js';

/**
 * The stage of a contest as readers see it: the field `state`. The state folded from the stream is a ContestState.
 */
export const CONTEST_STAGES = ['draft', 'announced', 'ongoing', 'finished', 'deleted'] as const;
export type ContestStage = (typeof CONTEST_STAGES)[number];

export interface ContestSummaryView extends Omit<ContestDetails, 'organizerIds'> {
  readonly competitionId: string;
  readonly state: ContestStage;
  /** Number of persons with a result. */
  readonly participants: number;
  /** The events of its rounds, in catalogue order. */
  readonly eventIds: readonly string[];
}

export interface AttemptView {
  readonly result: number;
}

export interface RoundResultView
  extends Pick<ResultDocument, 'resultId' | 'best' | 'average' | 'date' | 'regionCode'> {
  readonly place: number;
  readonly advances: boolean;
  /** Null: the round has no rule for advancing, or no roster. */
  readonly advancement: Prospect | null;
  readonly recordTags: RecordTags;
  readonly persons: readonly PersonView[];
  readonly attempts: readonly AttemptView[];
}

/** A competitor on the roster of a round who has no result. */
export interface MissingView {
  /** One, or the members of a team. Round 1 of a team event names its persons one by one. */
  readonly persons: readonly PersonView[];
  readonly mark: RosterMark;
}

/** How far a round is. Numbers of competitors. */
export interface RoundProgress {
  /** With a result, or missing and neither a no-show nor one who quit. */
  readonly expected: number;
  /** With a result. */
  readonly entered: number;
  /** With all attempts that they may have. */
  readonly complete: number;
}

export interface RoundRosterView extends RoundProgress {
  readonly missing: readonly MissingView[];
}

export interface RoundView {
  readonly roundNumber: number;
  /**
   * In the association's notation: `1`, `2`, `3` before the final (`d`, `e`, `g` with a cutoff), `f` for the final
   * (`c` with a cutoff).
   */
  readonly roundTypeId: string;
  readonly format: RoundFormat;
  readonly date: string | null;
  readonly open: boolean;
  /** Its places may change: it is open, or it was closed with results missing and the contest goes on. */
  readonly provisional: boolean;
  readonly timeLimit: TimeLimit | null;
  readonly cutoff: Cutoff | null;
  readonly advancement: Advancement | null;
  /** Null: the round takes every known person. */
  readonly roster: RoundRosterView | null;
  readonly results: readonly RoundResultView[];
}

/** A result of an opaque round, as the file gives it; null: not given. */
export interface OpaqueResultView {
  readonly place: number | null;
  readonly persons: readonly PersonView[];
  readonly attempts: readonly AttemptView[];
  readonly best: number | null;
  readonly average: number | null;
}

/** A round of a format that Podium does not have. It is shown as its file gives it, and counts nowhere. */
export interface OpaqueRoundView extends Pick<OpaqueRound, 'eventId' | 'roundNumber' | 'format' | 'date'> {
  /** By place, then in the order of the file. */
  readonly results: readonly OpaqueResultView[];
}

export interface ContestView extends ContestSummaryView {
  readonly organizers: readonly string[];
  readonly events: readonly { readonly eventId: string; readonly rounds: readonly RoundView[] }[];
  /** In catalogue order, then by number. */
  readonly opaqueRounds: readonly OpaqueRoundView[];
}

/** A round in the plan of a contest. */
export interface PlannedRoundView extends Pick<RoundView, 'roundNumber' | 'roundTypeId' | 'open'> {
  /** Whether it was ever open. */
  readonly opened: boolean;
  /** Whether Podium only shows it, as its file gives it. */
  readonly opaque: boolean;
}

/** A contest with the plan of its rounds, and without their results. */
export interface ContestPlanView extends Omit<ContestView, 'events'> {
  /** In catalogue order; the rounds by number, opaque ones among them. */
  readonly events: readonly { readonly eventId: string; readonly rounds: readonly PlannedRoundView[] }[];
}

/** The first three places of an event, ties whole. */
export interface PodiumView {
  readonly eventId: string;
  readonly roundNumber: number;
  /** Null: an opaque round, which has places and no value that counts. */
  readonly format: RoundFormat | null;
  readonly results: readonly PodiumResultView[];
}

export interface PodiumResultView extends Pick<RoundResultView, 'persons' | 'recordTags'> {
  readonly place: number;
  readonly best: number | null;
  readonly average: number | null;
}

/** An open round, how far it is and who leads. */
export interface OpenRoundView extends Pick<RoundView, 'roundNumber' | 'roundTypeId' | 'format'> {
  readonly eventId: string;
  /** Number of competitors with a result. */
  readonly entered: number;
  /** Null: the round takes every known person. */
  readonly progress: RoundProgress | null;
  /** The first place, several when tied. Empty until a competitor has a valid result. */
  readonly leaders: readonly PodiumResultView[];
}

export interface ContestOverviewView extends ContestPlanView {
  readonly openRounds: readonly OpenRoundView[];
  /** Of the events that are decided. */
  readonly podiums: readonly PodiumView[];
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Number of items in the whole list. */
  readonly total: number;
  /** Pass it as `after` to get the next page; null on the last page. */
  readonly next: string | null;
}

/** Newest start date first, then by id. Leaves out drafts and deleted contests unless `includeHidden` is true. */
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

/** Throws RejectedError `contest-not-found`, also for drafts and deleted contests unless `includeHidden` is true. */
export class GetContest extends Query<ContestView> {
  constructor(
    readonly contest: ContestRef,
    readonly includeHidden = false,
  ) {
    super();
  }
}

/** The contest with its podiums and open rounds. Throws RejectedError `contest-not-found`, also for drafts and deleted contests. */
export class GetContestOverview extends ContestQuery<ContestOverviewView> {}

/** The plan of a contest. Throws RejectedError `contest-not-found`, also for drafts and deleted contests. */
export class GetContestPlan extends ContestQuery<ContestPlanView> {}

/** Null: there is no such round, or it is opaque. Does not ask whether the contest is hidden. */
export class FindRound extends Query<RoundView | null> {
  constructor(readonly round: RoundKey) {
    super();
  }
}

/** What the contest has from a file and Podium only keeps. Nothing for a contest that is not there. */
export class GetOpaqueParts extends ContestQuery<OpaqueParts> {}

/** Throws RejectedError `contest-not-found` (also for drafts and deleted contests), `round-not-found`. */
export class GetRound extends Query<RoundView> {
  constructor(readonly round: RoundKey) {
    super();
  }
}

/** A person with a number or a result in the contest. */
export interface CompetitorView {
  /**
   * The competitor number; null: the person has none. A person who was merged may have two numbers, each in a view of
   * its own.
   */
  readonly number: number | null;
  readonly person: PersonView;
}

/**
 * Sorted by number, then those without a number by name. The other number of a merged person comes behind that of the competitor
 * list. Includes drafts. Throws RejectedError `contest-not-found`.
 */
export class ListCompetitors extends ContestQuery<readonly CompetitorView[]> {}

/** Contests with an ending that was begun and is not recorded. For the process manager. */
export class ListEndingContests extends Query<
  readonly (ContestRef & { readonly ending: 'finish' | 'delete' })[]
> {}

/** Contests with an open round that has a roster. For the process manager. */
export class ListRosteredContests extends Query<readonly ContestRef[]> {}

/** Oldest first. Includes drafts. Throws RejectedError `contest-not-found`, `round-not-found`. */
export class ListRoundHistory extends Query<readonly HistoryStep[]> {
  constructor(readonly round: RoundKey) {
    super();
  }
}
