/**
 * The command handlers that create, edit, announce and reopen contests and keep parts of their files, and the list of all
 * handlers of contest commands.
 */

import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RejectedError } from '../../domain/rejections.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { Competitors } from '../aggregates/person/competitors.js';
import { eventIn, existingSpace } from '../aggregates/space/event-lookup.js';
import {
  AnnounceContest,
  CreateContest,
  EditContest,
  KeepOpaqueParts,
  ReopenContest,
} from './contest.commands.js';
import { ContestCommandHandler } from './contest-command.handler.js';
import { EndContestHandler } from './contest-ending.js';
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
    const message = `the space has no person ${personId}`;
    const errors = [{ field: `organizerIds[${index}]`, rule: 'person-not-found', message }];
    throw new RejectedError({ code: 'person-not-found', detail: message, errors });
  }
};

@CommandHandler(CreateContest)
export class CreateContestHandler extends ContestCommandHandler implements ICommandHandler<CreateContest> {
  async execute({ contest, details, rounds, context, importing }: CreateContest): Promise<Receipt> {
    const { spaceId, competitionId } = contest;
    const space = await existingSpace(this.aggregates, spaceId);
    const plans = rounds.map((round) => ({ round, valueFormat: eventIn(space, round.eventId).format }));
    await checkOrganizers(this.competitors, spaceId, details.organizerIds);
    const goal = importing === undefined ? {} : { importing };
    const command = {
      type: 'CreateContest',
      spaceId,
      competitionId,
      details,
      rounds: plans,
      ...goal,
    } as const;
    return this.run(contest, command, context);
  }
}

@CommandHandler(EditContest)
export class EditContestHandler extends ContestCommandHandler implements ICommandHandler<EditContest> {
  async execute({ contest, change, context }: EditContest): Promise<Receipt> {
    await checkOrganizers(this.competitors, contest.spaceId, change.organizerIds ?? []);
    const command = { type: 'EditContest', change } as const;
    return this.run(contest, command, context);
  }
}

@CommandHandler(AnnounceContest)
export class AnnounceContestHandler
  extends ContestCommandHandler
  implements ICommandHandler<AnnounceContest>
{
  execute({ contest, context }: AnnounceContest): Promise<Receipt> {
    return this.run(contest, { type: 'AnnounceContest' }, context);
  }
}

@CommandHandler(KeepOpaqueParts)
export class KeepOpaquePartsHandler
  extends ContestCommandHandler
  implements ICommandHandler<KeepOpaqueParts>
{
  execute({ contest, parts, context }: KeepOpaqueParts): Promise<Receipt> {
    return this.run(contest, { type: 'KeepOpaqueParts', parts }, context);
  }
}

@CommandHandler(ReopenContest)
export class ReopenContestHandler extends ContestCommandHandler implements ICommandHandler<ReopenContest> {
  execute({ contest, context }: ReopenContest): Promise<Receipt> {
    return this.run(contest, { type: 'ReopenContest' }, context);
  }
}

export const contestCommandHandlers = [
  CreateContestHandler,
  EditContestHandler,
  PlanRoundHandler,
  PlanEventHandler,
  RemoveRoundHandler,
  AnnounceContestHandler,
  KeepOpaquePartsHandler,
  EndContestHandler,
  ReopenContestHandler,
];
