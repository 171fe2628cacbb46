/**
 * Opening rounds, and what a round decides alone. An opening reads the round first and then the contest, fresh, and appends at the revision that it
 * read: an ending of the contest that comes between has closed the round, so the append loses and asks the contest again.
 */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { advancementPlan } from '../../domain/advancement-plan.js';
import { roundCode } from '../../domain/attempts.js';
import { type RoundKey, roundBefore } from '../../domain/references.js';
import { isRegisteredFor } from '../../domain/registrations.js';
import { RejectedError, type RejectionCode } from '../../domain/rejections.js';
import type { Members } from '../../domain/roster.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import { accepted, type Receipt, receiptOf } from '../../foundation/aggregates/outcome.js';
import { hasList } from '../aggregates/competitor-list/competitor-list.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import type { ContestState } from '../aggregates/contest/contest.js';
import { type RoundCommand, roundAggregate } from '../aggregates/round/round.decider.js';
import type { RoundSetup } from '../aggregates/round/round.js';
import { eventIn, existingSpace } from '../aggregates/space/event-lookup.js';
import { competitorFacts, rosterFollows } from '../contests/roster-following.js';
import { ChangeRound, OpenRound } from './round.commands.js';

const refuse = (code: RejectionCode, detail: string): never => {
  throw new RejectedError({ code, detail });
};

/** The contest as its stream has it now. Throws RejectedError `contest-not-found`, `round-not-found`. */
export const contestWith = async (aggregates: AggregateRuntime, round: RoundKey): Promise<ContestState> => {
  const { state } = await aggregates.load(contestAggregate, round, { fresh: true });
  if (state.phase === 'none' || state.phase === 'deleted')
    return refuse('contest-not-found', `there is no contest ${round.competitionId}`);
  if (!state.rounds.has(roundCode(round)))
    return refuse('round-not-found', `the contest has no round ${round.roundNumber} of ${round.eventId}`);
  return state;
};

/** Who is expected in the round of a contest with a list. Throws RejectedError `round-state` where that is not known. */
const rosterOf = async (
  aggregates: AggregateRuntime,
  round: RoundKey,
  contest: ContestState,
): Promise<readonly Members[]> => {
  const before = roundBefore(round);
  if (before === null) {
    const { registrations } = await competitorFacts(aggregates, round, { list: contest, rosters: [] });
    const registered = [...registrations].filter(([, each]) => isRegisteredFor(each, round.eventId));
    return registered.map(([personId]) => [personId]);
  }
  const { state } = await aggregates.load(roundAggregate, before, { fresh: true });
  const { setup, phase, advanced, roster } = state;
  const name = `round ${before.roundNumber}`;
  if (setup === null)
    return refuse('round-state', `${name} was never opened, so no competitor advances from it`);
  if (phase === 'open')
    return refuse('round-state', `${name} is open: close it first, then it is known who advances`);
  if (advanced !== null) return advanced;
  if (setup.rules.advancement === null)
    return refuse('round-state', `${name} has no rule for advancing: choose who advances from it`);
  const facts = await competitorFacts(aggregates, round, { list: contest, rosters: [roster] });
  const { competitors } = advancementPlan({ round: before, state, setup, facts });
  if (competitors.length === 0)
    return refuse(
      'round-state',
      `no competitor advances from ${name} by its rule: choose who advances from it`,
    );
  return competitors.map(({ personIds }) => personIds);
};

/** Throws RejectedError. `given`: the roster of a contest with a list, where it is not to be found out here. */
export const openRound = async (
  aggregates: AggregateRuntime,
  round: RoundKey,
  context: CommandContext,
  given?: readonly Members[],
): Promise<Receipt> => {
  const space = await existingSpace(aggregates, round.spaceId);
  await contestWith(aggregates, round);
  const { format: valueFormat, participants } = eventIn(space, round.eventId);
  const begun = await aggregates.execute(contestAggregate, round, { type: 'StartContest' }, context);
  const contest = accepted(begun);
  const opening = async (): Promise<RoundCommand> => {
    const state = await contestWith(aggregates, round);
    const planned = state.rounds.get(roundCode(round));
    if (state.phase !== 'ongoing' || planned === undefined)
      return refuse('contest-state', `the contest is ${state.phase} and its rounds cannot be opened`);
    const setup: RoundSetup = { rules: planned.rules, valueFormat, participants };
    const { state: now } = await aggregates.load(roundAggregate, round, { fresh: true });
    const isFirst = now.setup === null && hasList(state);
    const roster = isFirst ? (given ?? (await rosterOf(aggregates, round, state))) : null;
    return { type: 'OpenRound', setup, roster };
  };
  const opened = accepted(await aggregates.execute(roundAggregate, round, opening, context));
  // The list may have changed while the round was opened, closed, or decided on.
  const followed = await rosterFollows(aggregates, round, context);
  return { position: Math.max(contest.position, opened.position, followed) };
};

@CommandHandler(OpenRound)
export class OpenRoundHandler implements ICommandHandler<OpenRound> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  execute({ round, context, roster }: OpenRound): Promise<Receipt> {
    return openRound(this.aggregates, round, context, roster);
  }
}

@CommandHandler(ChangeRound)
export class ChangeRoundHandler implements ICommandHandler<ChangeRound> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ round, command, context }: ChangeRound): Promise<Receipt> {
    await contestWith(this.aggregates, round);
    return receiptOf(await this.aggregates.execute(roundAggregate, round, command, context));
  }
}

export const roundHandlers = [OpenRoundHandler, ChangeRoundHandler];
