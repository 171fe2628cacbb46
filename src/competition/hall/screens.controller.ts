/** GET what a screen of a contest shows now. Screens in the venue ask for it every few seconds. */
import { Controller, Get, Param, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ContestRef } from '../../domain/references.js';
import { tags } from '../../domain/tags.js';
import { API_OF_SPACE } from '../../http/message/space-segment.js';
import { PublicRead } from '../../http/openapi/openapi-decorators.js';
import { ReadyReads } from '../../http/reads/ready-reads.js';
import { Contest, contestParam } from '../contest-paths.js';
import { ShownScreenDto } from './screens.dto.js';
import { GetScreen } from './screens.queries.js';

@ApiTags('competitions')
@Controller(API_OF_SPACE)
export class ScreensController {
  constructor(
    private readonly queries: QueryBus,
    private readonly ready: ReadyReads,
  ) {}

  @Get('competitions/:competitionId/screens/:screen')
  @ApiOperation({ summary: 'Get what a screen in the venue shows' })
  @PublicRead({
    description: 'A screen that no moderator has set shows all open rounds in turn',
    type: ShownScreenDto,
  })
  @contestParam
  @ApiParam({ name: 'screen', example: '1' })
  get(
    @Contest() contest: ContestRef,
    @Param() { screen }: { readonly screen: string },
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.ready.answerView(reply.request, reply, {
      ...screenCacheEntry(contest, screen),
      view: async () => ({ json: await this.queries.execute(new GetScreen(contest, screen)) }),
    });
  }
}

/** The cache key of a reply with what a screen shows, and the tags that invalidate it. */
export const screenCacheEntry = (contest: ContestRef, screen: string) => ({
  key: `${tags.screens(contest)} ${screen}`,
  tags: [tags.screens(contest), tags.contest(contest), tags.events(contest.spaceId)],
});
