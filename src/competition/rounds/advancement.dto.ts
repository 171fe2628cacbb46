/** The JSON of rosters and advancement: its classes for the OpenAPI document, and the reading of its bodies. */

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { anInteger, JsonFields, listOf, oneOf } from '../../http/body/json-fields.js';
import { CONFIRMATIONS, type Confirmation } from '../aggregates/round/advancement-plan.js';
import { ROSTER_MARKS, type RosterMark } from '../aggregates/round/roster.js';
import type { AdvanceRound, MarkRoster } from '../aggregates/round/round.commands.js';
import { MissingDto, RoundProgressDto } from '../contests/contest.dto.js';
import { PersonDto } from '../persons/person.dto.js';
import type { AdvancementView, NextRoundView, PlacedCompetitorView } from './advancement.queries.js';

export class PlacedCompetitorDto implements PlacedCompetitorView {
  @ApiProperty({ type: 'integer', example: 3 }) place: number;
  @ApiProperty({ type: [PersonDto] }) persons: PersonDto[];
}

export class ConfirmationDto {
  @ApiProperty({ enum: CONFIRMATIONS, example: 'missing-results' }) rule: Confirmation;
  @ApiProperty({ example: 'results are missing or not complete' }) message: string;
}

export class NextRoundDto implements NextRoundView {
  @ApiProperty({ type: 'integer', example: 2 }) roundNumber: number;
  @ApiProperty({ example: true }) opened: boolean;
  @ApiProperty({ example: true, description: 'Whether its opening can be taken back' }) canUndo: boolean;

  @ApiProperty({
    type: [PlacedCompetitorDto],
    description: 'Would advance by the results as they are now, and is not expected there',
  })
  notTaken: PlacedCompetitorDto[];

  @ApiProperty({
    type: [PlacedCompetitorDto],
    description: 'Is expected there, and would not advance by the results as they are now',
  })
  notAdvancing: PlacedCompetitorDto[];

  @ApiProperty({
    type: [PlacedCompetitorDto],
    description: 'Next in line for the places of those who quit; ties are whole',
  })
  reserves: PlacedCompetitorDto[];
}

export class AdvancementStateDto implements AdvancementView {
  @ApiProperty({
    type: RoundProgressDto,
    nullable: true,
    description: 'How far the round is; null: it takes every known person',
  })
  progress: RoundProgressDto | null;

  @ApiProperty({ type: [PlacedCompetitorDto], description: 'Advancing by the rule of the round, best first' })
  competitors: PlacedCompetitorDto[];

  @ApiProperty({ type: [ConfirmationDto], description: 'What advancing has to confirm' })
  toConfirm: ConfirmationDto[];

  @ApiProperty({ type: [MissingDto], description: 'Without a result' }) missing: MissingDto[];
  @ApiProperty({ type: [PlacedCompetitorDto], description: 'With attempts missing' })
  incomplete: PlacedCompetitorDto[];
  @ApiProperty({ type: NextRoundDto, nullable: true }) next: NextRoundDto | null;
}

export class CompetitorOfRoundBody {
  @ApiProperty({
    type: 'array',
    items: { type: 'integer' },
    example: [7],
    description: 'One person, or the members of a team',
  })
  personIds: number[];
}

export class AdvanceBody {
  @ApiProperty({ type: [CompetitorOfRoundBody], description: 'As they were shown, best first' })
  competitors: CompetitorOfRoundBody[];

  @ApiPropertyOptional({ enum: CONFIRMATIONS, isArray: true, description: 'What a moderator has confirmed' })
  confirmed?: Confirmation[];
}

export class MarkedCompetitorBody extends CompetitorOfRoundBody {
  @ApiProperty({
    enum: ROSTER_MARKS,
    description: 'expected also adds the competitor; quit: is not taken any more; no-show: may still come',
  })
  mark: RosterMark;
}

export class MarkRosterBody {
  @ApiProperty({ type: [MarkedCompetitorBody] }) competitors: MarkedCompetitorBody[];
}

/** Throws RejectedError `invalid-request`. */
export const readAdvance = (body: unknown): Pick<AdvanceRound, 'competitors' | 'confirmed'> => {
  const fields = JsonFields.of(body);
  const competitors = fields.objects('competitors', readPersons);
  const confirmed = fields.given('confirmed', listOf(oneOf(CONFIRMATIONS)), []);
  fields.check();
  return { competitors, confirmed };
};

/** Throws RejectedError `invalid-request`. */
export const readMarks = (body: unknown): MarkRoster['competitors'] => {
  const fields = JsonFields.of(body);
  const competitors = fields.objects('competitors', (row) => ({
    personIds: readPersons(row),
    mark: row.needed('mark', oneOf(ROSTER_MARKS), 'expected'),
  }));
  fields.check();
  return competitors;
};

const PERSONS = {
  name: 'personIds',
  allowed: 'a list of one or more integers above 0',
  read: (value: unknown): readonly number[] | undefined => {
    const ids = listOf(anInteger).read(value);
    return ids !== undefined && ids.length > 0 && ids.every((id) => id >= 1) ? ids : undefined;
  },
};

const readPersons = (row: JsonFields): readonly number[] => row.needed('personIds', PERSONS, []);
