/** GET events: the catalogue of a space, in display order. */
import { Controller, Get, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { tags } from '../../domain/tags.js';
import { API_OF_SPACE, SpaceId } from '../../http/message/space-segment.js';
import { PublicRead } from '../../http/openapi/openapi-decorators.js';
import { ReadyReads } from '../../http/reads/ready-reads.js';
import { EventDto } from './event.dto.js';
import { ListEvents } from './space.queries.js';

@ApiTags('events')
@Controller(API_OF_SPACE)
export class EventsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly ready: ReadyReads,
  ) {}

  @Get('events')
  @ApiOperation({ summary: 'List the events of a space' })
  @PublicRead({ description: 'The events in display order', type: EventDto, isArray: true })
  list(@SpaceId() spaceId: string, @Res() reply: FastifyReply): Promise<void> {
    return this.ready.answerView(reply.request, reply, {
      key: tags.events(spaceId),
      tags: [tags.events(spaceId)],
      view: async () => ({ json: await this.queries.execute(new ListEvents(spaceId)) }),
    });
  }
}
