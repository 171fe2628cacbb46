/** Contests as moderators see them: with drafts, the state of each round, and the effects of an ending. */

import { Query } from '@nestjs/cqrs';
import type { Advancement, Cutoff, RoundFormat, RoundRef, TimeLimit } from '../../domain/attempts.js';
import type { ContestRef } from '../../domain/references.js';
import { ContestQuery } from '../contest-query.js';
import type { ContestStage, ContestSummaryView, Page, RoundProgress } from './contest.queries.js';

export const ROUND_PHASES = ['unopened', 'open', 'closed'] as const;
export type RoundPhase = (typeof ROUND_PHASES)[number];

export const ENDINGS = ['finish', 'delete'] as const;
export type Ending = (typeof ENDINGS)[number];

export interface ModeratedSummaryView extends ContestSummaryView {
  /** An ending that was begun and is not yet recorded: entry is already refused. */
  readonly ending: Ending | null;
  readonly plannedRounds: number;
  readonly openRounds: number;
}

export interface ModeratedRoundView {
  readonly roundNumber: number;
  readonly phase: RoundPhase;
  readonly format: RoundFormat;
  /** YYYY-MM-DD; null: the contest's end date applies. */
  readonly date: string | null;
  readonly timeLimit: TimeLimit | null;
  readonly cutoff: Cutoff | null;
  readonly advancement: Advancement | null;
  /** Number of results. */
  readonly results: number;
  /** Null: the round has no roster. */
  readonly progress: RoundProgress | null;
}

export interface OrganizerView {
  readonly personId: number;
  readonly name: string;
}

export interface ModeratedContestView extends ModeratedSummaryView {
  /** Rounds after the first open then with those who advance. */
  readonly hasCompetitorList: boolean;
  readonly organizers: readonly OrganizerView[];
  /** In catalogue order. */
  readonly events: readonly { readonly eventId: string; readonly rounds: readonly ModeratedRoundView[] }[];
  /** Rounds of a file that are only shown. */
  readonly opaqueRounds: readonly RoundRef[];
  readonly activeKeys: number;
}

/** Newest start date first, then by id. Without a state: all contests except deleted ones. */
export class ListModeratedContests extends Query<Page<ModeratedSummaryView>> {
  constructor(
    readonly filter: {
      readonly spaceId: string;
      /** Ids of contests; null: all contests of the space. */
      readonly only: readonly string[] | null;
      /** Searched in name, short name, id and city, ignoring case and accents. */
      readonly search: string | null;
      readonly state: ContestStage | null;
    },
    readonly page: { readonly limit: number; readonly after: string | null },
  ) {
    super();
  }
}

/** Includes drafts and deleted contests. Throws RejectedError `contest-not-found`. */
export class GetModeratedContest extends ContestQuery<ModeratedContestView> {}

/** What finishing or deleting the contest would end now. */
export interface EndingView {
  readonly ending: Ending;
  /** Rounds that the ending will close. */
  readonly openRounds: readonly (RoundRef & { readonly results: number })[];
  /** Keys that the ending will end for good. */
  readonly keys: readonly {
    readonly keyId: string;
    readonly device: string;
    /** ISO 8601, UTC. */
    readonly lastUsedAt: string | null;
  }[];
  /**
   * What the ending removes from rankings, records and persons' pages. All 0 when the contest is finished: its
   * results stay.
   */
  readonly vanishing: {
    readonly results: number;
    readonly persons: number;
    readonly eventIds: readonly string[];
  };
}

/** Throws RejectedError `contest-not-found`. */
export class GetContestEnding extends Query<EndingView> {
  constructor(
    readonly contest: ContestRef,
    readonly ending: Ending,
  ) {
    super();
  }
}
