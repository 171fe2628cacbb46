/** A ranking's JSON as classes, for the OpenAPI document. */
import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import type { RecordTag } from '../../domain/record-tags.js';
import { AttemptDto, ContestSummaryDto, tagDoc } from '../contests/contest.dto.js';
import { PersonDto } from '../persons/person.dto.js';
import type { RankingEntryView } from './ranking.queries.js';

export class RankedContestDto extends PickType(ContestSummaryDto, ['competitionId', 'shortName', 'type']) {
  @ApiProperty({ type: String, nullable: true, example: 'IE' }) regionCode: string | null;
}

/** A value with the result and the contest that it comes from. */
export class RankedResultDto {
  @ApiProperty({ type: [PersonDto] }) persons: PersonDto[];
  @ApiProperty({ type: 'integer', example: 1570 }) result: number;
  @ApiProperty({ type: [AttemptDto] }) attempts: AttemptDto[];
  @ApiProperty({ type: String, format: 'date', example: '2023-07-29' }) date: string;
  @ApiProperty({ type: RankedContestDto }) contest: RankedContestDto;
}

export class RankingEntryDto extends RankedResultDto implements RankingEntryView {
  @ApiProperty({ example: 'IrishChampionship2023_fto_r1_7_p7' }) rankingId: string;

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'Equal values share a place and the next is skipped',
  })
  ranking: number;

  @ApiPropertyOptional({ type: 'integer', example: 7, description: 'Only with show=persons' })
  personId: number;

  @ApiProperty({ ...tagDoc, example: 'NR' }) recordTag: RecordTag | null;
}
