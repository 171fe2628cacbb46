/**
 * Managing saved endpoints over HTTP, with an access token of scope `admin` or an account that reads logs. A read after a
 * command shows its effect. It is not in endpoints/: tokens/ and query/ import that folder, and this file imports them.
 */
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, UseInterceptors } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { GetList, KeyOrSession, Problems } from '../../http/openapi/openapi-decorators.js';
import { VisibleCommands } from '../../http/reads/visible-commands.js';
import { WaitForPosition } from '../../http/reads/wait-for-position.js';
import {
  CreateEndpoint,
  EditEndpoint,
  RemoveEndpoint,
  RestoreEndpoint,
} from '../endpoints/endpoint.commands.js';
import {
  type EndpointVersionView,
  type EndpointView,
  GetEndpoint,
  ListEndpoints,
  ListEndpointVersions,
} from '../endpoints/endpoint.queries.js';
import { readChange, readVersion, withDefaults, withQuery } from '../endpoints/endpoint-reader.js';
import { Manager } from '../log-callers.js';
import { CheckedStoredQueryDto } from '../query/outline.dto.js';
import type { CheckedStoredQuery } from '../query/outline-views.js';
import { QueryChecks } from '../query/query-checks.js';
import {
  EndpointBody,
  EndpointDto,
  EndpointVersionDto,
  NewEndpointBody,
  StoredQueryBody,
} from './endpoint.dto.js';

const endpointParam = ApiParam({ name: 'endpoint', description: 'Name or id', example: 'logs.all' });

@ApiTags('log endpoints')
@KeyOrSession()
@UseInterceptors(WaitForPosition)
@Controller('api/endpoints')
export class EndpointsController {
  constructor(
    private readonly commands: VisibleCommands,
    private readonly queries: QueryBus,
    private readonly checks: QueryChecks,
  ) {}

  @GetList(EndpointDto, 'List the saved endpoints (scope admin)', 'Sorted by name')
  @Problems(400, 401, 403, 429, 503)
  async list(@Manager() _reader: CommandContext): Promise<readonly EndpointView[]> {
    return this.queries.execute(new ListEndpoints());
  }

  @Get(':endpoint')
  @ApiOperation({ summary: 'Get a saved endpoint (scope admin)' })
  @endpointParam
  @ApiResponse({ status: 200, type: EndpointDto, description: 'The endpoint' })
  @Problems(400, 401, 403, 404, 429, 503)
  async get(@Param('endpoint') endpoint: string, @Manager() _reader: CommandContext): Promise<EndpointView> {
    return this.queries.execute(new GetEndpoint(endpoint));
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Save an endpoint (scope admin)' })
  @ApiBody({ type: NewEndpointBody })
  @ApiResponse({ status: 201, type: EndpointDto, description: 'The endpoint' })
  @Problems(400, 401, 403, 409, 413, 415, 429, 503)
  async create(
    @Body() body: unknown,
    @Manager() context: CommandContext,
    @Http() { reply }: HttpExchange,
  ): Promise<EndpointView> {
    const config = withDefaults(readChange(body));
    const { endpoint } = await this.commands.execute(new CreateEndpoint(config, context), reply);
    return endpoint;
  }

  @Get(':endpoint/versions')
  @ApiOperation({ summary: 'List the versions of a saved endpoint, newest first (scope admin)' })
  @endpointParam
  @ApiResponse({ status: 200, type: EndpointVersionDto, isArray: true, description: 'The versions' })
  @Problems(400, 401, 403, 404, 429, 503)
  async versions(
    @Param('endpoint') endpoint: string,
    @Manager() _reader: CommandContext,
  ): Promise<readonly EndpointVersionView[]> {
    return this.queries.execute(new ListEndpointVersions(endpoint));
  }

  @Post(':endpoint/versions/:version/restore')
  @HttpCode(200)
  @ApiOperation({ summary: 'Save an earlier version of an endpoint as its newest (scope admin)' })
  @endpointParam
  @ApiParam({ name: 'version', type: Number, example: 1 })
  @ApiResponse({ status: 200, type: EndpointDto, description: 'The endpoint after the change' })
  @Problems(400, 401, 403, 404, 409, 429, 503)
  async restore(
    @Param() { endpoint, version }: { readonly endpoint: string; readonly version: string },
    @Manager() context: CommandContext,
    @Http() { reply }: HttpExchange,
  ): Promise<EndpointView> {
    const command = new RestoreEndpoint(endpoint, readVersion(version), context);
    const saved = await this.commands.execute(command, reply);
    return saved.endpoint;
  }

  @Post('check')
  @HttpCode(200)
  @ApiOperation({ summary: 'Check a query before it is stored: what it would offer (scope admin)' })
  @ApiBody({ type: StoredQueryBody })
  @ApiResponse({ status: 200, type: CheckedStoredQueryDto, description: 'The fault, or what it would offer' })
  @Problems(400, 401, 403, 413, 415, 429, 503)
  async check(@Body() body: unknown, @Manager() _reader: CommandContext): Promise<CheckedStoredQuery> {
    return this.checks.checkStored(withQuery(readChange(body)));
  }

  @Patch(':endpoint')
  @ApiOperation({ summary: 'Change a saved endpoint (scope admin)' })
  @endpointParam
  @ApiBody({ type: EndpointBody, description: 'Missing fields stay unchanged' })
  @ApiResponse({ status: 200, type: EndpointDto, description: 'The endpoint after the change' })
  @Problems(400, 401, 403, 404, 409, 413, 415, 429, 503)
  async edit(
    @Param('endpoint') endpoint: string,
    @Body() body: unknown,
    @Manager() context: CommandContext,
    @Http() { reply }: HttpExchange,
  ): Promise<EndpointView> {
    const command = new EditEndpoint(endpoint, readChange(body), context);
    const saved = await this.commands.execute(command, reply);
    return saved.endpoint;
  }

  @Delete(':endpoint')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a saved endpoint for good (scope admin)' })
  @endpointParam
  @ApiResponse({ status: 204, description: 'The endpoint is removed; another may take its name' })
  @Problems(400, 401, 403, 404, 409, 429, 503)
  async remove(
    @Param('endpoint') endpoint: string,
    @Manager() context: CommandContext,
    @Http() { reply }: HttpExchange,
  ): Promise<void> {
    await this.commands.execute(new RemoveEndpoint(endpoint, context), reply);
  }
}
