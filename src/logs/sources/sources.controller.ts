/** The sources over HTTP, with an access token of scope `admin` or an account that reads logs. */
import { Body, Controller, Post, UseInterceptors } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {
  ApiBody,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { ProjectMatch } from '../../foundation/log-store/sources.js';
import { aText, JsonFields, oneOf } from '../../http/body/json-fields.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { GetList, KeyOrSession, Problems } from '../../http/openapi/openapi-decorators.js';
import { VisibleCommands } from '../../http/reads/visible-commands.js';
import { WaitForPosition } from '../../http/reads/wait-for-position.js';
import { Manager } from '../log-callers.js';
import { sourceSchema } from '../source-docs.js';
import { CreateSource } from './source.commands.js';
import { ListSources, SOURCE_STATES, type SourceView } from './source.queries.js';

class SourceDto implements SourceView {
  @ApiProperty(sourceSchema)
  name: string;

  @ApiProperty({
    enum: SOURCE_STATES,
    description: 'built-in: each installation has it; own: this one has added it; ready: a choice to add',
  })
  state: SourceView['state'];

  @ApiProperty({
    enum: ['project', 'metadata.project', 'metadata.project_ref'] satisfies readonly ProjectMatch[],
    description: 'The field that names the project of an entry',
  })
  projectField: ProjectMatch;

  @ApiProperty({ description: 'Whether logs.all has a table of this name' })
  inLogsAll: boolean;

  @ApiProperty({ type: String, nullable: true, example: 'Upgrades of Postgres' })
  description: string | null;
}

class NewSourceBody {
  @ApiProperty({ ...sourceSchema, example: 'audit_logs' })
  name: string;

  @ApiPropertyOptional({ enum: ['logs.all'], description: 'The endpoint that gets a table for it' })
  in?: 'logs.all';
}

@ApiTags('log endpoints')
@KeyOrSession()
@UseInterceptors(WaitForPosition)
@Controller('api/logs/sources')
export class SourcesController {
  constructor(
    private readonly commands: VisibleCommands,
    private readonly queries: QueryBus,
  ) {}

  @GetList(SourceDto, 'List the log sources (scope admin)', 'Those that there are, then the ready choices')
  @Problems(400, 401, 403, 429, 503)
  async list(@Manager() _reader: CommandContext): Promise<readonly SourceView[]> {
    return this.queries.execute(new ListSources());
  }

  @Post()
  @ApiOperation({ summary: 'Add a log source of your own, for good (scope admin)' })
  @ApiBody({ type: NewSourceBody })
  @ApiResponse({ status: 201, type: SourceDto, description: 'It takes entries' })
  @ApiResponse({ status: 200, type: SourceDto, description: 'It was there already' })
  @Problems(400, 401, 403, 404, 409, 413, 415, 429, 503)
  async create(
    @Body() body: unknown,
    @Manager() context: CommandContext,
    @Http() { reply }: HttpExchange,
  ): Promise<SourceView> {
    const { name, inLogsAll } = readNewSource(body);
    const { source, isNew } = await this.commands.execute(new CreateSource(name, inLogsAll, context), reply);
    reply.code(isNew ? 201 : 200);
    return source;
  }
}

/** Throws RejectedError `invalid-request`. */
const readNewSource = (body: unknown): { readonly name: string; readonly inLogsAll: boolean } => {
  const fields = JsonFields.of(body);
  const name = fields.needed('name', aText, '');
  const inLogsAll = fields.given('in', oneOf(['logs.all']), null) !== null;
  fields.check();
  return { name, inLogsAll };
};
