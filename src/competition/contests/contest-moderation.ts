/** What the moderation of contests and that of their rounds share: who may, the command, and the contest as it is after it. */

import { Injectable } from '@nestjs/common';
import { type Command, CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import { DEFAULT_SPACE } from '../../domain/ids.js';
import type { ContestRef } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import { ReadYourWrites } from '../../http/reads/read-your-writes.js';
import { ModeratedContestDto } from './moderation.dto.js';
import { GetModeratedContest, type ModeratedContestView } from './moderation.queries.js';

/** The segment of the space may be left out. */
export interface InSpace {
  readonly spaceId?: string;
}

export interface OfContest extends InSpace {
  readonly competitionId: string;
}

export const contestOf = ({ spaceId = DEFAULT_SPACE, competitionId }: OfContest): ContestRef => ({
  spaceId,
  competitionId,
});

export const contestParam = ApiParam({ name: 'competitionId', example: 'SpringOpen2026' });
export const changedContest = { type: ModeratedContestDto, description: 'The contest as it is now' };

interface Asked {
  readonly contest: ContestRef;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

@Injectable()
export class ContestModeration {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** Throws RejectedError where the account may not run the contest, and what reading or running the command throws. */
  async change(
    { contest, request, reply }: Asked,
    command: (contest: ContestRef, context: CommandContext) => Command<Receipt>,
  ): Promise<ModeratedContestView> {
    const account = await this.signedIn.moderatorOf(request, contest);
    const context = contextOf(account, request);
    const { position } = await this.commands.execute(command(contest, context));
    await this.readYourWrites.waitUntilVisible(position, reply);
    return this.queries.execute(new GetModeratedContest(contest));
  }
}
