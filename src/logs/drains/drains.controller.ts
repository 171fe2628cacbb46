/**
 * Drains over HTTP, for an account that reads logs, an access token of scope `admin`, or one of scope `query` that is tied to a project: it
 * has the drains of that project.
 */
import {
  applyDecorators,
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { abortOnDisconnect } from '../../http/message/abort-on-disconnect.js';
import { KeyOrSession, ListRead, Problems } from '../../http/openapi/openapi-decorators.js';
import { LogCallers } from '../log-callers.js';
import { type Owner, ownerIn } from '../owner.js';
import { DrainBody, DrainDto, DrainTestDto, NewDrainBody } from './drain.dto.js';
import { readDrainChange, readNewDrain } from './drain-body.js';
import type { DrainTest, DrainView } from './drain-view.js';
import { Drains } from './drains.js';

/** An operation on one drain. */
const OfDrain = (does: string, type: typeof DrainDto | typeof DrainTestDto = DrainDto): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    ApiOperation({ summary: `${does} (scope admin; tied to a project: query)` }),
    ApiParam({ name: 'drain', format: 'uuid' }),
    ApiResponse({ status: 200, type, description: 'The drain, or what came of the test' }),
    Problems(400, 401, 403, 404, 409, 429, 503),
  );

@ApiTags('log endpoints')
@KeyOrSession()
@Controller('api/logs/drains')
export class DrainsController {
  constructor(
    private readonly drains: Drains,
    private readonly callers: LogCallers,
  ) {}

  @Get()
  @ListRead(DrainDto, 'List the drains (scope admin; tied to a project: query)', 'Sorted by name')
  @Problems(400, 401, 403, 429, 503)
  async list(@Req() request: FastifyRequest): Promise<readonly DrainView[]> {
    return this.drains.list(await this.caller(request));
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Make a drain of what comes from now on (scope admin; tied to a project: query)' })
  @ApiBody({ type: NewDrainBody })
  @ApiResponse({ status: 201, type: DrainDto, description: 'The drain, with the secret of its posts' })
  @Problems(400, 401, 403, 404, 413, 415, 422, 429, 503)
  async create(@Body() body: unknown, @Req() request: FastifyRequest): Promise<DrainView> {
    const caller = await this.caller(request);
    return this.drains.create(readNewDrain(body, await this.drains.rules()), caller);
  }

  @Get(':drain')
  @OfDrain('Get a drain with its state')
  async get(@Param('drain') drainId: string, @Req() request: FastifyRequest): Promise<DrainView> {
    return this.drains.get(drainId, await this.caller(request));
  }

  @Patch(':drain')
  @OfDrain('Change a drain, and own it from then on: it goes on where it was')
  @ApiBody({ type: DrainBody, description: 'Missing fields stay unchanged' })
  @Problems(413, 415, 422)
  async edit(
    @Param('drain') drainId: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<DrainView> {
    const caller = await this.caller(request);
    return this.drains.edit(drainId, readDrainChange(body, await this.drains.rules()), caller);
  }

  @Post(':drain/pause')
  @OfDrain('Pause a drain: it stays where it is')
  async pause(@Param('drain') drainId: string, @Req() request: FastifyRequest): Promise<DrainView> {
    return this.drains.pause(drainId, await this.caller(request));
  }

  @Post(':drain/resume')
  @OfDrain('Resume a drain that is paused or has stopped, and own it from then on')
  async resume(@Param('drain') drainId: string, @Req() request: FastifyRequest): Promise<DrainView> {
    return this.drains.resume(drainId, await this.caller(request));
  }

  @Post(':drain/test')
  @OfDrain('Send the receiver of a drain an empty batch', DrainTestDto)
  async test(
    @Param('drain') drainId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DrainTest> {
    const caller = await this.caller(request);
    return this.drains.test(drainId, caller, abortOnDisconnect(reply.raw));
  }

  @Delete(':drain')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a drain (scope admin; tied to a project: query)' })
  @ApiParam({ name: 'drain', format: 'uuid' })
  @ApiResponse({ status: 204, description: 'The drain is removed' })
  @Problems(400, 401, 403, 404, 429, 503)
  async remove(@Param('drain') drainId: string, @Req() request: FastifyRequest): Promise<void> {
    await this.drains.remove(drainId, await this.caller(request));
  }

  private async caller(request: FastifyRequest): Promise<Owner> {
    return ownerIn(await this.callers.managerOfProject(request));
  }
}
