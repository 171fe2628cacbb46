/** What the moderation of contests and that of their rounds share: who may, the command, and the contest as it is after it. */

import { applyDecorators, HttpCode, Injectable } from '@nestjs/common';
import { type Command, CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiResponse } from '@nestjs/swagger';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import type { ContestRef } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { HttpExchange } from '../../http/message/http-exchange.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { ReadYourWrites } from '../../http/reads/read-your-writes.js';
import { contestParam } from '../contest-paths.js';
import { ModeratedContestDto } from './moderation.dto.js';
import { GetModeratedContest, type ModeratedContestView } from './moderation.queries.js';

/** The documentation of what `ContestModeration.change` answers. */
export const ChangesContest = (): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    contestParam,
    ApiResponse({ ...changedContest, status: 200 }),
    Problems(400, 401, 403, 404, 422, 503),
  );
export const changedContest = { type: ModeratedContestDto, description: 'The contest as it is now' };

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
    contest: ContestRef,
    { request, reply }: HttpExchange,
    command: (context: CommandContext) => Command<Receipt>,
  ): Promise<ModeratedContestView> {
    const account = await this.signedIn.moderatorOf(request, contest);
    const { position } = await this.commands.execute(command(contextOf(account, request)));
    await this.readYourWrites.waitUntilVisible(position, reply);
    return this.queries.execute(new GetModeratedContest(contest));
  }
}
