/**
 * POST /api/logs, /api/logs/cloudflare and /api/logs/logplex: append entries of one source, all or none. The gate admits the
 * request before its body is read.
 */
import { applyDecorators, Controller, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  ApiSecurity,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { AppendedEntries } from '../../foundation/log-store/log-store.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { SOURCE_DESCRIPTION, sourceSchema } from '../source-docs.js';
import { IngestReply, LogBatchBody, LogEntryBody } from './ingest.dto.js';
import { IngestGate } from './ingest-gate.js';
import { LogIngestion } from './log-ingestion.js';

/** Docs of each of these operations. */
const AppendsEntries = (summary: string, description: string): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary, description }),
    ApiSecurity('x-api-key'),
    ApiBearerAuth(),
    ApiQuery({
      name: 'source',
      schema: sourceSchema,
      description: `${SOURCE_DESCRIPTION}. Also as source_name, as collection_name, or as the header x-source`,
    }),
    ApiResponse({ status: 201, type: IngestReply, description: 'New entries were written to disk' }),
    ApiResponse({ status: 200, type: IngestReply, description: 'All entries were there already' }),
    Problems(400, 401, 403, 413, 415, 422, 429, 503),
  );

@ApiTags('logs')
@Controller('api')
export class IngestController {
  constructor(
    private readonly ingestion: LogIngestion,
    private readonly gate: IngestGate,
  ) {}

  @Post('logs')
  @AppendsEntries(
    'Write log entries of one source, all or nothing',
    'JSON: one entry, an array, or {"batch": […]}; application/x-ndjson: an entry a line. With Content-Encoding gzip, deflate, br or zstd, or without.',
  )
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
  ingest(@Http() exchange: HttpExchange): Promise<AppendedEntries> {
    return this.#append(exchange);
  }

  @Post('logs/cloudflare')
  @AppendsEntries(
    'Write what Logpush of Cloudflare uploads, all or nothing',
    'A record of any dataset a line, also compressed. The upload that tests the destination writes nothing.',
  )
  @ApiConsumes('application/x-ndjson')
  @ApiBody({ schema: { type: 'object' } })
  ingestCloudflare(@Http() exchange: HttpExchange): Promise<AppendedEntries> {
    return this.#append(exchange);
  }

  @Post('logs/logplex')
  @AppendsEntries(
    'Write the messages of a Logplex drain, all or nothing',
    'Syslog messages, each after its length in bytes. The token may be the password of Authorization: Basic.',
  )
  @ApiConsumes('application/logplex-1')
  @ApiBody({ schema: { type: 'string' } })
  ingestLogplex(@Http() exchange: HttpExchange): Promise<AppendedEntries> {
    return this.#append(exchange);
  }

  async #append({ request, reply }: HttpExchange): Promise<AppendedEntries> {
    const { accepted, duplicates } = await this.ingestion.append(this.gate.bodyOf(request));
    reply.code(accepted > 0 ? 201 : 200);
    return { accepted, duplicates };
  }
}
