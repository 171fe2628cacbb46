/**
 * Calls of saved endpoints over HTTP. The usual call is a GET with `Content-Type: application/json` and no body. A query
 * that is too long for a URL is sent in a JSON body, by POST or GET.
 */
import { Readable } from 'node:stream';
import {
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  HttpCode,
  Param,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { abortOnDisconnect } from '../../http/message/abort-on-disconnect.js';
import { codingFor } from '../../http/message/headers.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { FileEncoder } from '../downloads/file-encoder.js';
import { attachment, CONTENT_TYPES, type RowFormat } from '../downloads/row-format.js';
import { LogCallers } from '../log-callers.js';
import type { LqlPart } from '../lql/lql-part.js';
import { acceptedFormat } from './asked-format.js';
import { callHead, costAskedIn, redactionOf } from './call-head.js';
import { LABELS_HEADER, LABELS_RULE, labelsIn } from './call-labels.js';
import { consumerOf, type Given } from './call-parameters.js';
import { entriesPart, valuesPart } from './call-part.js';
import type { EndpointReply } from './endpoint-call.js';
import { EndpointCalls } from './endpoint-calls.js';
import { QueryEstimateDto } from './estimate.dto.js';
import type { QueryEstimate } from './estimate-views.js';
import { CheckedTextDto, EndpointOutlineDto } from './outline.dto.js';
import type { CheckedText, EndpointOutline } from './outline-views.js';
import { CallBody, CallDocs, EntriesDocs, OwnQueryBody, QueryDocs, ValuesDocs } from './query.dto.js';
import { QueryChecks } from './query-checks.js';
import { noteRead } from './read-amounts.js';
import { ReadyCalls } from './ready-calls.js';
import { bodyOf } from './request-body.js';

/** `query`: the parameters of the URL. */
interface HttpCall {
  readonly endpoint: string;
  readonly query: Given;
  readonly request: FastifyRequest;
}

const Call = createParamDecorator((_: unknown, context: ExecutionContext): HttpCall => {
  const request = context
    .switchToHttp()
    .getRequest<FastifyRequest<{ Params: { endpoint: string }; Querystring: Given }>>();
  return { endpoint: request.params.endpoint, query: request.query, request };
});

@ApiTags('log endpoints')
@Controller('api/endpoints/query')
export class QueryController {
  constructor(
    private readonly calls: EndpointCalls,
    private readonly checks: QueryChecks,
    private readonly callers: LogCallers,
    private readonly ready: ReadyCalls,
    private readonly files: FileEncoder,
  ) {}

  @Get(':endpoint')
  @ApiOperation({ summary: 'Query a saved endpoint' })
  @CallDocs()
  get(@Call() call: HttpCall, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(call, reply);
  }

  @Post(':endpoint')
  @HttpCode(200)
  @ApiOperation({ summary: 'Query a saved endpoint, with the parameters in the body' })
  @ApiBody({ type: CallBody, required: false })
  @CallDocs()
  post(@Call() call: HttpCall, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(call, reply);
  }

  @Get('name/:endpoint')
  @ApiOperation({ summary: 'Query a saved endpoint, at the path of names' })
  @CallDocs()
  getByName(@Call() call: HttpCall, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(call, reply);
  }

  @Post('name/:endpoint')
  @HttpCode(200)
  @ApiOperation({ summary: 'Query a saved endpoint at the path of names, with the parameters in the body' })
  @ApiBody({ type: CallBody, required: false })
  @CallDocs()
  postByName(@Call() call: HttpCall, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(call, reply);
  }

  @Post(':endpoint/entries')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Get a page of the entries that a filter finds: the newest, or those before or after an entry',
  })
  @ApiBody({ type: CallBody, required: false, description: 'The parameters of the endpoint, and lql' })
  @EntriesDocs()
  entries(@Call() call: HttpCall, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(call, reply, entriesPart);
  }

  @Post(':endpoint/values')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Count the most frequent values of a field among all entries that a filter finds',
  })
  @ApiBody({ type: CallBody, required: false, description: 'The parameters of the endpoint, and lql' })
  @ValuesDocs()
  values(@Call() call: HttpCall, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(call, reply, valuesPart);
  }

  @Get(':endpoint/outline')
  @ApiOperation({
    summary: 'Get what a query on the endpoint can use: parameters, tables, fields, functions',
  })
  @QueryDocs(401, 403, 404, 429, 503)
  @ApiResponse({ status: 200, type: EndpointOutlineDto, description: 'What a query can use' })
  async outline(
    @Param('endpoint') endpoint: string,
    @Req() request: FastifyRequest,
  ): Promise<EndpointOutline> {
    return this.checks.describe(endpoint, await this.callers.holder(request));
  }

  @Post(':endpoint/check')
  @HttpCode(200)
  @ApiOperation({ summary: 'Check a query of your own without running it' })
  @ApiBody({ type: OwnQueryBody })
  @QueryDocs(400, 401, 403, 404, 413, 415, 429, 503)
  @ApiResponse({ status: 200, type: CheckedTextDto, description: 'The fault; null: none' })
  async check(
    @Param('endpoint') endpoint: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<CheckedText> {
    const holder = await this.callers.holder(request);
    const given: Given = typeof body === 'object' && body !== null ? { ...body } : {};
    const consumer = consumerOf(given);
    if (consumer === null) {
      const message = 'the body must have a query in sql or lql';
      throw invalidRequest([{ field: 'sql', rule: 'required', message }]);
    }
    return this.checks.check(endpoint, holder, { consumer, given });
  }

  @Post(':endpoint/estimate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Estimate what a query would read, and explain what it does, without running it' })
  @ApiBody({ type: CallBody, required: false })
  @QueryDocs(400, 401, 403, 404, 413, 415, 422, 429, 503, 504)
  @ApiResponse({ status: 200, type: QueryEstimateDto, description: 'Of the entries that the caller may see' })
  async estimate(
    @Param('endpoint') endpoint: string,
    @Http() { request, reply }: HttpExchange,
  ): Promise<QueryEstimate> {
    const signal = abortOnDisconnect(reply.raw);
    const holder = await this.callers.holder(request);
    return this.checks.estimate(endpoint, holder, { given: await bodyOf(request), signal });
  }

  /** `partIn`: reads the query of the URL; missing: it has parameters of the endpoint. */
  private async answer(
    { endpoint, query, request }: HttpCall,
    reply: FastifyReply,
    partIn?: (query: Given) => LqlPart,
  ): Promise<void> {
    const signal = abortOnDisconnect(reply.raw);
    requireLabels(request);
    const holder = await this.callers.holder(request);
    const part = partIn?.(query);
    const given = { ...(part === undefined && query), ...(await bodyOf(request)) };
    const redact = redactionOf(request.headers);
    const cost = costAskedIn(request.headers);
    const accepted = acceptedFormat(request.headers);
    const call = { holder, endpoint, given, ...(part && { part }), redact, cost, accepted, signal };
    const answer = await this.calls.answer(call);
    const { format, read } = answer;
    if (read) noteRead(request.raw, read);
    if (format !== 'json') return this.#download(answer, format, reply);
    this.ready.remember(request, { holder, redact, kept: answer.kept });
    const bytes = await answer.reply.encoded(codingFor(request.headers['accept-encoding']));
    setHead(reply, callHead(bytes, answer));
    reply.code(200).send(bytes.body);
  }

  /** Its rows are those of the JSON reply, so limits, redaction and tenants are the same. */
  async #download(answer: EndpointReply, format: RowFormat, reply: FastifyReply): Promise<void> {
    const { columns, endpoint } = answer;
    const parts = await this.files.ofReply(answer.reply.body, columns, format);
    setHead(reply, callHead({ coding: 'identity', contentType: CONTENT_TYPES[format] }, answer));
    reply
      .header('Content-Disposition', attachment(endpoint, format))
      .code(200)
      .send(Readable.from(parts, { objectMode: false }));
  }
}

const requireLabels = ({ headers }: FastifyRequest): void => {
  if (labelsIn(headers) !== null) return;
  const message = `${LABELS_HEADER} ${LABELS_RULE}`;
  throw invalidRequest([{ field: LABELS_HEADER, rule: 'labels', message }]);
};

const setHead = (reply: FastifyReply, head: readonly string[]): void => {
  for (let at = 0; at < head.length; at += 2) reply.header(head[at] ?? '', head[at + 1]);
};
