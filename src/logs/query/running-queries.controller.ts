/** Lists running log queries and cancels them. A token sees those of its tenant; an account, or an admin token of no project, all. */
import { Controller, Delete, HttpCode, Param, Req } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiProperty, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { GetList, KeyOrSession, Problems } from '../../http/openapi/openapi-decorators.js';
import { LogCallers } from '../log-callers.js';
import { tenantOf } from '../tokens/tenant.js';
import { requireScope } from '../tokens/token-check.js';
import { RunningQueries, type RunningQuery } from './running-queries.js';

class RunningQueryDto implements RunningQuery {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ type: String, example: 'logs.all', description: 'Its name; of an export, the source' })
  endpoint: string;

  @ApiProperty({ enum: ['sql', 'lql'], nullable: true, type: String })
  language: 'sql' | 'lql' | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The caller’s own query; null: the stored one runs',
  })
  query: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  startedAt: string;
}

@ApiTags('log endpoints')
@KeyOrSession()
@Controller('api/logs/queries')
export class RunningQueriesController {
  constructor(
    private readonly running: RunningQueries,
    private readonly callers: LogCallers,
  ) {}

  @GetList(RunningQueryDto, 'List the log queries that run now (scope query)', 'Oldest first')
  @Problems(400, 401, 403, 429, 503)
  async list(@Req() request: FastifyRequest): Promise<readonly RunningQuery[]> {
    return this.running.list(await this.visibleTenant(request));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Cancel a running log query (scope query)' })
  @ApiParam({ name: 'id', format: 'uuid' })
  @ApiResponse({ status: 204, description: 'It ends; its caller gets the problem query-cancelled' })
  @Problems(400, 401, 403, 404, 429, 503)
  async cancel(@Param('id') id: string, @Req() request: FastifyRequest): Promise<void> {
    this.running.cancel(id, await this.visibleTenant(request));
  }

  /** Null: all. Throws RejectedError `token-scope`, and what LogCallers throws. */
  private async visibleTenant(request: FastifyRequest): Promise<string | null> {
    const holder = await this.callers.holder(request);
    requireScope(holder, 'query');
    return holder.scopes.includes('admin') && holder.project === null ? null : tenantOf(holder);
  }
}
