/**
 * Opening and closing rounds. An opening reads the round first and then the contest, fresh, and appends at the revision that it
 * read: an ending of the contest that comes between has closed the round, so the append loses and asks the contest again.
 */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { roundCode } from '../../../domain/attempts.js';
import type { RoundKey } from '../../../domain/references.js';
import { RejectedError, type RejectionCode } from '../../../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../../../foundation/aggregates/aggregate.js';
import { accepted, type Receipt } from '../../../foundation/aggregates/outcome.js';
import { contestAggregate } from '../contest/contest.decider.js';
import type { ContestState } from '../contest/contest.js';
import { eventIn, existingSpace } from '../space/event-lookup.js';
import { CloseRound, OpenRound } from './round.commands.js';
import { type RoundCommand, roundAggregate } from './round.decider.js';
import type { RoundSetup } from './round.js';

const refuse = (code: RejectionCode, detail: string): never => {
  throw new RejectedError({ code, detail });
};

/** The contest as its stream has it now. Throws RejectedError `contest-not-found`, `round-not-found`. */
const contestWith = async (aggregates: AggregateRuntime, round: RoundKey): Promise<ContestState> => {
  const { state } = await aggregates.load(contestAggregate, round, { fresh: true });
  if (state.phase === 'none' || state.phase === 'deleted')
    return refuse('contest-not-found', `there is no contest ${round.competitionId}`);
  if (!state.rounds.has(roundCode(round)))
    return refuse('round-not-found', `the contest has no round ${round.roundNumber} of ${round.eventId}`);
  return state;
};

@CommandHandler(OpenRound)
export class OpenRoundHandler implements ICommandHandler<OpenRound> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ round, context }: OpenRound): Promise<Receipt> {
    const space = await existingSpace(this.aggregates, round.spaceId);
    await contestWith(this.aggregates, round);
    const { format: valueFormat, participants } = eventIn(space, round.eventId);
    const begun = await this.aggregates.execute(contestAggregate, round, { type: 'StartContest' }, context);
    const contest = accepted(begun);
    const opening = async (): Promise<RoundCommand> => {
      const state = await contestWith(this.aggregates, round);
      const planned = state.rounds.get(roundCode(round));
      if (state.phase !== 'ongoing' || planned === undefined)
        return refuse('contest-state', `the contest is ${state.phase} and its rounds cannot be opened`);
      const setup: RoundSetup = { rules: planned.rules, valueFormat, participants };
      return { type: 'OpenRound', setup };
    };
    const opened = accepted(await this.aggregates.execute(roundAggregate, round, opening, context));
    return { position: Math.max(contest.position, opened.position) };
  }
}

@CommandHandler(CloseRound)
export class CloseRoundHandler implements ICommandHandler<CloseRound> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ round, context }: CloseRound): Promise<Receipt> {
    await contestWith(this.aggregates, round);
    const command = { type: 'CloseRound' } as const;
    const { position } = accepted(await this.aggregates.execute(roundAggregate, round, command, context));
    return { position };
  }
}

export const roundHandlers = [OpenRoundHandler, CloseRoundHandler];
