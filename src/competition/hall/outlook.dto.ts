/** The JSON of an outlook as classes, for the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import type { Need } from '../../domain/needs.js';
import type { Outlook } from '../../domain/outlook.js';
import type { PlaceNeed } from '../../domain/place-needs.js';
import type { Standing, Standings } from '../../domain/record-needs.js';
import type { OutlookView } from './round-outlook.js';

const needOf = (description: string): MethodDecorator & PropertyDecorator =>
  ApiProperty({
    oneOf: [{ type: 'integer', minimum: 1 }, { type: 'string', enum: ['success', 'any'] }, { type: 'null' }],
    example: 731,
    description,
  });
const NeedProperty = needOf(
  'The worst value that is enough; success: every valid value is; any: a DNF is enough too; null: no value is',
);
const valueDoc = { type: 'integer', nullable: true, example: 812 } as const;

export class PlaceNeedDto implements PlaceNeed {
  @NeedProperty need: Need;
  @ApiProperty({ example: false, description: 'Whether exactly this value shares the place' })
  isTied: boolean;
}

export class PlaceNeedsDto {
  @ApiProperty({ type: PlaceNeedDto }) first: PlaceNeedDto;
  @ApiProperty({ type: PlaceNeedDto, description: 'The third place or a better one' }) podium: PlaceNeedDto;
}

export class AdvancementNeedsDto {
  @needOf('To stay in: some way to end the round lets it advance')
  possible: Need;

  @needOf('To advance however the round ends') certain: Need;
}

export class RecordNeedsOfKindDto {
  @NeedProperty WR: Need;
  @NeedProperty CR: Need;
  @NeedProperty NR: Need;
  @NeedProperty PR: Need;
}

export class RecordNeedsDto {
  @ApiProperty({ type: RecordNeedsOfKindDto }) single: RecordNeedsOfKindDto;
  @ApiProperty({ type: RecordNeedsOfKindDto }) average: RecordNeedsOfKindDto;
}

export class RecordValuesOfKindDto implements Standing {
  @ApiProperty(valueDoc) WR: number | null;
  @ApiProperty(valueDoc) CR: number | null;
  @ApiProperty(valueDoc) NR: number | null;
  @ApiProperty(valueDoc) PR: number | null;
}

export class RecordValuesDto implements Standings {
  @ApiProperty({ type: RecordValuesOfKindDto, nullable: true }) single: RecordValuesOfKindDto | null;

  @ApiProperty({
    type: RecordValuesOfKindDto,
    nullable: true,
    description:
      'The value that equals each record; 0: none yet; null: there is no such record for the competitor',
  })
  average: RecordValuesOfKindDto | null;
}

export class OutlookDto implements OutlookView {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'SpringOpen2026_333_r1_7',
    description: 'null: the competitor has no result yet',
  })
  resultId: string | null;

  @ApiProperty({ type: 'integer', isArray: true, example: [7], description: 'One, or the members of a team' })
  personIds: number[];

  @ApiProperty({ type: 'integer', example: 5, description: 'The next attempt' }) attemptNumber: number;

  @ApiProperty({
    example: false,
    description:
      'Whether the needs are of the same value in every attempt, as of a competitor without a result; otherwise they are of the next attempt',
  })
  isEveryAttempt: boolean;

  @ApiProperty({
    ...valueDoc,
    description: 'The average of the attempts so far, or the best where the format ranks by it; -1: DNF',
  })
  projected: number | null;

  @ApiProperty({ ...valueDoc, description: 'Average of 5 with the best last attempt; null before it' })
  bestPossible: number | null;

  @ApiProperty({ ...valueDoc, description: 'With the worst one; -1: DNF' }) worstPossible: number | null;

  @ApiProperty({
    type: PlaceNeedsDto,
    nullable: true,
    description: 'null: the format ranks by average, and these attempts make none yet',
  })
  places: PlaceNeedsDto | null;

  @ApiProperty({
    type: AdvancementNeedsDto,
    nullable: true,
    description: 'null: as with places, or the round has no rule for advancing or no roster',
  })
  advancement: AdvancementNeedsDto | null;

  @ApiProperty({ type: RecordNeedsDto, nullable: true }) records: Outlook['records'];
  @ApiProperty({ type: RecordValuesDto, nullable: true }) standings: RecordValuesDto | null;

  @ApiProperty({
    type: 'integer',
    example: 0,
    description:
      'Centiseconds of the cumulative time limit that were spent in the other rounds that share it',
  })
  spentElsewhere: number;
}
