/** The JSON of records as classes, for the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { CATEGORIES, type Category } from '../../domain/rankings.js';
import { RankedResultDto } from '../rankings/ranking.dto.js';
import {
  type EventRecordsView,
  RECORD_TYPES,
  type RecordHistoryView,
  type RecordType,
  type RecordView,
} from './record.queries.js';

export class RecordDto extends RankedResultDto implements RecordView {
  @ApiProperty({ example: 'IrishChampionship2023_fto_r1_7' }) resultId: string;
  @ApiProperty({ type: 'integer', example: 1 }) roundNumber: number;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'IE',
    description: 'That the result counts for: the one its persons had on its date',
  })
  regionCode: string | null;

  @ApiProperty({ example: false, description: 'It equalled the record that another result had set before' })
  tie: boolean;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    example: null,
    description: 'The day on which it was beaten; null while it stands',
  })
  until: string | null;
}

export class RecordHistoryDto implements RecordHistoryView {
  @ApiProperty({ example: 'fto' }) eventId: string;
  @ApiProperty({ enum: RECORD_TYPES, example: 'single' }) type: RecordType;
  @ApiProperty({ enum: CATEGORIES, example: 'all' }) category: Category;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'null is World' })
  region: string | null;

  @ApiProperty({ type: [RecordDto], description: 'The results that are the record now' })
  current: RecordDto[];

  @ApiProperty({ type: [RecordDto], description: 'Every improvement and every tie, oldest first' })
  history: RecordDto[];
}

export class EventRecordsDto implements EventRecordsView {
  @ApiProperty({ example: 'fto' }) eventId: string;
  @ApiProperty({ type: [RecordDto], description: 'Empty where there is none' }) single: RecordDto[];
  @ApiProperty({ type: [RecordDto] }) average: RecordDto[];
}
