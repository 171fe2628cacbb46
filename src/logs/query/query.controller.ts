/**
 * Calls of saved endpoints over HTTP. The usual one is a GET with `Content-Type: application/json` and no body; a query too
 * long for a URL comes in a JSON body, by POST or by GET.
 */
import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codingFor } from '../../http/headers.js';
import { TokenCheck } from '../tokens/token-header.js';
import type { Given } from './call-parameters.js';
import { CallEndpoint, type EndpointReply } from './endpoint-call.js';
import { CallBody, CallDocs } from './query.dto.js';
import { bodyOf } from './request-body.js';

export const REDACT_HEADER = 'svc-endpoint-redact-pii';
export const TRUNCATED_HEADER = 'Podium-Truncated';

@ApiTags('log endpoints')
@Controller('api/endpoints/query')
export class QueryController {
  constructor(
    private readonly queries: QueryBus,
    private readonly tokens: TokenCheck,
  ) {}

  @Get(':endpoint')
  @ApiOperation({ summary: 'Query a saved endpoint' })
  @CallDocs()
  get(
    @Param('endpoint') endpoint: string,
    @Query() query: Given,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer(endpoint, query, request, reply);
  }

  @Post(':endpoint')
  @HttpCode(200)
  @ApiOperation({ summary: 'Query a saved endpoint, with the parameters in the body' })
  @ApiBody({ type: CallBody, required: false })
  @CallDocs()
  post(
    @Param('endpoint') endpoint: string,
    @Query() query: Given,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer(endpoint, query, request, reply);
  }

  private async answer(
    endpoint: string,
    query: Given,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const holder = await this.tokens.holder(request);
    const given = { ...query, ...(await bodyOf(request)) };
    const redact = request.headers[REDACT_HEADER]?.toString().toLowerCase() === 'true';
    const answer = await this.queries.execute(new CallEndpoint({ holder, endpoint, given, redact }));
    await send(answer, request, reply);
  }
}

const send = async (
  { reply: ready, truncated, ageSeconds }: EndpointReply,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const { body, coding, contentType } = await ready.encoded(codingFor(request.headers['accept-encoding']));
  reply.header('Content-Type', contentType).header('Cache-Control', 'private, no-store');
  reply.header('Vary', 'Accept-Encoding');
  if (coding !== 'identity') reply.header('Content-Encoding', coding);
  if (ageSeconds !== null) reply.header('Age', String(ageSeconds));
  if (truncated) reply.header(TRUNCATED_HEADER, 'true');
  reply.code(200).send(body);
};
