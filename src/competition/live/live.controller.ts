/** GET a round live, as server-sent events: first the whole round, then its changes, until the viewer disconnects. */

import { applyDecorators, Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RoundKey } from '../../domain/references.js';
import { EventStream } from '../../http/message/event-stream.js';
import { CORS_HEADERS } from '../../http/message/headers.js';
import { MAX_VIEWERS } from '../../http/message/limits.js';
import { API_OF_SPACE } from '../../http/message/space-segment.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { FailureError } from '../../http/problems/failure.js';
import { Reads } from '../../http/reads/reads.js';
import { eventParam, Round } from '../contest-paths.js';
import { LiveRounds } from './live-rounds.js';

const LiveDocs = applyDecorators(
  ApiParam({ name: 'competitionId', example: 'PodiumDemoOpen2026' }),
  eventParam,
  ApiParam({ name: 'roundNumber', schema: { type: 'integer', minimum: 1, example: 1 } }),
  ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Of the last event that the client has: it gets what it has missed, or the whole round',
  }),
  ApiOkResponse({
    description:
      'Event `round`: the round as in the contest, first and whenever all of it may have changed. Event `results`: ' +
      '`{"results":[…],"removed":[ids]}`, results to replace or add by `resultId`, and those that are gone; in a ' +
      'round with a roster also `"progress":{…}`, its `expected`, `entered` and `complete`. A competitor with ' +
      'a result is no longer in `missing` of the roster. The stream ends when the server stops or the contest is deleted.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  }),
  Problems(404, 503),
);

@ApiTags('competitions')
@Controller(API_OF_SPACE)
export class LiveController {
  constructor(
    private readonly rounds: LiveRounds,
    @Inject(Reads) private readonly reads: Pick<Reads, 'requireBuilt'>,
  ) {}

  @Get('competitions/:competitionId/rounds/:eventId/:roundNumber/live')
  @ApiOperation({ summary: 'Watch a round of a space' })
  @LiveDocs
  async watch(
    @Round() round: RoundKey,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (this.rounds.viewers >= MAX_VIEWERS) throw new FailureError(TOO_MANY);
    await this.reads.requireBuilt();
    const viewer = new EventStream(reply, request);
    const left = await this.rounds.watch(round, viewer, request.headers['last-event-id']?.toString());
    viewer.open({
      left,
      drained: () => this.rounds.caughtUp(round, viewer),
      headers: CORS_HEADERS.flat(),
    });
  }
}

const TOO_MANY = {
  code: 'unavailable',
  status: 503,
  detail: 'This server has as many viewers as it can serve. Read the contest instead, or try again later.',
  headers: { 'Retry-After': '10' },
};
