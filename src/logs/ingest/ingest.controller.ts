/** POST /api/logs: appends entries of one source, all or none. The gate admits the request before its body is read. */
import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiBearerAuth,
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  ApiSecurity,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { AppendedEntries } from '../../foundation/log-store/log-store.js';
import { LOG_SOURCES } from '../../foundation/log-store/sources.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { IngestLogs } from './ingest.commands.js';
import { IngestReply, LogBatchBody, LogEntryBody } from './ingest.dto.js';
import { IngestGate } from './ingest-gate.js';

@ApiTags('logs')
@Controller('api')
export class IngestController {
  constructor(
    private readonly commands: CommandBus,
    private readonly gate: IngestGate,
  ) {}

  @Post('logs')
  @ApiOperation({
    summary: 'Write log entries of one source, all or nothing',
    description:
      'JSON: one entry, an array, or {"batch": […]}; application/x-ndjson: an entry a line. With Content-Encoding gzip, deflate, br or zstd, or without.',
  })
  @ApiSecurity('x-api-key')
  @ApiBearerAuth()
  @ApiQuery({
    name: 'source',
    enum: Object.keys(LOG_SOURCES),
    example: 'edge_logs',
    description: 'Also as source_name, as collection_name, or as the header x-source',
  })
  @ApiExtraModels(LogEntryBody, LogBatchBody)
  @ApiBody({
    schema: {
      oneOf: [
        { $ref: getSchemaPath(LogBatchBody) },
        { $ref: getSchemaPath(LogEntryBody) },
        { type: 'array', items: { $ref: getSchemaPath(LogEntryBody) } },
      ],
    },
  })
  @ApiResponse({ status: 201, type: IngestReply, description: 'New entries were written to disk' })
  @ApiResponse({ status: 200, type: IngestReply, description: 'All entries were there already' })
  @Problems(400, 401, 403, 413, 415, 422, 429, 503)
  async ingest(@Http() { request, reply }: HttpExchange): Promise<AppendedEntries> {
    const { accepted, duplicates } = await this.commands.execute(new IngestLogs(this.gate.bodyOf(request)));
    reply.code(accepted > 0 ? 201 : 200);
    return { accepted, duplicates };
  }
}
