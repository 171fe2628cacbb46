/**
 * The JSON of contests as classes, for the OpenAPI document. Each class implements the view that the query returns,
 * so the compiler keeps both equal. Tests compare the replies with the document.
 */
import { ApiProperty } from '@nestjs/swagger';
import { PROSPECTS, type Prospect } from '../../domain/advancement.js';
import {
  ADVANCEMENT_TYPES,
  type Advancement,
  CONTEST_TYPES,
  type ContestType,
  type Cutoff,
  ROUND_FORMATS,
  type RoundFormat,
  type RoundRef,
  type TimeLimit,
} from '../../domain/attempts.js';
import { RECORD_TAGS, type RecordTag, type RecordTags } from '../../domain/record-tags.js';
import { ROSTER_MARKS, type RosterMark } from '../../domain/roster.js';
import { OPAQUE_FORMATS, type OpaqueFormat } from '../aggregates/contest/contest.js';
import { PersonDto } from '../persons/person.dto.js';
import {
  type AttemptView,
  CONTEST_STAGES,
  type ContestStage,
  type ContestSummaryView,
  type ContestView,
  type MissingView,
  type OpaqueResultView,
  type OpaqueRoundView,
  type RoundProgress,
  type RoundResultView,
  type RoundRosterView,
  type RoundView,
} from './contest.queries.js';

const dateDoc = { type: String, format: 'date', example: '2023-07-29' };
const regionDoc = { type: String, nullable: true, example: 'IE', description: 'ISO 3166-1 alpha-2' };

export class AttemptDto implements AttemptView {
  @ApiProperty({ type: 'integer', example: 1888, description: '-1 DNF, -2 DNS, 0 not taken' })
  result: number;
}

export class ContestSummaryDto implements ContestSummaryView {
  @ApiProperty({ example: 'IrishChampionship2023' }) competitionId: string;
  @ApiProperty({ enum: CONTEST_STAGES, example: 'finished' }) state: ContestStage;
  @ApiProperty({ example: 'Irish Championship 2023' }) name: string;
  @ApiProperty({ example: 'Irish Ch 2023' }) shortName: string;
  @ApiProperty({ enum: CONTEST_TYPES, example: 'competition' }) type: ContestType;
  @ApiProperty({ type: String, nullable: true, example: 'Dublin' }) city: string | null;
  @ApiProperty(regionDoc) regionCode: string | null;
  @ApiProperty({ type: String, nullable: true, example: null }) venue: string | null;
  @ApiProperty({ ...dateDoc, example: '2023-07-28' }) startDate: string;
  @ApiProperty({ ...dateDoc, example: '2023-07-30' }) endDate: string;

  @ApiProperty({ type: 'integer', example: 41, description: 'How many persons have a result' })
  participants: number;

  @ApiProperty({ type: [String], example: ['fto'] }) eventIds: string[];
}

export class RoundRefDto implements RoundRef {
  @ApiProperty({ example: '333' }) eventId: string;
  @ApiProperty({ type: 'integer', example: 1 }) roundNumber: number;
}

export class TimeLimitDto implements TimeLimit {
  @ApiProperty({ type: 'integer', example: 60000 }) centiseconds: number;

  @ApiProperty({ type: [String], example: [], description: 'Rounds that share the limit, such as 333-r1' })
  cumulativeRounds: string[];
}

export class CutoffDto implements Cutoff {
  @ApiProperty({ type: 'integer', example: 2 }) numberOfAttempts: number;
  @ApiProperty({ type: 'integer', example: 6000 }) attemptResult: number;
}

export class AdvancementDto implements Advancement {
  @ApiProperty({
    enum: ADVANCEMENT_TYPES,
    example: 'percent',
    description: 'number: so many of the first; percent: of the round; value: all whose result is below it',
  })
  type: Advancement['type'];

  @ApiProperty({ type: 'integer', example: 75 }) value: number;
}

export const tagDoc = {
  enum: RECORD_TAGS,
  nullable: true,
  description:
    'Record of the world, the continent or the country on its day, or the persons’ own best; in the category of the ' +
    'contest: its label is `WR` in a competition, `Meetup WR` in a meetup and `Online WR` in an online contest',
};

export class RecordTagsDto implements RecordTags {
  @ApiProperty({ ...tagDoc, example: 'NR' }) single: RecordTag | null;
  @ApiProperty({ ...tagDoc, example: null }) average: RecordTag | null;
}

