/**
 * Closing a round and opening the next one with those who advance, and taking that back. The round is closed first, so
 * nothing is entered behind the list that the moderator was shown. Each step is idempotent.
 */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { roundCode } from '../../domain/attempts.js';
import { type RoundKey, roundAfter, roundBefore } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import { accepted, type Receipt } from '../../foundation/aggregates/outcome.js';
import type { ContestState } from '../aggregates/contest/contest.js';
import { type RoundCommand, roundAggregate } from '../aggregates/round/round.decider.js';
import { factsOf } from '../contests/roster-following.js';
import { AdvanceRound, UndoOpening } from './round.commands.js';
import { contestWith, openRound } from './round.handlers.js';

const refuseState = (detail: string): never => {
  throw new RejectedError({ code: 'round-state', detail });
};

const requireOngoing = ({ phase }: ContestState): void => {
  if (phase === 'ongoing') return;
  const detail = `the contest is ${phase}: its rounds stay as they are`;
  throw new RejectedError({ code: 'contest-state', detail });
};

/** Opens the next round with those for whom this round was closed. Null: it was not, or not any more, or the next one was opened. */
export const completeAdvancement = async (
  aggregates: AggregateRuntime,
  round: RoundKey,
  context: CommandContext,
): Promise<Receipt | null> => {
  const { state } = await aggregates.load(roundAggregate, round, { fresh: true });
  if (state.phase !== 'closed' || state.advanced === null) return null;
  const { state: next } = await aggregates.load(roundAggregate, roundAfter(round), { fresh: true });
  if (next.setup !== null) return null;
  const caused = await aggregates.following(roundAggregate, round, 'AdvancementDecided', context);
  return openRound(aggregates, roundAfter(round), caused, state.advanced);
};

@CommandHandler(AdvanceRound)
export class AdvanceRoundHandler implements ICommandHandler<AdvanceRound> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ round, competitors, confirmed, context }: AdvanceRound): Promise<Receipt> {
    const { aggregates } = this;
    await this.#requireNext(round);
    const decide = async (): Promise<RoundCommand> => {
      const facts = await factsOf(aggregates, round);
      return { type: 'DecideAdvancement', round, competitors, confirmed, facts };
    };
    const { position } = accepted(await aggregates.execute(roundAggregate, round, decide, context));
    return (await completeAdvancement(aggregates, round, context)) ?? { position };
  }

  /** Throws RejectedError when the next round cannot be opened: repeating what has opened it is allowed. */
  async #requireNext(round: RoundKey): Promise<void> {
    const contest = await contestWith(this.aggregates, round);
    const next = roundAfter(round);
    if (!contest.rounds.has(roundCode(next)))
      refuseState(`the contest has no round ${next.roundNumber} of ${round.eventId}`);
    requireOngoing(contest);
    const { state: opened } = await this.aggregates.load(roundAggregate, next, { fresh: true });
    if (opened.setup === null) return;
    const { state } = await this.aggregates.load(roundAggregate, round, { fresh: true });
    if (state.advanced === null)
      refuseState(`round ${next.roundNumber} was opened before: take its opening back first`);
  }
}

@CommandHandler(UndoOpening)
export class UndoOpeningHandler implements ICommandHandler<UndoOpening> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ round, context }: UndoOpening): Promise<Receipt> {
    const { aggregates } = this;
    requireOngoing(await contestWith(aggregates, round));
    const undo = { type: 'UndoOpening' } as const;
    const undone = accepted(await aggregates.execute(roundAggregate, round, undo, context));
    const before = roundBefore(round);
    if (before === null) return undone;
    const { state } = await aggregates.load(roundAggregate, before, { fresh: true });
    return state.advanced === null ? undone : openRound(aggregates, before, context);
  }
}
