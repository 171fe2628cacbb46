/** GET a round live, as server-sent events: first the whole round, then its changes, until the viewer disconnects. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { applyDecorators, Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RoundKey } from '../../domain/references.js';
import { CORS_HEADERS } from '../../http/message/headers.js';
import { MAX_VIEWERS, VIEWER_BACKLOG, VIEWER_PING_MS } from '../../http/message/limits.js';
import { safetyHeaders } from '../../http/message/safety-headers.js';
import { API_OF_SPACE } from '../../http/message/space-segment.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { FailureError } from '../../http/problems/failure.js';
import { Reads } from '../../http/reads/reads.js';
import { eventParam, Round } from '../contest-paths.js';
import { LiveRounds } from './live-rounds.js';
import type { Viewer } from './round-channel.js';

const LiveDocs = applyDecorators(
  ApiParam({ name: 'competitionId', example: 'PodiumDemoOpen2026' }),
  eventParam,
  ApiParam({ name: 'roundNumber', schema: { type: 'integer', minimum: 1, example: 1 } }),
  ApiOkResponse({
    description:
      'Event `round`: the round as in the contest, first and whenever all of it may have changed. Event `results`: ' +
      '`{"results":[…],"removed":[ids]}`, results to replace or add and those that are gone. A client that comes ' +
      'back with Last-Event-ID gets what it has missed.',
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
    const viewer = new StreamViewer(reply.raw, request);
    const leave = await this.rounds.watch(round, viewer, request.headers['last-event-id']?.toString());
    reply.hijack();
    // The socket may have closed before a close handler was added.
    if (request.raw.socket.destroyed) return leave();
    // A reply to HEAD has no body, so it ends here. Otherwise the client would wait forever.
    if (request.method === 'HEAD') {
      leave();
      viewer.head();
      viewer.end();
      return;
    }
    viewer.open(leave, () => this.rounds.caughtUp(round, viewer));
  }
}

const TOO_MANY = {
  code: 'unavailable',
  status: 503,
  detail: 'This server has as many viewers as it can serve. Read the contest instead, or try again later.',
  headers: { 'Retry-After': '10' },
};

/**
 * An open reply. Bytes sent before `open` are queued. The reply has no length and no chunks and ends with its
 * connection. So the same bytes can be written to the sockets of all viewers.
 */
class StreamViewer implements Viewer {
  private early: Buffer[] | null = [];

  constructor(
    private readonly response: ServerResponse,
    private readonly request: Pick<FastifyRequest, 'raw' | 'id' | 'protocol'>,
  ) {}

  private get socket(): Socket {
    return this.request.raw.socket;
  }

  get isBehind(): boolean {
    return this.socket.writableLength > VIEWER_BACKLOG;
  }

  head(): void {
    const { response } = this;
    response.removeHeader('Transfer-Encoding');
    response.writeHead(200, [
      ...CORS_HEADERS.flat(),
      ...safetyHeaders(this.request.protocol === 'https'),
      'Content-Type',
      'text/event-stream; charset=utf-8',
      'Cache-Control',
      'no-store',
      'Connection',
      'close',
      // Otherwise a buffering proxy would delay the events.
      'X-Accel-Buffering',
      'no',
      'X-Request-Id',
      String(this.request.id),
    ]);
    response.flushHeaders();
  }

  open(left: () => void, drained: () => void): void {
    const { response, socket } = this;
    this.head();
    const ping = setInterval(() => socket.write(PING), VIEWER_PING_MS);
    socket.on('drain', drained);
    response.on('close', () => {
      clearInterval(ping);
      left();
    });
    const early = this.early ?? [];
    this.early = null;
    for (const bytes of early) socket.write(bytes);
  }

  send(bytes: Buffer): void {
    if (this.early) this.early.push(bytes);
    else this.socket.write(bytes);
  }

  end(): void {
    this.response.end();
  }
}

const PING = ':\n\n';
