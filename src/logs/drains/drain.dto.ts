/** Drains as JSON, for the OpenAPI document. Bodies are read by drain-body.ts. */
import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { OwnerDto, revisionText } from '../owner.dto.js';
import { sourceSchema } from '../source-docs.js';
import { BODY_FORMATS } from './drain.js';
import { DESTINATION_KINDS, MAX_BATCH_SECONDS } from './drain-body.js';
import { type DestinationView, DRAIN_STATES, type DrainTest, type DrainView } from './drain-view.js';

class NewDestinationBody {
  @ApiProperty({
    enum: DESTINATION_KINDS,
    description: 'http: signed posts; s3: Parquet files in the bucket of the settings',
  })
  kind: DestinationView['kind'];

  @ApiPropertyOptional({
    type: String,
    format: 'uri',
    example: 'https://example.com/logs',
    description: 'Of http',
  })
  url?: string;

  @ApiPropertyOptional({
    enum: BODY_FORMATS,
    description: 'Of http: a JSON array, or a line for each entry. Default: as it was; of new posts json',
  })
  format?: string;
}

class DestinationDto implements DestinationView {
  @ApiProperty({ enum: DESTINATION_KINDS })
  kind: DestinationView['kind'];

  @ApiProperty({ type: String, format: 'uri', nullable: true, description: 'Null: s3 has none of its own' })
  url: string | null;

  @ApiProperty({ enum: [...BODY_FORMATS, 'parquet'] })
  format: DestinationView['format'];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Signs the batches of http. Only in the reply to the request that makes it; else null',
  })
  secret: string | null;
}

class SentDto {
  @ApiProperty({ type: 'integer' })
  entries: number;

  @ApiProperty({ type: 'integer' })
  batches: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastAt: string | null;
}

class DrainErrorDto {
  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({ type: String, example: 'the receiver answered 503' })
  problem: string;
}

class DrainFieldsDto {
  @ApiProperty({ type: String, maxLength: 100, example: 'Errors to the archive' })
  name: string;

  @ApiProperty(sourceSchema)
  source: string;
}

export class NewDrainBody extends DrainFieldsDto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Whose entries. Default: those of the token’s project, or of all for a token of none',
  })
  project?: string | null;

  @ApiPropertyOptional({ type: String, description: 'A filter in LQL, without times and aggregates' })
  lql?: string;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'Whether addresses are redacted even if logs.all does not',
  })
  redactPii?: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_BATCH_SECONDS,
    description: 'How long an entry waits at most for others of its batch. Default: 1, of s3 300',
  })
  batchSeconds?: number;

  @ApiProperty({ type: NewDestinationBody })
  destination: NewDestinationBody;
}

export class DrainBody extends PartialType(NewDrainBody) {
  @ApiPropertyOptional({ description: revisionText('drain') })
  revision?: string;
}

export class DrainDto extends DrainFieldsDto implements DrainView {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ description: revisionText('drain') })
  revision: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null: the entries of all projects' })
  project: string | null;

  @ApiProperty({ type: String })
  lql: string;

  @ApiProperty({ type: Boolean })
  redactPii: boolean;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_BATCH_SECONDS })
  batchSeconds: number;

  @ApiProperty({ type: DestinationDto })
  destination: DestinationDto;

  @ApiProperty({
    type: OwnerDto,
    description: 'Who made, changed or resumed it last: it reads with these rights',
  })
  owner: OwnerDto;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  @ApiProperty({
    enum: DRAIN_STATES,
    description: 'failing: a batch is sent again; stopped: it goes on when it is resumed, see lastError',
  })
  state: DrainView['state'];

  @ApiProperty({
    type: 'integer',
    description: 'Each matching entry up to this position is with the receiver, or was skipped',
  })
  position: number;

  @ApiProperty({ type: 'integer', description: 'How far it is behind the last entry of the logs' })
  lagSeconds: number;

  @ApiProperty({ type: SentDto })
  sent: SentDto;

  @ApiProperty({
    type: 'integer',
    description: 'Entries that were older than the retention before they could be sent',
  })
  skipped: number;

  @ApiProperty({
    type: 'integer',
    description: 'Entries that the receiver answered with 413, each alone: they were passed over',
  })
  tooLarge: number;

  @ApiProperty({ type: DrainErrorDto, nullable: true })
  lastError: DrainErrorDto | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextAttemptAt: string | null;
}

export class DrainTestDto implements DrainTest {
  @ApiProperty({ type: String, nullable: true, description: 'Null: the receiver has taken the empty batch' })
  problem: string | null;
}
