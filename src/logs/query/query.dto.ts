/** Calls of saved endpoints in the OpenAPI document. */
import { applyDecorators } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCookieAuth,
  ApiExtraModels,
  ApiHeader,
  ApiParam,
  ApiProperty,
  ApiPropertyOptional,
  ApiQuery,
  ApiResponse,
  ApiSecurity,
  getSchemaPath,
} from '@nestjs/swagger';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { CONTENT_TYPES, ROW_FORMATS } from '../downloads/row-format.js';
import { COST_HEADER, REDACT_HEADER } from './call-head.js';
import { LABELS_HEADER } from './call-labels.js';

export class CallBody {
  @ApiPropertyOptional({
    type: String,
    example: 'abcdefghij',
    description: 'The project whose entries are read; any other parameter is given likewise',
  })
  project?: unknown;

  @ApiPropertyOptional({ type: String, description: 'A query of your own over the endpoint’s tables' })
  sql?: unknown;

  @ApiPropertyOptional({ type: String, description: 'A query of your own in LQL; not both' })
  lql?: unknown;
}

export class OwnQueryBody {
  @ApiPropertyOptional({ type: String, example: 'select count(*) as n from edge_logs' })
  sql?: unknown;

  @ApiPropertyOptional({ type: String, description: 'A query of your own in LQL; not both' })
  lql?: unknown;
}

export class ResultDto {
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'One object for each row',
  })
  result: object[];
}

const optional = (name: string, description: string, example?: string): MethodDecorator =>
  ApiQuery({ name, required: false, description, ...(example === undefined ? {} : { example }) });

/** Documents an operation of one endpoint, for tokens and accounts. */
export const QueryDocs = (...problems: readonly number[]): MethodDecorator =>
  applyDecorators(
    ApiSecurity('x-api-key'),
    ApiBearerAuth(),
    ApiCookieAuth('session'),
    ApiParam({
      name: 'endpoint',
      type: String,
      description: 'Name or id of the endpoint',
      example: 'logs.all',
    }),
    Problems(...problems),
  );

/** A file of rows in the OpenAPI document. */
export const fileContents = Object.fromEntries(
  ROW_FORMATS.map((format) => [
    CONTENT_TYPES[format].split(';', 1)[0],
    { schema: { type: 'string', ...(format === 'parquet' && { format: 'binary' }) } },
  ]),
);

/** Headers and reply of a call. */
const ReplyDocs = (): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(ResultDto),
    ApiHeader({
      name: REDACT_HEADER,
      required: false,
      schema: { type: 'string', enum: ['true', 'false', ''] },
      description: 'true redacts IP addresses in this reply; else redactPii of the endpoint decides',
    }),
    ApiHeader({
      name: COST_HEADER,
      required: false,
      schema: { type: 'string', enum: ['true', 'false', ''] },
      description: 'true counts what the query read: Podium-Read-Entries and Podium-Read-Bytes of the reply',
    }),
    ApiHeader({
      name: LABELS_HEADER,
      required: false,
      schema: { type: 'string', example: 'team=results,board=hall' },
      description: 'Labels of the call, kept with it in the edge_logs of the project podium',
    }),
    ApiResponse({
      status: 200,
      description: 'The rows, at most maxRows of the endpoint',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(ResultDto) } },
        ...fileContents,
      },
      headers: {
        Age: { description: 'Seconds since a cached result was made', schema: { type: 'integer' } },
        'Content-Disposition': {
          description: 'Of a file: its name, that of the endpoint; else missing',
          schema: { type: 'string' },
        },
        'Podium-Read-Entries': {
          description: `Entries that the query read, of those that the caller may see; 0: the result was cached. Only with ${COST_HEADER}`,
          schema: { type: 'integer' },
        },
        'Podium-Read-Bytes': {
          description: 'Their messages and metadata as text, estimated from up to 1,000 entries of each scan',
          schema: { type: 'integer' },
        },
        'Podium-Truncated': {
          description: 'true when the result had more rows; else missing',
          schema: { type: 'string' },
        },
      },
    }),
  );

const PROBLEMS = [400, 401, 403, 404, 413, 415, 422, 429, 503, 504];

export const CallDocs = (): MethodDecorator =>
  applyDecorators(
    QueryDocs(...PROBLEMS),
    optional('project', 'Parameter of every endpoint of Podium: whose entries', 'abcdefghij'),
    optional('iso_timestamp_start', 'Parameter of logs.all: only entries after it', '2026-03-17T14:00:00Z'),
    optional('iso_timestamp_end', 'Parameter of logs.all: only entries up to it', '2026-03-17T15:00:00Z'),
    optional('interval', 'Parameter of usage.api-counts: minutely, hourly or daily', 'daily'),
    optional('sql', 'A query of your own over the endpoint’s tables'),
    optional('lql', 'A query of your own in LQL; not both'),
    ApiQuery({
      name: 'format',
      required: false,
      enum: ['json', ...ROW_FORMATS],
      description:
        'The result as a file; default: what Accept names, else json. An endpoint that declares a parameter of this name keeps it',
    }),
    ReplyDocs(),
  );

const PLACE = '2026-03-17T14:47:02.123456Z,0b9c1c6e-6f5b-4d0e-9a8e-3f6f0d0f4a11';

export const EntriesDocs = (): MethodDecorator =>
  applyDecorators(
    QueryDocs(...PROBLEMS),
    optional('before', 'Timestamp and id of an entry: those older than it, newest first', PLACE),
    optional('after', 'Timestamp and id of an entry: those newer than it, oldest first; not both'),
    optional('limit', 'Rows of the page, where the endpoint returns more', '500'),
    ReplyDocs(),
  );

export const ValuesDocs = (): MethodDecorator =>
  applyDecorators(
    QueryDocs(...PROBLEMS),
    ApiQuery({ name: 'field', description: 'The path of the field', example: 'm.response.status_code' }),
    ReplyDocs(),
  );
