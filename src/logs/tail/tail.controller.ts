/** GET a tail of the logs, as server-sent events, until the client disconnects or may no longer read. */
import { applyDecorators, Controller, Get, Req, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCookieAuth,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RejectedError } from '../../domain/rejections.js';
import { EventStream } from '../../http/message/event-stream.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { LogCallers } from '../log-callers.js';
import { REDACT_HEADER } from '../query/call-head.js';
import { SOURCE_DESCRIPTION, sourceSchema } from '../source-docs.js';
import { LogTails } from './log-tails.js';
import type { TailFailure } from './tail-member.js';
import { tailRequest } from './tail-request.js';
import { TailRights } from './tail-rights.js';

const TailDocs = applyDecorators(
  ApiSecurity('x-api-key'),
  ApiBearerAuth(),
  ApiCookieAuth('session'),
  ApiQuery({
    name: 'source',
    required: false,
    schema: sourceSchema,
    description: `${SOURCE_DESCRIPTION}. Default: the table that the filter names, else edge_logs`,
  }),
  ApiQuery({
    name: 'project',
    required: false,
    description: 'Whose entries. Default: those of the token’s project, or of all for a token of none',
    example: 'abcdefghij',
  }),
  ApiQuery({ name: 'lql', required: false, description: 'A filter in LQL, without times and aggregates' }),
  ApiQuery({
    name: 'after',
    required: false,
    description: 'A position: the id of an event. Default: Last-Event-ID, else now',
  }),
  ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'As a browser sends it. It counts before after',
  }),
  ApiHeader({ name: REDACT_HEADER, required: false, description: 'true: addresses are redacted' }),
  ApiOkResponse({
    description:
      'Each event has a position as its id. Event `started`: `{"position":…}`. Event `entry`: the row of an entry. Event ' +
      '`skipped`: `{"count":…}` entries that the client was too slow for. Event `ended`: `{"code":…,"detail":…}`, why the tail ' +
      'ends for good.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  }),
  Problems(400, 401, 403, 404, 429, 503),
);

/** How often a tail looks whether its caller may still read. */
const CHECK_EVERY_MS = 1_000;

@ApiTags('log endpoints')
@Controller('api/logs/tail')
export class TailController {
  constructor(
    private readonly tails: LogTails,
    private readonly rights: TailRights,
    private readonly callers: LogCallers,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Follow the log entries of a source as they come (scope query, or of logs.all)' })
  @TailDocs
  async follow(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const holder = await this.callers.holder(request);
    const { after, ...asked } = tailRequest(request, await this.rights.sources());
    const filter = await this.rights.filterFor(holder, asked);
    const stream = new EventStream(reply, request);
    const { member, leave } = await this.tails.watch(filter, stream, after);
    const check = async (): Promise<void> => {
      try {
        const redact = await this.rights.redactionFor(await this.callers.holder(request), asked);
        // The client comes back, and gets it so.
        if (redact !== filter.redact) member.end(null);
      } catch (error) {
        const failure = refusalOf(error);
        if (failure !== null) member.end(failure);
      }
    };
    const timer = setInterval(() => void check(), CHECK_EVERY_MS);
    stream.open({
      left: () => {
        clearInterval(timer);
        leave();
      },
      drained: () => member.caughtUp(),
      ping: () => member.ping,
    });
  }
}

/** Null: the check failed, as when a store does not answer, and is made again. */
const refusalOf = (error: unknown): TailFailure | null =>
  error instanceof RejectedError ? error.rejection : null;
