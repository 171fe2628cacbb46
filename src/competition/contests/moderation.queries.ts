/** What moderators see of contests: drafts too, the state of each round, and what an ending would end. */

import { Query } from '@nestjs/cqrs';
import type { Advancement, Cutoff, RoundFormat, RoundRef, TimeLimit } from '../../domain/attempts.js';
import type { ContestRef } from '../../domain/references.js';
import type { ContestStage, ContestSummaryView, Page } from './contest.queries.js';

export const ROUND_PHASES = ['unopened', 'open', 'closed'] as const;
export type RoundPhase = (typeof ROUND_PHASES)[number];

export const ENDINGS = ['finish', 'delete'] as const;
export type Ending = (typeof ENDINGS)[number];

export interface ModeratedSummaryView extends ContestSummaryView {
  /** Begun and not yet recorded: entry is refused already. */
  readonly ending: Ending | null;
  readonly plannedRounds: number;
  readonly openRounds: number;
}

export interface ModeratedRoundView {
  readonly roundNumber: number;
  readonly phase: RoundPhase;
  readonly format: RoundFormat;
  /** YYYY-MM-DD, null: the contest's end date counts. */
  readonly date: string | null;
  readonly timeLimit: TimeLimit | null;
  readonly cutoff: Cutoff | null;
  readonly advancement: Advancement | null;
  /** How many results are in it. */
  readonly results: number;
}

export interface OrganizerView {
  readonly personId: number;
  readonly name: string;
}

export interface ModeratedContestView extends ModeratedSummaryView {
  readonly organizers: readonly OrganizerView[];
  /** In the order of the catalogue. */
  readonly events: readonly { readonly eventId: string; readonly rounds: readonly ModeratedRoundView[] }[];
  readonly activeKeys: number;
}

/** Newest start date first, then id. Without a state: all but deleted ones. */
export class ListModeratedContests extends Query<Page<ModeratedSummaryView>> {
  constructor(
    readonly filter: {
      readonly spaceId: string;
      /** Null: all of the space. */
      readonly only: readonly string[] | null;
      /** Found in name, short name, id or city, without regard to case and accents. */
      readonly search: string | null;
      readonly state: ContestStage | null;
    },
    readonly page: { readonly limit: number; readonly after: string | null },
  ) {
    super();
  }
}

/** Drafts and deleted ones too. Throws RejectedError `contest-not-found`. */
export class GetModeratedContest extends Query<ModeratedContestView> {
  constructor(readonly contest: ContestRef) {
    super();
  }
}

/** What finishing or deleting would end now. */
export interface EndingView {
  readonly ending: Ending;
  /** They will be closed. */
  readonly openRounds: readonly (RoundRef & { readonly results: number })[];
  /** They will end for good. */
  readonly keys: readonly {
    readonly keyId: string;
    readonly device: string;
    /** ISO 8601, UTC. */
    readonly lastUsedAt: string | null;
  }[];
  /** What leaves rankings, records and persons' pages. All 0 when the contest is finished: its results stay. */
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
