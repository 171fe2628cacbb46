/** The JSON of contest moderation as classes, for the OpenAPI document. contest-body.ts reads the bodies. */
import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { CONTEST_TYPES, type ContestType, ROUND_FORMATS, type RoundFormat } from '../../domain/attempts.js';
import {
  AdvancementDto,
  ContestSummaryDto,
  CutoffDto,
  RoundProgressDto,
  RoundRefDto,
  TimeLimitDto,
} from './contest.dto.js';
import {
  ENDINGS,
  type Ending,
  type EndingView,
  type ModeratedContestView,
  type ModeratedRoundView,
  type ModeratedSummaryView,
  type OrganizerView,
  ROUND_PHASES,
  type RoundPhase,
} from './moderation.queries.js';

const dateDoc = { type: String, format: 'date', example: '2026-05-01' };
export class ModeratedSummaryDto extends ContestSummaryDto implements ModeratedSummaryView {
  @ApiProperty({
    type: String,
    enum: ENDINGS,
    nullable: true,
    example: null,
    description: 'The ending under way, which refuses entry of results; null: none',
  })
  ending: Ending | null;

  @ApiProperty({ type: 'integer', example: 4 }) plannedRounds: number;
  @ApiProperty({ type: 'integer', example: 1 }) openRounds: number;
}

export class ModeratedRoundDto implements ModeratedRoundView {
  @ApiProperty({ type: 'integer', example: 1 }) roundNumber: number;
  @ApiProperty({ enum: ROUND_PHASES, example: 'open' }) phase: RoundPhase;
  @ApiProperty({ enum: ROUND_FORMATS, example: 'a' }) format: RoundFormat;

  @ApiProperty({ ...dateDoc, nullable: true, description: 'null: the end date of the contest' })
  date: string | null;

  @ApiProperty({
    type: TimeLimitDto,
    nullable: true,
    example: { centiseconds: 60_000, cumulativeRounds: [] },
  })
  timeLimit: TimeLimitDto | null;

  @ApiProperty({ type: CutoffDto, nullable: true, example: { numberOfAttempts: 2, attemptResult: 6_000 } })
  cutoff: CutoffDto | null;

  @ApiProperty({ type: AdvancementDto, nullable: true, example: { type: 'percent', value: 75 } })
  advancement: AdvancementDto | null;

  @ApiProperty({ type: 'integer', example: 41, description: 'Number of results' })
  results: number;

  @ApiProperty({ type: RoundProgressDto, nullable: true, description: 'null: the round has no roster' })
  progress: RoundProgressDto | null;
}

export class ModeratedEventDto {
  @ApiProperty({ example: '333' }) eventId: string;
  @ApiProperty({ type: [ModeratedRoundDto] }) rounds: ModeratedRoundDto[];
}

export class OrganizerDto implements OrganizerView {
  @ApiProperty({ type: 'integer', example: 7 }) personId: number;
  @ApiProperty({ example: 'Jo Doe' }) name: string;
}

export class ModeratedContestDto extends ModeratedSummaryDto implements ModeratedContestView {
  @ApiProperty({ description: 'Whether rounds after the first open with those who advance' })
  hasCompetitorList: boolean;

  @ApiProperty({ type: [OrganizerDto] }) organizers: OrganizerDto[];

  @ApiProperty({ type: [ModeratedEventDto], description: 'In display order' })
  events: ModeratedEventDto[];

  @ApiProperty({ type: [RoundRefDto], description: 'Rounds of a file that are only shown' })
  opaqueRounds: RoundRefDto[];

  @ApiProperty({ type: 'integer', example: 2 }) activeKeys: number;
}

/** The rules of one round. Only `format` is required; the other fields default to null. */
export class RoundRulesBody extends IntersectionType(
  PickType(ModeratedRoundDto, ['format']),
  PartialType(PickType(ModeratedRoundDto, ['date', 'timeLimit', 'cutoff', 'advancement'])),
) {}

export class EventRoundsBody {
  @ApiProperty({
    type: [RoundRulesBody],
    description: 'All rounds of the event in their order; an empty list removes the event from the plan',
  })
  rounds: RoundRulesBody[];
}

export class PlannedRoundBody extends RoundRulesBody {
  @ApiProperty({ example: '333' }) eventId: string;
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 }) roundNumber: number;
}

const contestNameDoc = { type: String, example: 'Spring Open 2026' };

/** A missing field stays unchanged. */
export class ContestChangeBody {
  @ApiPropertyOptional(contestNameDoc) name?: string;

  @ApiPropertyOptional({
    example: 'Spring Open',
    description: 'Name for narrow places; default of a new contest: its name',
  })
  shortName?: string;

  @ApiPropertyOptional({ enum: CONTEST_TYPES, example: 'competition' }) type?: ContestType;
  @ApiPropertyOptional({ type: String, nullable: true, example: 'Dublin' }) city?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, example: 'IE', description: 'ISO 3166-1 alpha-2' })
  regionCode?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, example: 'Town Hall' })
  venue?: string | null;

  @ApiPropertyOptional(dateDoc) startDate?: string;

  @ApiPropertyOptional({ ...dateDoc, description: 'Default of a new contest: its start date' })
  endDate?: string;

  @ApiPropertyOptional({ type: [Number], example: [7], description: 'Persons who organise it' })
  organizerIds?: number[];
}

/** competitionId, name and startDate are required. */
export class NewContestBody extends ContestChangeBody {
  @ApiProperty({ example: 'SpringOpen2026', pattern: '^[A-Za-z0-9_-]{1,64}$' })
  competitionId: string;

  @ApiProperty({ ...contestNameDoc, required: true })
  declare name: string;

  @ApiProperty({ ...dateDoc, required: true })
  declare startDate: string;

  @ApiPropertyOptional({ type: [PlannedRoundBody] }) rounds?: PlannedRoundBody[];
}

export class EndingRoundDto extends RoundRefDto {
  @ApiProperty({ type: 'integer', example: 41 }) results: number;
}

export class EndingKeyDto {
  @ApiProperty({ example: 'k7Qm2c9aT1xZ' }) keyId: string;
  @ApiProperty({ example: 'Timer 1' }) device: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-05-01T09:30:00.000Z' })
  lastUsedAt: string | null;
}

export class VanishingDto {
  @ApiProperty({ type: 'integer', example: 0 }) results: number;
  @ApiProperty({ type: 'integer', example: 0 }) persons: number;
  @ApiProperty({ type: [String], example: [] }) eventIds: string[];
}

export class EndingDto implements EndingView {
  @ApiProperty({ enum: ENDINGS, example: 'finish' }) ending: Ending;

  @ApiProperty({ type: [EndingRoundDto], description: 'Open rounds, which would be closed' })
  openRounds: EndingRoundDto[];

  @ApiProperty({ type: [EndingKeyDto], description: 'Active API keys, which would end for good' })
  keys: EndingKeyDto[];

  @ApiProperty({
    type: VanishingDto,
    description: 'What a deletion would remove from rankings and pages of persons; nothing for a finish',
  })
  vanishing: VanishingDto;
}
