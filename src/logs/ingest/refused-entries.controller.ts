/**
 * Lists the log entries that were refused in the last day. A token that is tied to a project sees those of its project; an
 * account, or an admin token of no project, all.
 */
import { Controller, Get, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCookieAuth,
  ApiOperation,
  ApiProperty,
  ApiQuery,
  ApiResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { isSourceName, SOURCE_NAMES } from '../../foundation/log-store/sources.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { linkToNext } from '../../http/message/paths.js';
import { InParts, Problems } from '../../http/openapi/openapi-decorators.js';
import { LogCallers } from '../log-callers.js';
import { SOURCE_DESCRIPTION, sourceSchema } from '../source-docs.js';
import { requireScope } from '../tokens/token-check.js';
import { type RefusedEntriesFilter, type RefusedEntryView, RefusedLog } from './refused-log.js';

const MAX_LIMIT = 500;
const DEFAULT_LIMIT = 50;

class RefusedEntryDto implements RefusedEntryView {
  @ApiProperty({ example: '019ab0f2c3d4-0000000b-9f3ac2d0' })
  entryId: string;

  @ApiProperty({ format: 'date-time' })
  refusedAt: string;

  @ApiProperty({ ...sourceSchema, description: SOURCE_DESCRIPTION })
  source: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'todo-app',
    description: 'That of the token, else the one that the entry names',
  })
  project: string | null;

  @ApiProperty({ type: 'integer', example: 3, description: 'Of the entry in its body, from 0' })
  index: number;

  @ApiProperty({ example: 'batch[3]', description: 'Its path in the body; empty for the body itself' })
  place: string;

  @ApiProperty({ example: 'batch[3].id must be a UUID' })
  reason: string;

  @ApiProperty({
    example: '{"id":7,"event_message":"GET | 200 | REDACTED"}',
    description: 'The first 1,000 characters of its JSON, with IP addresses redacted',
  })
  entry: string;
}

@ApiTags('log endpoints')
@ApiSecurity('x-api-key')
@ApiBearerAuth()
@ApiCookieAuth('session')
@Controller('api/logs/refused')
export class RefusedEntriesController {
  constructor(
    private readonly refused: RefusedLog,
    private readonly callers: LogCallers,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the log entries that were refused in the last day (scope admin; tied to a project: query)',
  })
  @ApiQuery({ name: 'project', required: false, description: 'Ignored of a token that is tied to one' })
  @ApiQuery({ name: 'source', required: false, schema: sourceSchema, description: SOURCE_DESCRIPTION })
  @InParts({ maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @ApiResponse({
    status: 200,
    type: RefusedEntryDto,
    isArray: true,
    description: 'Newest first; of each sender at most the newest 1,000, and of each body the first 20',
    headers: { Link: { description: 'URL of the next part, rel="next"', schema: { type: 'string' } } },
  })
  @Problems(400, 401, 403, 429, 503)
  async list(
    @Query() query: Fields,
    @Http() { request, reply }: HttpExchange,
  ): Promise<readonly RefusedEntryView[]> {
    const holder = await this.callers.holder(request);
    requireScope(holder, holder.project === null ? 'admin' : 'query');
    const filter = readFilter(query);
    const { items, next } = await this.refused.page(
      holder.project === null ? filter : { ...filter, project: holder.project },
    );
    if (next !== null) reply.header('Link', linkToNext(request.url, next));
    return items;
  }
}

const readFilter = (query: Fields): RefusedEntriesFilter => {
  const fields = new FieldReader(query);
  const project = fields.text('project', 'a project');
  const source = fields.read<string | null>(
    'source',
    { name: 'source', allowed: SOURCE_NAMES, read: (text) => (isSourceName(text) ? text : undefined) },
    null,
  );
  const after = fields.text('after', 'the id of an entry');
  const limit = fields.integer('limit', { from: 1, to: MAX_LIMIT }, DEFAULT_LIMIT);
  fields.check();
  return {
    limit,
    ...(project !== null && { project }),
    ...(source !== null && { source }),
    ...(after !== null && { after }),
  };
};
