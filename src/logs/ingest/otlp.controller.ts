/**
 * POST /v1/logs and /v1/traces: takes what OpenTelemetry exports over OTLP/HTTP. Each log record and each span is an entry. The
 * gate admits the request before its body is read, and answers failures as OTLP asks.
 */
import { applyDecorators, Controller, HttpCode, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { SOURCE_DESCRIPTION, sourceSchema } from '../source-docs.js';
import { FailsWith } from './failure-docs.js';
import { IngestGate } from './ingest-gate.js';
import type { OtlpForm } from './log-body.js';
import { LogIngestion } from './log-ingestion.js';
import { encodedReply, OTLP_TYPES } from './otlp/otlp-messages.js';

const BINARY = { schema: { type: 'string', format: 'binary' } } as const;

/** A reply in both encodings. */
const contentOf = (schema: object) => ({
  [OTLP_TYPES.json]: { schema },
  [OTLP_TYPES.protobuf]: BINARY,
});

const STATUS = { type: 'object', properties: { code: { type: 'integer' }, message: { type: 'string' } } };

const OtlpExport = (signal: OtlpForm['signal'], refused: string, summary: string): MethodDecorator => {
  const partialSuccess = {
    type: 'object',
    properties: { [refused]: { type: 'string' }, errorMessage: { type: 'string' } },
  };
  return applyDecorators(
    HttpCode(200),
    ApiOperation({
      summary,
      description: `The body is an export of ${signal} (OTLP/HTTP) in protobuf or JSON, also with Content-Encoding gzip, deflate, br or zstd.`,
    }),
    ApiHeader({
      name: 'x-source',
      required: false,
      description: `The source that takes the entries: ${SOURCE_DESCRIPTION}`,
      schema: { ...sourceSchema, default: `otel_${signal}` },
    }),
    ApiConsumes(...Object.values(OTLP_TYPES)),
    ApiBody({ schema: { type: 'object' } }),
    ApiResponse({
      status: 200,
      description: 'Written to disk; partialSuccess tells of what broke a rule and was left out',
      content: contentOf({ type: 'object', properties: { partialSuccess } }),
    }),
    FailsWith(
      'The body is no such export, or a header names no source: sending it again does not help',
      contentOf(STATUS),
    ),
  );
};

@ApiTags('logs')
@ApiSecurity('x-api-key')
@ApiBearerAuth()
@Controller('v1')
export class OtlpController {
  constructor(
    private readonly ingestion: LogIngestion,
    private readonly gate: IngestGate,
  ) {}

  @Post('logs')
  @OtlpExport('logs', 'rejectedLogRecords', 'Write log records of OpenTelemetry')
  logs(@Http() exchange: HttpExchange): Promise<Buffer> {
    return this.#ingest('logs', exchange);
  }

  @Post('traces')
  @OtlpExport('traces', 'rejectedSpans', 'Write spans of OpenTelemetry')
  traces(@Http() exchange: HttpExchange): Promise<Buffer> {
    return this.#ingest('traces', exchange);
  }

  async #ingest(signal: OtlpForm['signal'], { request, reply }: HttpExchange): Promise<Buffer> {
    const { refused } = await this.ingestion.append(this.gate.bodyOf(request));
    const encoding = this.gate.otlpEncodingOf(request);
    reply.header('Content-Type', OTLP_TYPES[encoding]);
    return encodedReply({ signal, encoding }, refused);
  }
}
