/** Managing saved endpoints over HTTP, with an access token that may. What a command did, the next read here shows. */
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBearerAuth,
  ApiBody,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandContext } from '../../eventstore/aggregate.js';
import { Commanded } from '../../http/commanded.js';
import { Problems } from '../../http/openapi-decorators.js';
import { TokenCheck } from '../tokens/token-header.js';
import { CreateEndpoint, EditEndpoint, RemoveEndpoint } from './endpoint.commands.js';
import { EndpointBody, EndpointDto } from './endpoint.dto.js';
import { type EndpointView, GetEndpoint, ListEndpoints } from './endpoint.queries.js';
import { readChange, withDefaults } from './endpoint-reader.js';

const endpointParam = ApiParam({ name: 'endpoint', description: 'Name or id', example: 'logs.all' });

@ApiTags('log endpoints')
@ApiSecurity('x-api-key')
@ApiBearerAuth()
@Controller('api/endpoints')
export class EndpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly tokens: TokenCheck,
    private readonly commanded: Commanded,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the saved endpoints (scope admin)' })
  @ApiResponse({ status: 200, type: EndpointDto, isArray: true, description: 'By name' })
  @Problems(401, 403, 429, 503)
  async list(@Req() request: FastifyRequest): Promise<readonly EndpointView[]> {
    await this.tokens.allowed(request, 'admin');
    return this.queries.execute(new ListEndpoints());
  }

  @Get(':endpoint')
  @ApiOperation({ summary: 'Get a saved endpoint (scope admin)' })
  @endpointParam
  @ApiResponse({ status: 200, type: EndpointDto, description: 'As it is now' })
  @Problems(401, 403, 404, 429, 503)
  async get(@Param('endpoint') endpoint: string, @Req() request: FastifyRequest): Promise<EndpointView> {
    await this.tokens.allowed(request, 'admin');
    return this.queries.execute(new GetEndpoint(endpoint));
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Save an endpoint (scope admin)' })
  @ApiBody({ type: EndpointBody, description: 'name and query are needed, the rest has defaults' })
  @ApiResponse({ status: 201, type: EndpointDto, description: 'Its first version' })
  @Problems(400, 401, 403, 409, 413, 415, 429, 503)
  async create(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointView> {
    const context = await this.contextOf(request);
    const config = withDefaults(readChange(body));
    const { endpoint, position } = await this.commands.execute(new CreateEndpoint(config, context));
    await this.commanded.shown(position, reply);
    return endpoint;
  }

  @Patch(':endpoint')
  @ApiOperation({ summary: 'Change a saved endpoint (scope admin)' })
  @endpointParam
  @ApiBody({ type: EndpointBody, description: 'What is left out stays as it is' })
  @ApiResponse({ status: 200, type: EndpointDto, description: 'Its new version' })
  @Problems(400, 401, 403, 404, 409, 413, 415, 429, 503)
  async edit(
    @Param('endpoint') endpoint: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointView> {
    const context = await this.contextOf(request);
    const saved = await this.commands.execute(new EditEndpoint(endpoint, readChange(body), context));
    await this.commanded.shown(saved.position, reply);
    return saved.endpoint;
  }

  @Delete(':endpoint')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a saved endpoint for good (scope admin)' })
  @endpointParam
  @ApiResponse({ status: 204, description: 'It is gone; its name may be used again' })
  @Problems(401, 403, 404, 429, 503)
  async remove(
    @Param('endpoint') endpoint: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const context = await this.contextOf(request);
    const { position } = await this.commands.execute(new RemoveEndpoint(endpoint, context));
    await this.commanded.shown(position, reply);
  }

  private async contextOf(request: FastifyRequest): Promise<CommandContext> {
    const { tokenId } = await this.tokens.allowed(request, 'admin');
    return { actor: 'operator', keyId: tokenId, correlationId: request.id };
  }
}
