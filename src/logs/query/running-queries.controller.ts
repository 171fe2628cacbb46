/** Lists running log queries and cancels them. A token sees those of its tenant; an account, or an admin token of no project, all. */
import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiProperty, ApiResponse, ApiTags } from '@nestjs/swagger';
import { GetList, KeyOrSession, Problems } from '../../http/openapi/openapi-decorators.js';
import { VisibleTenant } from '../log-callers.js';
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
  constructor(private readonly running: RunningQueries) {}

  @GetList(RunningQueryDto, 'List the log queries that run now (scope query)', 'Oldest first')
  @Problems(400, 401, 403, 429, 503)
  async list(@VisibleTenant() tenant: string | null): Promise<readonly RunningQuery[]> {
    return this.running.list(tenant);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Cancel a running log query (scope query)' })
  @ApiParam({ name: 'id', format: 'uuid' })
  @ApiResponse({ status: 204, description: 'It ends; its caller gets the problem query-cancelled' })
  @Problems(400, 401, 403, 404, 429, 503)
  async cancel(@Param('id') id: string, @VisibleTenant() tenant: string | null): Promise<void> {
    this.running.cancel(id, tenant);
  }
}
