/** The JSON of merges as classes: for the OpenAPI document, and to validate request bodies. */
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Min } from 'class-validator';
import { PersonDetailDto } from '../persons/person-moderation.dto.js';
import type { MergedRoundView, MergePreviewView } from './merge-preview.js';

export class MergedRoundDto implements MergedRoundView {
  @ApiProperty({ example: 'SpringOpen2026' }) competitionId: string;
  @ApiProperty({ example: 'Spring Open 2026' }) contestName: string;
  @ApiProperty({ example: '333' }) eventId: string;
  @ApiProperty({ type: 'integer', example: 1 }) roundNumber: number;
  @ApiProperty({ description: 'Both persons have a result in this round' }) collides: boolean;
}

export class RefusalDto {
  @ApiProperty({ example: 'merge-conflict' }) code: string;

  @ApiProperty({ example: 'persons 12 and 7 both have a result in SpringOpen2026 333-r1' })
  detail: string;
}

export class MergePreviewDto implements MergePreviewView {
  @ApiProperty({ type: PersonDetailDto, description: 'Whose id becomes an alias' }) from: PersonDetailDto;
  @ApiProperty({ type: PersonDetailDto }) into: PersonDetailDto;

  @ApiProperty({ type: MergedRoundDto, isArray: true, description: 'Rounds whose results move' })
  rounds: MergedRoundDto[];

  @ApiProperty({ type: 'integer', example: 3, description: 'Number of contests that have these rounds' })
  contests: number;

  @ApiProperty({ type: String, nullable: true, description: 'Association id that passes to into' })
  takesAssocId: string | null;

  @ApiProperty({ type: RefusalDto, nullable: true, description: 'Why not; null: it is possible' })
  refusal: RefusalDto | null;
}

export class MergeBody {
  @ApiProperty({ type: 'integer', example: 7, description: 'Id of the person who stays' })
  @IsInt()
  @Min(1)
  into: number;
}
