/**
 * Alerts over HTTP, for an account that reads logs, an access token of scope `admin`, or one of scope `query` that is tied to a project: it
 * has the alerts of that project.
 */
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { abortOnDisconnect } from '../../http/message/abort-on-disconnect.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { linkToNext } from '../../http/message/paths.js';
import { GetList, InParts, KeyOrSession, Problems } from '../../http/openapi/openapi-decorators.js';
import { Caller } from '../log-callers.js';
import type { Owner } from '../owner.js';
import { AlertBody, AlertDto, AlertRunDto, AlertTestDto, NewAlertBody, SilenceBody } from './alert.dto.js';
import { readAlertChange, readSilence } from './alert-body.js';
import type { AlertRunView, AlertTest, AlertView } from './alert-view.js';
import { Alerts } from './alerts.js';
import { Receivers } from './receivers.js';

const MAX_LIMIT = 500;
const DEFAULT_LIMIT = 50;

const alertParam = ApiParam({ name: 'alert', format: 'uuid' });

@ApiTags('log endpoints')
@KeyOrSession()
@Controller('api/logs/alerts')
export class AlertsController {
  constructor(
    private readonly alerts: Alerts,
    private readonly receivers: Receivers,
  ) {}

  @GetList(AlertDto, 'List the alerts (scope admin; tied to a project: query)', 'Sorted by name')
  @Problems(400, 401, 403, 429, 503)
  async list(@Caller() owner: Owner): Promise<readonly AlertView[]> {
    return this.alerts.list(owner);
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Make an alert of a saved endpoint (scope admin; tied to a project: query)' })
  @ApiBody({ type: NewAlertBody })
  @ApiResponse({ status: 201, type: AlertDto, description: 'The alert, with the secrets of its webhooks' })
  @Problems(400, 401, 403, 404, 413, 415, 422, 429, 503)
  async create(@Body() body: unknown, @Caller() owner: Owner): Promise<AlertView> {
    return this.alerts.create(this.changeIn(body), owner);
  }

  @Get(':alert')
  @ApiOperation({ summary: 'Get an alert (scope admin; tied to a project: query)' })
  @alertParam
  @ApiResponse({ status: 200, type: AlertDto, description: 'The alert' })
  @Problems(400, 401, 403, 404, 429, 503)
  async get(@Param('alert') alertId: string, @Caller() owner: Owner): Promise<AlertView> {
    return this.alerts.get(alertId, owner);
  }

  @Patch(':alert')
  @ApiOperation({
    summary: 'Change an alert, and own it from then on (scope admin; tied to a project: query)',
  })
  @alertParam
  @ApiBody({ type: AlertBody, description: 'Missing fields stay unchanged' })
  @ApiResponse({ status: 200, type: AlertDto, description: 'The alert, with the secrets of added webhooks' })
  @Problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503)
  async edit(
    @Param('alert') alertId: string,
    @Body() body: unknown,
    @Caller() owner: Owner,
  ): Promise<AlertView> {
    return this.alerts.edit(alertId, this.changeIn(body), owner);
  }

  @Delete(':alert')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove an alert and its history (scope admin; tied to a project: query)' })
  @alertParam
  @ApiResponse({ status: 204, description: 'The alert is removed' })
  @Problems(400, 401, 403, 404, 429, 503)
  async remove(@Param('alert') alertId: string, @Caller() owner: Owner): Promise<void> {
    await this.alerts.remove(alertId, owner);
  }

  @Put(':alert/silence')
  @ApiOperation({
    summary: 'Silence an alert for a time, or no more (scope admin; tied to a project: query)',
  })
  @alertParam
  @ApiBody({ type: SilenceBody })
  @ApiResponse({ status: 200, type: AlertDto, description: 'The alert' })
  @Problems(400, 401, 403, 404, 409, 413, 415, 429, 503)
  async silence(
    @Param('alert') alertId: string,
    @Body() body: unknown,
    @Caller() owner: Owner,
  ): Promise<AlertView> {
    return this.alerts.silence(alertId, readSilence(body, Date.now()), owner);
  }

  @Post(':alert/test')
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Evaluate an alert now, and send its receivers a test message (scope admin; tied to a project: query)',
  })
  @alertParam
  @ApiResponse({ status: 200, type: AlertTestDto, description: 'What it came to; nothing of it is kept' })
  @Problems(400, 401, 403, 404, 429, 503)
  async test(
    @Param('alert') alertId: string,
    @Caller() owner: Owner,
    @Http() { reply }: HttpExchange,
  ): Promise<AlertTest> {
    return this.alerts.test(alertId, owner, abortOnDisconnect(reply.raw));
  }

  @Get(':alert/runs')
  @ApiOperation({ summary: 'List the last 1,000 runs of an alert (scope admin; tied to a project: query)' })
  @alertParam
  @InParts({ maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @ApiResponse({
    status: 200,
    type: AlertRunDto,
    isArray: true,
    description: 'The last one first',
    headers: { Link: { description: 'URL of the next part, rel="next"', schema: { type: 'string' } } },
  })
  @Problems(400, 401, 403, 404, 429, 503)
  async runs(
    @Param('alert') alertId: string,
    @Query() query: Fields,
    @Caller() owner: Owner,
    @Http() { request, reply }: HttpExchange,
  ): Promise<readonly AlertRunView[]> {
    const { items, next } = await this.alerts.runs(alertId, readPage(query), owner);
    if (next !== null) reply.header('Link', linkToNext(request.url, next));
    return items;
  }

  private changeIn(body: unknown) {
    return readAlertChange(body, (receiver) => this.receivers.refusal(receiver));
  }
}

const readPage = (query: Fields): { readonly limit: number; readonly before?: number } => {
  const fields = new FieldReader(query);
  const limit = fields.integer('limit', { from: 1, to: MAX_LIMIT }, DEFAULT_LIMIT);
  const aTime = (text: string): number | undefined => {
    const at = Date.parse(text);
    return Number.isNaN(at) || at < 0 ? undefined : at;
  };
  const after = fields.read<number | null>(
    'after',
    { name: 'time', allowed: 'the dueAt of a run', read: aTime },
    null,
  );
  fields.check();
  return after === null ? { limit } : { limit, before: after };
};