export class RoundResultDto implements RoundResultView {
  @ApiProperty({ example: 'IrishChampionship2023_fto_r1_7' }) resultId: string;
  @ApiProperty({ type: 'integer', example: 1 }) place: number;
  @ApiProperty({ example: false }) advances: boolean;

  @ApiProperty({
    enum: PROSPECTS,
    nullable: true,
    example: 'certain',
    description: 'Whether the competitor advances however the round ends; null: without a rule or a roster',
  })
  advancement: Prospect | null;

  @ApiProperty({ type: RecordTagsDto }) recordTags: RecordTagsDto;
  @ApiProperty({ type: [PersonDto] }) persons: PersonDto[];
  @ApiProperty({ type: [AttemptDto] }) attempts: AttemptDto[];
  @ApiProperty({ type: 'integer', example: 1570 }) best: number;
  @ApiProperty({ type: 'integer', example: 1850 }) average: number;
  @ApiProperty(dateDoc) date: string;

  @ApiProperty({ ...regionDoc, description: 'Country of its persons on its date, or their continent' })
  regionCode: string | null;
}

export class MissingDto implements MissingView {
  @ApiProperty({ type: [PersonDto] }) persons: PersonDto[];
  @ApiProperty({ enum: ROSTER_MARKS, example: 'no-show' }) mark: RosterMark;
}

export class RoundProgressDto implements RoundProgress {
  @ApiProperty({ type: 'integer', example: 16, description: 'Without no-shows and those who quit' })
  expected: number;

  @ApiProperty({ type: 'integer', example: 12, description: 'With a result' }) entered: number;
  @ApiProperty({ type: 'integer', example: 11, description: 'With all their attempts' }) complete: number;
}

export class RoundRosterDto extends RoundProgressDto implements RoundRosterView {
  @ApiProperty({ type: [MissingDto], description: 'Without a result' }) missing: MissingDto[];
}

export class RoundDto implements RoundView {
  @ApiProperty({ type: 'integer', example: 1 }) roundNumber: number;
  @ApiProperty({ example: 'f' }) roundTypeId: string;
  @ApiProperty({ enum: ROUND_FORMATS, example: 'a' }) format: RoundFormat;
  @ApiProperty({ ...dateDoc, nullable: true }) date: string | null;
  @ApiProperty({ example: false }) open: boolean;

  @ApiProperty({
    example: false,
    description: 'Whether places may change: the round is open, or was closed with results missing',
  })
  provisional: boolean;

  @ApiProperty({ type: TimeLimitDto, nullable: true }) timeLimit: TimeLimitDto | null;
  @ApiProperty({ type: CutoffDto, nullable: true }) cutoff: CutoffDto | null;
  @ApiProperty({ type: AdvancementDto, nullable: true }) advancement: AdvancementDto | null;

  @ApiProperty({
    type: RoundRosterDto,
    nullable: true,
    description: 'Who is expected; null: the round takes every known person',
  })
  roster: RoundRosterDto | null;

  @ApiProperty({ type: [RoundResultDto] }) results: RoundResultDto[];
}

export class OpaqueResultDto implements OpaqueResultView {
  @ApiProperty({ type: 'integer', nullable: true, example: 1 }) place: number | null;
  @ApiProperty({ type: [PersonDto] }) persons: PersonDto[];
  @ApiProperty({ type: [AttemptDto] }) attempts: AttemptDto[];
  @ApiProperty({ type: 'integer', nullable: true, example: 612 }) best: number | null;
  @ApiProperty({ type: 'integer', nullable: true, example: null }) average: number | null;
}

export class OpaqueRoundDto extends RoundRefDto implements OpaqueRoundView {
  @ApiProperty({ enum: OPAQUE_FORMATS, example: 'h', description: 'h: head to head' })
  format: OpaqueFormat;

  @ApiProperty({ ...dateDoc, nullable: true }) date: string | null;
  @ApiProperty({ type: [OpaqueResultDto], description: 'By place' }) results: OpaqueResultDto[];
}

export class ContestEventDto {
  @ApiProperty({ example: 'fto' }) eventId: string;
  @ApiProperty({ type: [RoundDto] }) rounds: RoundDto[];
}

export class ContestDto extends ContestSummaryDto implements ContestView {
  @ApiProperty({ type: [String], example: ['Jo Doe'] }) organizers: string[];
  @ApiProperty({ type: [ContestEventDto] }) events: ContestEventDto[];

  @ApiProperty({
    type: [OpaqueRoundDto],
    description:
      'Rounds of a format that Podium does not have, as an imported file gives them; they are in no ranking and no record',
  })
  opaqueRounds: OpaqueRoundDto[];
}
