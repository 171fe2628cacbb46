/** Commands on rounds, as the command bus carries them. All throw RejectedError when refused. */

import { Command } from '@nestjs/cqrs';
import type { Confirmation } from '../../domain/advancement-plan.js';
import type { EntrantSelector, RoundKey } from '../../domain/references.js';
import type { Rejection } from '../../domain/rejections.js';
import type { Members, ModeratorMark } from '../../domain/roster.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { Position } from '../../foundation/event-store/event-store.js';
import type { OwnRoundCommand } from '../aggregates/round/round.decider.js';
import type { EntryRequest } from '../aggregates/round/round.js';

/** A result as entry answers it. */
export interface EnteredResult {
  readonly resultId: string;
  readonly personIds: readonly number[];
  /** One value for each attempt of the format, 0 where none is in. */
  readonly attempts: readonly number[];
  readonly best: number;
  readonly average: number;
  /** Whether this request changed it. */
  readonly changed: boolean;
  /** How often it has changed so far: the number of its last change, which can be undone. */
  readonly changes: number;
}

export interface EntryReceipt {
  readonly results: readonly EnteredResult[];
  readonly position: Position;
}

/**
 * With `context.keyId` the key's own contest is checked too, between the contest's existence (404) and the event's:
 * another contest's key is `key-of-another-contest`. Whether the key is good at all is for AuthenticateKey to say first.
 */
export class EnterAttempt extends Command<EntryReceipt> {
  constructor(
    readonly round: RoundKey,
    readonly competitor: EntrantSelector,
    readonly attemptNumber: number,
    readonly value: number,
    readonly context: CommandContext,
    readonly request?: EntryRequest,
  ) {
    super();
  }
}

/** Rows that were refused before the command. */
export interface RefusedRows {
  readonly refused: Rejection;
  /** Of each row of the command: its index in the request. */
  readonly indexes: readonly number[];
}

/**
 * Replaces the attempts of the competitors named, all or nothing; every bad row is listed by its index. Checks the key's
 * contest as EnterAttempt does.
 */
export class EnterResults extends Command<EntryReceipt> {
  constructor(
    readonly round: RoundKey,
    readonly results: readonly {
      readonly competitor: EntrantSelector;
      readonly attempts: readonly number[];
      /** The attempts that the client saw. When the round has others by now, the command is refused as `result-changed`. */
      readonly seen?: readonly number[] | undefined;
    }[],
    readonly context: CommandContext,
    readonly request?: EntryRequest,
    /** With it the command is refused, for these rows and for all that is wrong with the others. */
    readonly faulty?: RefusedRows,
  ) {
    super();
  }
}

/**
 * Puts a result back to what it was before its last change, by a change of its own (which can be undone in turn). Refused
 * as `change-not-found`; as `result-changed` when the result was changed again since; and for what the rules of the round
 * refuse of any entry.
 */
export class UndoChange extends Command<EntryReceipt> {
  constructor(
    readonly round: RoundKey,
    readonly resultId: string,
    /** The change's number among those of its result, as its history tells it. */
    readonly change: number,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/**
 * Marks a result as checked, until it changes; `attempts` are those typed the second time, or those that the moderator saw and
 * confirms. Refused as `result-changed` where they are not what the result has.
 */
export class CheckResult extends Command<Receipt> {
  constructor(
    readonly round: RoundKey,
    /** In a team's order. */
    readonly personIds: readonly number[],
    readonly attempts: readonly number[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

/**
 * Also reopens a closed round of an ongoing contest. The first opening writes the roster of a contest with a competitor list: in
 * round 1 those registered for the event, later those who advance from the round before, which has to be closed and to have a
 * rule for advancing; else AdvanceRound names them.
 */
export class OpenRound extends Command<Receipt> {
  constructor(
    readonly round: RoundKey,
    readonly context: CommandContext,
    /** The roster, where it is known otherwise, as from a file. It counts in a contest with a list only. */
    readonly roster?: readonly Members[],
  ) {
    super();
  }
}

/**
 * Closes the round and opens the next one of its event with these competitors, who were shown to the moderator. Repeating it
 * completes what was cut off. Refused as `to-confirm` for what a moderator has to confirm, naming each.
 */
export class AdvanceRound extends Command<Receipt> {
  constructor(
    readonly round: RoundKey,
    /** In the order of their places. */
    readonly competitors: readonly Members[],
    readonly confirmed: readonly Confirmation[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Takes back the opening of a round without results. The round before is open again when it was closed for this one. */
export class UndoOpening extends Command<Receipt> {
  constructor(
    readonly round: RoundKey,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/**
 * Adds competitors to the roster of a round, or marks those on it. Follows merges. Throws RejectedError `person-not-found`, `roster`,
 * naming every row. A no-show who has come meanwhile stays as entered.
 */
export class MarkRoster extends Command<Receipt> {
  constructor(
    readonly round: RoundKey,
    readonly competitors: readonly { readonly personIds: Members; readonly mark: ModeratorMark }[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** What a moderator does with a planned round and the round decides alone, such as closing it. */
export class ChangeRound extends Command<Receipt> {
  constructor(
    readonly round: RoundKey,
    readonly command: OwnRoundCommand,
    readonly context: CommandContext,
  ) {
    super();
  }
}
