/** Commands on contests, for the command bus. Each throws RejectedError when it is refused. */

import { Command } from '@nestjs/cqrs';
import type { RoundRules } from '../../domain/attempts.js';
import type { ContestRef } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { NumberedCompetitor } from '../aggregates/competitor-list/competitor-list.js';
import type { ContestDetails, ImportGoal, OpaqueParts, PlannedRound } from '../aggregates/contest/contest.js';

/** Creates a draft. Repeating the command with the same details and rounds changes nothing. */
export class CreateContest extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly details: ContestDetails,
    readonly rounds: readonly PlannedRound[],
    readonly context: CommandContext,
    /** Given by an import, so that a repeated import completes an interrupted one. */
    readonly importing?: ImportGoal,
  ) {
    super();
  }
}

export class EditContest extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly change: Partial<ContestDetails>,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Adds the round or changes its rules. In an opened round, all entered results must comply with the new rules. */
export class PlanRound extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly round: PlannedRound,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/**
 * Plans all rounds of one event, numbered from 1 in their order, and removes further rounds of the event from the
 * plan. All steps are checked before the first append. Every invalid field is named, such as
 * `rounds[1].cutoff.attemptResult`.
 */
export class PlanEvent extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly eventId: string,
    readonly rounds: readonly RoundRules[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Removes a round that was never opened from the plan. */
export class RemoveRound extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly eventId: string,
    readonly roundNumber: number,
    readonly context: CommandContext,
  ) {
    super();
  }
}

export class AnnounceContest extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/**
 * Gives each person without a number the next number of the contest, in this order. Follows merges. Throws
 * RejectedError `person-not-found` too.
 */
export class NumberCompetitors extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly personIds: readonly number[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

/**
 * Gives persons the numbers that another system uses for them. Skips a person who already has a number, and a number
 * that is already taken. Follows merges. Throws RejectedError `person-not-found` too.
 */
export class TakeNumbers extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly competitors: readonly NumberedCompetitor[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Keeps these parts of a file as they are given, instead of those before. */
export class KeepOpaqueParts extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly parts: OpaqueParts,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/**
 * Finishes or deletes the contest. Returns when every round is closed, every key has ended and the ending is
 * recorded.
 */
export class EndContest extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly ending: 'finish' | 'delete',
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Makes a finished contest ongoing again. Its ended keys stay ended. */
export class ReopenContest extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly context: CommandContext,
  ) {
    super();
  }
}
