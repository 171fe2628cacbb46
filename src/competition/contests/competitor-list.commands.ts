/**
 * Commands and the query of a contest's competitor list. The commands follow merges and throw RejectedError
 * `person-not-found`, naming every row, besides what the contest refuses.
 */

import { Command, Query } from '@nestjs/cqrs';
import type { CompetitorSelector, ContestRef } from '../../domain/references.js';
import type { RegistrationState } from '../../domain/registrations.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import { ContestQuery } from '../contest-query.js';
import type { PersonView } from '../persons/person.queries.js';
import type { RoundView } from './contest.queries.js';

export interface RequestedCompetitor {
  /** Of one person. */
  readonly selector: CompetitorSelector;
  /** Null: the person's own, or the next one. */
  readonly number: number | null;
  readonly eventIds: readonly string[];
}

/** Replaces the whole list. Who is not in it is dropped. */
export class ReplaceCompetitors extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly rows: readonly (RequestedCompetitor & {
      /** Null: who is checked in stays so, everybody else is registered. */
      readonly state: RegistrationState | null;
    })[],
    /** `changes` of the list that is replaced; null: of any. Another one is refused as `competitors-changed`. */
    readonly seen: number | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/**
 * Brings the list up to date with a file. Who is missing there is dropped. What was changed by hand since the last import
 * stays, see importedCompetitors in competitor-list.decider.ts.
 */
export class ImportCompetitorList extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly rows: ReplaceCompetitors['rows'],
    readonly options: {
      /** `changes` of the list that was compared; null: any. Another one is refused as `competitors-changed`. */
      readonly seen: number | null;
      /** Also where the list was changed by hand. */
      readonly overwrite: boolean;
      /** Drops no competitor. */
      readonly keepsMissing: boolean;
    },
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Puts competitors on the list, or changes their events. Who has withdrawn is registered again. */
export class RegisterCompetitors extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly rows: readonly RequestedCompetitor[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Checks a competitor of the list in, or withdraws one. */
export class MarkCompetitor extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly personId: number,
    readonly mark: 'CheckInCompetitor' | 'WithdrawCompetitor',
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** A competitor on the list. */
export interface ListedCompetitorView {
  readonly number: number;
  readonly person: PersonView;
  readonly eventIds: readonly string[];
  readonly state: RegistrationState;
  /** The list does not name the person any more; shown because of results in the contest. */
  readonly dropped: boolean;
}

export interface CompetitorListView {
  /** By number. */
  readonly competitors: readonly ListedCompetitorView[];
  /** Grows with each change of the list. */
  readonly changes: number;
}

/** Whether the contest has a competitor list. Does not ask whether there is such a contest. */
export class HasCompetitorList extends ContestQuery<boolean> {}

/** A competitor of the list, with all ids that the person has had. */
export interface FoundCompetitor {
  readonly competitor: ListedCompetitorView;
  readonly personIds: ReadonlySet<number>;
}

/**
 * The competitor of a number; a number that a merge has freed finds the present person. Throws RejectedError `contest-not-found`
 * (also for drafts and deleted contests unless `includeHidden` is true), `person-not-found`.
 */
export class FindCompetitor extends Query<FoundCompetitor> {
  constructor(
    readonly contest: ContestRef,
    readonly number: number,
    readonly includeHidden = false,
  ) {
    super();
  }
}

/** A competitor in a contest, and the rounds that concern them. */
export interface CompetitorInContestView {
  readonly competitor: ListedCompetitorView;
  /**
   * Rounds that were opened and have the competitor, in the order of the plan. Each holds only the competitor's own results and
   * entries on the roster.
   */
  readonly rounds: readonly { readonly eventId: string; readonly round: RoundView }[];
  /** Events whose rounds may come to show the competitor. */
  readonly watchedEventIds: readonly string[];
}

/** Throws as FindCompetitor. */
export class GetCompetitor extends Query<CompetitorInContestView> {
  constructor(
    readonly contest: ContestRef,
    readonly number: number,
  ) {
    super();
  }
}

/** Throws RejectedError `contest-not-found`, also for drafts and deleted contests unless `includeHidden` is true. */
export class GetCompetitorList extends Query<CompetitorListView> {
  constructor(
    readonly contest: ContestRef,
    readonly includeHidden = false,
  ) {
    super();
  }
}
