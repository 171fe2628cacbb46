/** Saved endpoints as JSON, for the OpenAPI document. Bodies are read by src/logs/endpoints/endpoint-reader.ts. */
import { ApiProperty, ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import type { EndpointConfig } from '../endpoints/endpoint.events.js';
import type { EndpointVersionView, EndpointView } from '../endpoints/endpoint.queries.js';
import { MAX_CACHE_SECONDS, MAX_ROWS, MAX_STORED_QUERY_LENGTH } from '../endpoints/endpoint-rules.js';

const nameDoc = { type: String, example: 'errors.recent', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' };
const queryDoc = {
  type: String,
  minLength: 1,
  maxLength: MAX_STORED_QUERY_LENGTH,
  example: 'select id, event_message from postgres_logs where project = @project limit 10',
  description: 'A query in the SQL of the log endpoints, with @name for each parameter',
};
const sandboxingDoc = {
  type: Boolean,
  description: 'Whether a query of a caller may read only the tables that the stored query defines',
};

export class EndpointDto implements EndpointView {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty(nameDoc)
  name: string;

  @ApiProperty({ type: String, nullable: true, maxLength: 1_000, example: 'What went wrong lately' })
  description: string | null;

  @ApiProperty({ enum: ['sql'], example: 'sql' })
  queryLanguage: 'sql';

  @ApiProperty(queryDoc)
  query: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_ROWS, example: 1_000 })
  maxRows: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: MAX_CACHE_SECONDS,
    example: 900,
    description: 'How many seconds a result is cached; null: not at all',
  })
  cachingSeconds: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: MAX_CACHE_SECONDS,
    example: 300,
    description:
      'Age in seconds at which a cached result in use is refreshed, at most cachingSeconds; null: it is not',
  })
  cacheWarmingSeconds: number | null;

  @ApiProperty(sandboxingDoc)
  sandboxing: boolean;

  @ApiProperty({ type: Boolean, description: 'Whether IP addresses are redacted in every reply' })
  redactPii: boolean;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Each change adds one' })
  version: number;
}

export class EndpointVersionDto extends EndpointDto implements EndpointVersionView {
  @ApiProperty({ format: 'date-time', description: 'When it got this version' })
  at: string;

  @ApiProperty({
    example: 'operator',
    description: 'operator: an access token; moderator: an account; cli: the command line; system: Podium',
  })
  actor: string;

  @ApiProperty({ type: String, nullable: true, description: 'Id of the access token' })
  keyId: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Id of the account' })
  accountId: string | null;
}

export class StoredQueryBody {
  @ApiProperty(queryDoc)
  query: string;

  @ApiPropertyOptional({ ...sandboxingDoc, default: true })
  sandboxing?: boolean;
}

const sentBackDoc = 'Allowed, so that a reply can be sent back; ignored';

/** A change. Fields that are left out keep their values. */
export class EndpointBody
  extends PartialType(OmitType(EndpointDto, ['id', 'version']))
  implements Partial<EndpointConfig>
{
  @ApiPropertyOptional({ format: 'uuid', description: sentBackDoc })
  id?: string;

  @ApiPropertyOptional({ type: 'integer', description: sentBackDoc })
  version?: number;
}

/** Fields that are left out have defaults, but `name` and `query` are required, unlike in a change. */
export class NewEndpointBody extends EndpointBody {
  @ApiProperty({ ...nameDoc, required: true })
  declare name: string;

  @ApiProperty({ ...queryDoc, required: true })
  declare query: string;
}
