/** The JSON of a contest's competitors as classes: for the OpenAPI document, and to validate request bodies. */
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsInt, Min } from 'class-validator';
import { PersonDto } from '../persons/person.dto.js';
import type { CompetitorView } from './contest.queries.js';

const MAX_CONCURRENT = 5_000;

export class CompetitorDto implements CompetitorView {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 17,
    description: 'The number of the person in this contest; null: none was given',
  })
  number: number | null;

  @ApiProperty({ type: PersonDto }) person: PersonDto;
}

export class NumberCompetitorsBody {
  @ApiProperty({
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    minItems: 1,
    maxItems: MAX_CONCURRENT,
    example: [7, 12],
    description: 'Database ids; persons without a number get the next ones in this order',
  })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_CONCURRENT)
  @IsInt({ each: true })
  @Min(1, { each: true })
  personIds: number[];
}
