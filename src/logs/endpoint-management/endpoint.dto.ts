/** Saved endpoints as JSON, for the OpenAPI document. Bodies are read by src/logs/endpoints/endpoint-reader.ts. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { EndpointConfig } from '../endpoints/endpoint.events.js';
import type { EndpointVersionView, EndpointView } from '../endpoints/endpoint.queries.js';
import { MAX_CACHE_SECONDS, MAX_ROWS, MAX_STORED_QUERY_LENGTH } from '../endpoints/endpoint-rules.js';

const nameDoc = { type: String, example: 'errors.recent', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' };
const descriptionDoc = { type: String, nullable: true, maxLength: 1_000, example: 'What went wrong lately' };
const languageDoc = { enum: ['sql'], example: 'sql' };
const queryDoc = {
  type: String,
  minLength: 1,
  maxLength: MAX_STORED_QUERY_LENGTH,
  example: 'select id, event_message from postgres_logs where project = @project limit 10',
  description: 'With @name for each parameter',
};
const maxRowsDoc = { type: 'integer', minimum: 1, maximum: MAX_ROWS, example: 1_000 } as const;
const cachingDoc = {
  type: 'integer',
  nullable: true,
  minimum: 1,
  maximum: MAX_CACHE_SECONDS,
  example: 900,
  description: 'Lifetime of a cached result; null: caching is disabled',
} as const;
const warmingDoc = {
  type: 'integer',
  nullable: true,
  minimum: 1,
  maximum: MAX_CACHE_SECONDS,
  example: 300,
  description:
    'How old a cached result in use grows before it is made anew, at most cachingSeconds; null: it is not',
} as const;
const sandboxingDoc = {
  type: Boolean,
  description: 'Whether a query of the caller’s may use only the tables that the stored query defines',
};
const redactDoc = { type: Boolean, description: 'Whether addresses are redacted in every reply' };

export class EndpointDto implements EndpointView {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty(nameDoc)
  name: string;

  @ApiProperty(descriptionDoc)
  description: string | null;

  @ApiProperty(languageDoc)
  queryLanguage: 'sql';

  @ApiProperty(queryDoc)
  query: string;

  @ApiProperty(maxRowsDoc)
  maxRows: number;

  @ApiProperty(cachingDoc)
  cachingSeconds: number | null;

  @ApiProperty(warmingDoc)
  cacheWarmingSeconds: number | null;

  @ApiProperty(sandboxingDoc)
  sandboxing: boolean;

  @ApiProperty(redactDoc)
  redactPii: boolean;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'One more with each change' })
  version: number;
}

export class EndpointVersionDto extends EndpointDto implements EndpointVersionView {
  @ApiProperty({ format: 'date-time', description: 'When it became so' })
  at: string;

  @ApiProperty({
    example: 'operator',
    description: 'operator: an access token; moderator: an account; cli; system',
  })
  actor: string;

  @ApiProperty({ type: String, nullable: true, description: 'Of the access token' })
  keyId: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Of the account' })
  accountId: string | null;
}

export class StoredQueryBody {
  @ApiProperty(queryDoc)
  query: string;

  @ApiPropertyOptional({ ...sandboxingDoc, default: true })
  sandboxing?: boolean;
}

const sentBackDoc = 'As a reply has it; not looked at';

/** A change: what is left out stays as it is. */
export class EndpointBody implements Partial<EndpointConfig> {
  @ApiPropertyOptional(nameDoc)
  name?: string;

  @ApiPropertyOptional(descriptionDoc)
  description?: string | null;

  @ApiPropertyOptional(languageDoc)
  queryLanguage?: 'sql';

  @ApiPropertyOptional(queryDoc)
  query?: string;

  @ApiPropertyOptional(maxRowsDoc)
  maxRows?: number;

  @ApiPropertyOptional(cachingDoc)
  cachingSeconds?: number | null;

  @ApiPropertyOptional(warmingDoc)
  cacheWarmingSeconds?: number | null;

  @ApiPropertyOptional(sandboxingDoc)
  sandboxing?: boolean;

  @ApiPropertyOptional(redactDoc)
  redactPii?: boolean;

  @ApiPropertyOptional({ format: 'uuid', description: sentBackDoc })
  id?: string;

  @ApiPropertyOptional({ type: 'integer', description: sentBackDoc })
  version?: number;
}

/** What is left out has its default, but name and query, which only `required: true` takes back from the change. */
export class NewEndpointBody extends EndpointBody {
  @ApiProperty({ ...nameDoc, required: true })
  declare name: string;

  @ApiProperty({ ...queryDoc, required: true })
  declare query: string;
}
