/** An entry and the reply to an ingestion, as the OpenAPI document shows them. */
import { ApiProperty } from '@nestjs/swagger';
import { MAX_MESSAGE_LENGTH, MAX_METADATA_DEPTH } from './entry-rules.js';
import { ENTRY_TIMES } from './entry-time.js';

export class LogEntryBody {
  @ApiProperty({
    required: false,
    type: String,
    nullable: true,
    format: 'uuid',
    description: 'Default: a new one. The same project, source and id count once within 24 hours',
    example: '7c1f5a8e-2b0d-4f3a-9a51-1f0e6c2d9b47',
  })
  id?: string | null;

  @ApiProperty({
    required: false,
    oneOf: [{ type: 'string' }, { type: 'integer', minimum: 1_000_000_000 }, { type: 'null' }],
    description: `${ENTRY_TIMES}; now where it is left out`,
    example: '2026-03-17T14:47:02.123456Z',
  })
  timestamp?: string | number | null;

  @ApiProperty({
    required: false,
    maxLength: MAX_MESSAGE_LENGTH,
    description: 'Required, under this name or as message. Fields without a name here go under metadata',
    example: 'GET | 200 | 203.0.113.9 | /rest/v1/items?select=*',
  })
  event_message: string;

  @ApiProperty({
    required: false,
    type: Object,
    nullable: true,
    description: `A record that nests at most ${MAX_METADATA_DEPTH} levels`,
    example: { request: { method: 'GET', path: '/rest/v1/items' }, response: { status_code: 200 } },
  })
  metadata?: object | null;

  @ApiProperty({
    required: false,
    type: String,
    nullable: true,
    description: 'Value of the column project',
    example: 'abcdefghijklmnopqrst',
  })
  project?: string | null;
}

export class LogBatchBody {
  @ApiProperty({ type: [LogEntryBody] })
  batch: LogEntryBody[];
}

export class IngestReply {
  @ApiProperty({ description: 'Entries that were written', example: 998 })
  accepted: number;

  @ApiProperty({ description: 'Entries that were there already, by their ids', example: 2 })
  duplicates: number;
}
