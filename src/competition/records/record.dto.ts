/** The JSON of records as classes, for the OpenAPI document. */
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { CATEGORIES, type Category } from '../../domain/rankings.js';
import { RECORD_TAGS, type RecordTag } from '../../domain/record-tags.js';
import { ONE_CATEGORIES, type OneCategory } from '../../domain/results.js';
import { tagDoc } from '../contests/contest.dto.js';
import { RankedResultDto } from '../rankings/ranking.dto.js';
import type { RecentRecordView } from './recent.queries.js';
import {
  type EventRecordsView,
  RECORD_TYPES,
  type RecordHistoryView,
  type RecordType,
  type RecordView,
} from './record.queries.js';
import type { RecordReferenceView, ReferenceView } from './reference-views.js';

export class RecordDto extends RankedResultDto implements RecordView {
  @ApiProperty({ example: 'IrishChampionship2023_fto_r1_7' }) resultId: string;
  @ApiProperty({ type: 'integer', example: 1 }) roundNumber: number;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'IE',
    description: 'The region that the result counts for: that of its persons on its date',
  })
  regionCode: string | null;

  @ApiProperty({ example: false, description: 'Whether it equalled a record of another result' })
  tie: boolean;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    example: null,
    description: 'The day on which another result beat the record; null: none has',
  })
  until: string | null;

  @ApiProperty({ ...tagDoc, example: 'WR' }) recordTag: RecordTag | null;
}

export class ReferenceDto implements ReferenceView {
  @ApiProperty({ type: 'integer', example: 313 }) result: number;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Aoife Byrne',
    description: 'The name of its holder; null: not given',
  })
  who: string | null;

  @ApiProperty({ format: 'date', example: '2023-06-11' }) since: string;
}

export class RecordReferenceDto extends ReferenceDto implements RecordReferenceView {
  @ApiProperty({ example: false, description: 'Whether it equalled an earlier record' }) tie: boolean;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    example: null,
    description: 'The day on which it was beaten; null: it still stands',
  })
  until: string | null;
}

export class RecordHistoryDto implements RecordHistoryView {
  @ApiProperty({ example: 'fto' }) eventId: string;
  @ApiProperty({ enum: RECORD_TYPES, example: 'single' }) type: RecordType;
  @ApiProperty({ enum: CATEGORIES, example: 'all' }) category: Category;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'null: the world' })
  region: string | null;

  @ApiProperty({ type: [RecordDto], description: 'The results that are the record now' })
  current: RecordDto[];

  @ApiProperty({ type: [RecordDto], description: 'Every improvement and every tie, oldest first' })
  history: RecordDto[];

  @ApiProperty({
    type: [RecordReferenceDto],
    description: 'The reference records that were the record, oldest first; they are no results of the space',
  })
  references: RecordReferenceDto[];
}

export class EventReferencesDto implements Readonly<Record<RecordType, RecordReferenceDto[]>> {
  @ApiProperty({ type: [RecordReferenceDto] }) single: RecordReferenceDto[];
  @ApiProperty({ type: [RecordReferenceDto] }) average: RecordReferenceDto[];
}

export class EventRecordsDto implements EventRecordsView {
  @ApiProperty({ example: 'fto' }) eventId: string;
  @ApiProperty({
    type: [RecordDto],
    description: 'Empty when there is none, or when a reference record is better',
  })
  single: RecordDto[];

  @ApiProperty({ type: [RecordDto] }) average: RecordDto[];

  @ApiProperty({ type: EventReferencesDto, description: 'The reference records that still stand' })
  references: EventReferencesDto;
}

export class FormerRecordDto extends OmitType(RecordDto, [
  'attempts',
  'roundNumber',
  'regionCode',
  'tie',
  'until',
  'recordTag',
]) {}

const RECENT_TAGS = RECORD_TAGS.filter((tag) => tag !== 'PR');

export class RecentRecordDto extends OmitType(RecordDto, ['until', 'recordTag']) implements RecentRecordView {
  @ApiProperty({
    example: '333/single/SpringOpen2026_333_r1_7',
    description: 'Stays as long as the result, whatever it is corrected to',
  })
  recordId: string;

  @ApiProperty({ enum: RECENT_TAGS, example: 'NR' }) tag: RecentRecordView['tag'];

  @ApiProperty({
    example: 'NR',
    description: 'The tag with the word of its category: `Meetup NR`, `Online NR`',
  })
  label: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'IE',
    description: 'The largest region that it is a record of; null: the world',
  })
  region: string | null;

  @ApiProperty({ enum: ONE_CATEGORIES, example: 'competitions' }) category: OneCategory;
  @ApiProperty({ example: '333' }) eventId: string;
  @ApiProperty({ enum: RECORD_TYPES, example: 'single' }) type: RecordType;

  @ApiProperty({ format: 'date-time', example: '2026-04-11T09:30:12.345Z' })
  enteredAt: string;

  @ApiProperty({
    type: [FormerRecordDto],
    description:
      'The holders of the record before, oldest first: beaten, or with `tie` equalled; empty: none',
  })
  previous: FormerRecordDto[];

  @ApiProperty({
    type: ReferenceDto,
    nullable: true,
    description: 'The reference record that was the record before; null: none was',
  })
  previousReference: ReferenceDto | null;
}
