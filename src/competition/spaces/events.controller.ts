/** GET events: the catalogue of a space, in display order. */
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_SPACE } from '../../domain/ids.js';
import { PublicRead, spaceParam } from '../../http/openapi/openapi-decorators.js';
import { ReadyReads } from '../../http/reads/ready-reads.js';
import { tags } from '../tags.js';
import { EventDto } from './event.dto.js';
import { ListEvents } from './space.queries.js';

const eventList = { description: 'In display order', type: EventDto, isArray: true };

@ApiTags('events')
@Controller('api')
export class EventsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly ready: ReadyReads,
  ) {}

  @Get('events')
  @ApiOperation({ summary: 'List the events of the default space' })
  @PublicRead(eventList)
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(DEFAULT_SPACE, request, reply);
  }

  @Get(':spaceId/events')
  @ApiOperation({ summary: 'List the events of a space' })
  @spaceParam
  @PublicRead(eventList)
  listOfSpace(
    @Param('spaceId') spaceId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer(spaceId, request, reply);
  }

  private answer(spaceId: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return this.ready.answerView(request, reply, {
      key: tags.events(spaceId),
      tags: [tags.events(spaceId)],
      view: async () => ({ json: await this.queries.execute(new ListEvents(spaceId)) }),
    });
  }
}
