/** GET the outlook of an open round: what each competitor needs in the attempts that are open. */
import { Controller, Get, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { RoundKey } from '../../domain/references.js';
import { tags } from '../../domain/tags.js';
import { API_OF_SPACE } from '../../http/message/space-segment.js';
import { PublicRead } from '../../http/openapi/openapi-decorators.js';
import { ReadyReads } from '../../http/reads/ready-reads.js';
import { contestParam, eventParam, Round } from '../contest-paths.js';
import { OutlookDto } from './outlook.dto.js';
import { GetOutlook } from './outlook.queries.js';

@ApiTags('competitions')
@Controller(API_OF_SPACE)
export class OutlookController {
  constructor(
    private readonly queries: QueryBus,
    private readonly ready: ReadyReads,
  ) {}

  @Get('competitions/:competitionId/rounds/:eventId/:roundNumber/outlook')
  @ApiOperation({
    summary: 'Get what the competitors of an open round need in their next attempts',
    description:
      'To win, for the podium, to advance, for a record; with everything else as it stands now. The live round has the attempts. Of those who are expected and have no result yet, the needs are of the same value in every attempt.',
  })
  @PublicRead({
    description:
      'Competitors with a result and an open attempt, by place; then those on the roster without a result, by name; empty when the round is not open',
    type: OutlookDto,
    isArray: true,
  })
  @contestParam
  @eventParam
  @ApiParam({ name: 'roundNumber', schema: { type: 'integer', minimum: 1, example: 1 } })
  get(@Round() round: RoundKey, @Res() reply: FastifyReply): Promise<void> {
    const { spaceId, eventId } = round;
    return this.ready.answerView(reply.request, reply, {
      key: `outlook ${tags.round(round)}`,
      // Every change of a record is one of the newest records, and every change of a personal best one of the places.
      tags: [
        tags.contest(round),
        tags.event(spaceId, eventId),
        tags.places(spaceId, eventId),
        tags.recentRecords(spaceId),
      ],
      view: async () => ({ json: await this.queries.execute(new GetOutlook(round)) }),
    });
  }
}
