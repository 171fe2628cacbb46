/** The projects with log entries over HTTP, for accounts that read the logs: these see the entries of all projects. */
import { Controller, Get } from '@nestjs/common';
import { ApiCookieAuth, ApiOperation, ApiProperty, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AccessControl } from '../../accounts/access-control.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { abortOnDisconnect } from '../../http/message/abort-on-disconnect.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { accountHolder } from '../log-callers.js';
import { SOURCE_DESCRIPTION, sourceSchema } from '../source-docs.js';
import { tenantOf } from '../tokens/tenant.js';
import { type EntriesCount, type LogProject, LogProjects, type SourceInUse } from './log-projects.js';

class EntriesCountDto implements EntriesCount {
  @ApiProperty({ type: 'integer', example: 1_204 })
  entries: number;

  @ApiProperty({ example: '2026-03-17T14:47:02.123456Z' })
  newest: string;
}

class SourceInUseDto extends EntriesCountDto implements SourceInUse {
  @ApiProperty({ ...sourceSchema, description: SOURCE_DESCRIPTION })
  source: LogSource;
}

class LogProjectDto extends EntriesCountDto implements LogProject {
  @ApiProperty({ example: 'todo-app' })
  project: string;

  @ApiProperty({
    type: SourceInUseDto,
    isArray: true,
    description: 'The sources with entries of the project',
  })
  sources: readonly SourceInUseDto[];
}

@ApiTags('log endpoints')
@ApiCookieAuth('session')
@Controller('api/moderation/logs/projects')
export class LogProjectsController {
  constructor(
    private readonly projects: LogProjects,
    private readonly signedIn: AccessControl,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the projects with log entries, the one with the newest entry first' })
  @ApiResponse({
    status: 200,
    type: LogProjectDto,
    isArray: true,
    description: 'At most 10,000 sources of projects',
  })
  @Problems(401, 403, 429, 503)
  async list(@Http() { request, reply }: HttpExchange): Promise<readonly LogProject[]> {
    const signal = abortOnDisconnect(reply.raw);
    const { accountId } = await this.signedIn.logReader(request);
    return this.projects.list(tenantOf(accountHolder(accountId)), signal);
  }
}
