/**
 * POST /loki/api/v1/push: takes what clients push to Loki. Each line is an entry. The gate admits the request before its body
 * is read, and answers failures with a line of text as Loki does.
 */
import { Controller, HttpCode, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { FailureError } from '../../http/problems/failure.js';
import { SOURCE_DESCRIPTION, sourceSchema } from '../source-docs.js';
import { FailsWith } from './failure-docs.js';
import { IngestGate } from './ingest-gate.js';
import { LogIngestion } from './log-ingestion.js';
import type { RefusedEntries } from './read-entries.js';

@ApiTags('logs')
@ApiSecurity('x-api-key')
@ApiBearerAuth()
@Controller('loki/api/v1')
export class LokiController {
  constructor(
    private readonly ingestion: LogIngestion,
    private readonly gate: IngestGate,
  ) {}

  @Post('push')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Write lines that are pushed to Loki',
    description:
      'JSON, also with Content-Encoding gzip, deflate, br or zstd; or protobuf in Snappy. The token may be the password of Authorization: Basic.',
  })
  @ApiQuery({
    name: 'source',
    required: false,
    schema: sourceSchema,
    description: `${SOURCE_DESCRIPTION}. Also as the header x-source; otel_logs when it is left out`,
  })
  @ApiConsumes('application/json', 'application/x-protobuf')
  @ApiBody({
    schema: {
      type: 'object',
      example: {
        streams: [{ stream: { job: 'web' }, values: [['1570818238000000000', 'fizzbuzz']] }],
      },
    },
  })
  @ApiResponse({ status: 204, description: 'All lines are on disk' })
  @FailsWith('The body is no push, or lines broke a rule: they were left out, and the others were written', {
    'text/plain': { schema: { type: 'string' } },
  })
  async push(@Http() { request }: HttpExchange): Promise<void> {
    const { refused } = await this.ingestion.append(this.gate.bodyOf(request));
    if (refused !== null) throw leftOut(refused);
  }
}

/** Loki answers so too, and its clients do not push such lines again. */
const leftOut = ({ count, reason }: RefusedEntries): FailureError =>
  new FailureError({
    code: 'invalid-request',
    status: 400,
    detail: `${count} ${count === 1 ? 'line was' : 'lines were'} left out, all others were written: ${reason}`,
  });
