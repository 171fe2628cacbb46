/** Creating and editing contests, planning their rounds, announcing, ending and reopening them. */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RejectedError } from '../../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { accepted, type Receipt } from '../../foundation/aggregates/outcome.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import { eventIn, existingSpace } from '../aggregates/space/event-lookup.js';
import { Competitors } from '../persons/competitors.js';
import {
  AnnounceContest,
  CreateContest,
  EditContest,
  EndContest,
  ReopenContest,
} from './contest.commands.js';
import { completeEnding } from './contest-ending.js';
import { PlanRoundHandler, RemoveRoundHandler } from './plan.handlers.js';
import { PlanEventHandler } from './plan-event.handler.js';

/** Throws RejectedError `person-not-found`. */
const checkOrganizers = async (
  competitors: Competitors,
  spaceId: string,
  organizerIds: readonly number[],
): Promise<void> => {
  for (const [index, personId] of organizerIds.entries()) {
    if (await competitors.isKnown(spaceId, personId)) continue;
    const message = `nobody in the space has the id ${personId}`;
    const errors = [{ field: `organizerIds[${index}]`, rule: 'person-not-found', message }];
    throw new RejectedError({ code: 'person-not-found', detail: message, errors });
  }
};

@CommandHandler(CreateContest)
export class CreateContestHandler implements ICommandHandler<CreateContest> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(Competitors) private readonly competitors: Competitors,
  ) {}

  async execute({ contest, details, rounds, context }: CreateContest): Promise<Receipt> {
    const { spaceId, competitionId } = contest;
    const space = await existingSpace(this.aggregates, spaceId);
    const plans = rounds.map((round) => ({ round, valueFormat: eventIn(space, round.eventId).format }));
    await checkOrganizers(this.competitors, spaceId, details.organizerIds);
    const command = { type: 'CreateContest', spaceId, competitionId, details, rounds: plans } as const;
    return accepted(await this.aggregates.execute(contestAggregate, contest, command, context));
  }
}

@CommandHandler(EditContest)
export class EditContestHandler implements ICommandHandler<EditContest> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(Competitors) private readonly competitors: Competitors,
  ) {}

  async execute({ contest, change, context }: EditContest): Promise<Receipt> {
    await checkOrganizers(this.competitors, contest.spaceId, change.organizerIds ?? []);
    const command = { type: 'EditContest', change } as const;
    return accepted(await this.aggregates.execute(contestAggregate, contest, command, context));
  }
}

@CommandHandler(AnnounceContest)
export class AnnounceContestHandler implements ICommandHandler<AnnounceContest> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ contest, context }: AnnounceContest): Promise<Receipt> {
    return accepted(
      await this.aggregates.execute(contestAggregate, contest, { type: 'AnnounceContest' }, context),
    );
  }
}

/** An ending of the other kind that is still under way is carried to its end first. */
@CommandHandler(EndContest)
export class EndContestHandler implements ICommandHandler<EndContest> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ contest, ending, context }: EndContest): Promise<Receipt> {
    const { state } = await this.aggregates.load(contestAggregate, contest, { fresh: true });
    if (state.phase === 'ending' && state.ending !== ending)
      await completeEnding(this.aggregates, contest, context);
    const begin = { type: 'BeginEnding', ending } as const;
    accepted(await this.aggregates.execute(contestAggregate, contest, begin, context));
    return { position: await completeEnding(this.aggregates, contest, context) };
  }
}

@CommandHandler(ReopenContest)
export class ReopenContestHandler implements ICommandHandler<ReopenContest> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ contest, context }: ReopenContest): Promise<Receipt> {
    return accepted(
      await this.aggregates.execute(contestAggregate, contest, { type: 'ReopenContest' }, context),
    );
  }
}

export const contestCommandHandlers = [
  CreateContestHandler,
  EditContestHandler,
  PlanRoundHandler,
  PlanEventHandler,
  RemoveRoundHandler,
  AnnounceContestHandler,
  EndContestHandler,
  ReopenContestHandler,
];
