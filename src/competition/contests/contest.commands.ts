/** Commands on contests, as the command bus carries them. All throw RejectedError when refused. */

import { Command } from '@nestjs/cqrs';
import type { RoundRules } from '../../domain/attempts.js';
import type { ContestRef } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { ContestDetails, NumberedCompetitor, PlannedRound } from '../aggregates/contest/contest.js';

/** Makes a draft. The same contest with the same details and rounds again changes nothing. */
export class CreateContest extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly details: ContestDetails,
    readonly rounds: readonly PlannedRound[],
    readonly context: CommandContext,
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

/** Adds the round or changes its rules; of an open round, only as far as what was entered stays within them. */
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
 * Plans all rounds of one event at once, numbered from 1 in their order; rounds beyond them leave the plan. Decided whole before
 * anything is written, and every field that is wrong is named as `rounds[1].cutoff.attemptResult`.
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

/** Takes a round that was never opened out of the plan. */
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
 * Gives each of these persons who has none the next number of the contest, in this order. Merged persons are followed.
 * Throws RejectedError also as `person-not-found`.
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
 * Gives persons the numbers that another system knows them by. Whoever has one keeps it, and a number that is somebody's
 * is not given again: neither is refused. Merged persons are followed. Throws RejectedError also as `person-not-found`.
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

/** Finishes or deletes: answers when every round is closed, every key ended and the ending recorded. */
export class EndContest extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly ending: 'finish' | 'delete',
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Makes a finished contest ongoing again; its ended keys stay ended. */
export class ReopenContest extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly context: CommandContext,
  ) {
    super();
  }
}
