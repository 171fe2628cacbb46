/** The JSON of reference records as classes, for the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { ONE_CATEGORIES, type OneCategory, VALUE_KINDS, type ValueKind } from '../../domain/results.js';
import { FaultDto } from '../exchange/exchange.dto.js';
import type { NamedReference } from './reference-file.js';
import type { ReferenceCounts, ReferencesPreview } from './references.commands.js';

export class ReferenceRecordDto implements NamedReference {
  @ApiProperty({ example: '333' }) eventId: string;
  @ApiProperty({ enum: VALUE_KINDS, example: 'single' }) kind: ValueKind;
  @ApiProperty({ enum: ONE_CATEGORIES, example: 'competitions' }) category: OneCategory;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'A country or a continent; null: the world',
  })
  region: string | null;

  @ApiProperty({ type: 'integer', example: 313 }) value: number;
  @ApiProperty({ format: 'date', example: '2023-06-11' }) since: string;

  @ApiProperty({ type: String, nullable: true, example: 'Aoife Byrne', description: 'null: not given' })
  who: string | null;
}

export class ReferenceCountsDto implements ReferenceCounts {
  @ApiProperty({ type: 'integer', example: 3 }) added: number;

  @ApiProperty({ type: 'integer', example: 1, description: 'With another value or holder' })
  changed: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'Not in the file' }) removed: number;
  @ApiProperty({ type: 'integer', example: 30 }) same: number;
}

export class ReferencesPreviewDto extends ReferenceCountsDto implements ReferencesPreview {
  @ApiProperty({ description: 'An import with this fingerprint makes these changes or none' })
  fingerprint: string;

  @ApiProperty({ type: [FaultDto], description: 'Why the file is not imported' }) faults: FaultDto[];
}
