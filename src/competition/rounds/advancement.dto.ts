/** The JSON of rosters and advancement: its classes for the OpenAPI document, and the reading of its bodies. */

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PROSPECTS, type Prospect } from '../../domain/advancement.js';
import { CONFIRMATIONS, type Confirmation } from '../../domain/advancement-plan.js';
import { MODERATOR_MARKS, type ModeratorMark } from '../../domain/roster.js';
import { anInteger, JsonFields, listOf, oneOf } from '../../http/body/json-fields.js';
import { MissingDto, RoundProgressDto } from '../contests/contest.dto.js';
import { PersonDto } from '../persons/person.dto.js';
import type {
  AdvancementView,
  IncompleteView,
  NextRoundView,
  PlacedCompetitorView,
} from './advancement.queries.js';
import type { AdvanceRound, MarkRoster } from './round.commands.js';

export class PlacedCompetitorDto implements PlacedCompetitorView {
  @ApiProperty({ type: 'integer', example: 3 }) place: number;

  @ApiProperty({
    enum: PROSPECTS,
    nullable: true,
    example: 'certain',
    description: 'Whether they advance however the round ends; null: without a rule or a roster',
  })
  advancement: Prospect | null;

  @ApiProperty({ type: [PersonDto] }) persons: PersonDto[];
}

export class IncompleteDto extends PlacedCompetitorDto implements IncompleteView {
  @ApiProperty({ example: false, description: 'Does not compete any more' }) hasQuit: boolean;
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
    description: 'Would advance by the results as they are now, has not quit, and is not expected there',
  })
  notTaken: PlacedCompetitorDto[];

  @ApiProperty({
    type: [PlacedCompetitorDto],
    description:
      'Is expected there, and would not advance by the results as they are now, nor in the place of one who quit',
  })
  notAdvancing: PlacedCompetitorDto[];

  @ApiProperty({
    type: [PlacedCompetitorDto],
    description: 'Next in line for places that are free: of those who quit or were left out. Ties are whole',
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

  @ApiProperty({ example: true, description: 'Whether the round has a rule for advancing' })
  hasRule: boolean;

  @ApiProperty({
    type: [PlacedCompetitorDto],
    description: 'Advancing by the rule of the round and not quit, best first',
  })
  competitors: PlacedCompetitorDto[];

  @ApiProperty({
    type: [PlacedCompetitorDto],
    description: 'Advancing by the rule, and quit or withdrawn from the contest',
  })
  leaving: PlacedCompetitorDto[];

  @ApiProperty({
    type: [PlacedCompetitorDto],
    description: 'All others with a valid result who have not quit, best first: next in line for free places',
  })
  line: PlacedCompetitorDto[];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 16,
    description: 'How many the rule lets through; null: without a rule, or with one by value',
  })
  places: number | null;

  @ApiProperty({ type: 'integer', example: 30, description: '75 percent of those with an attempt' })
  most: number;

  @ApiProperty({ type: [ConfirmationDto], description: 'What advancing has to confirm' })
  toConfirm: ConfirmationDto[];

  @ApiProperty({ type: [MissingDto], description: 'Without a result' }) missing: MissingDto[];
  @ApiProperty({ type: [IncompleteDto], description: 'With attempts missing' })
  incomplete: IncompleteDto[];
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
    enum: MODERATOR_MARKS,
    description:
      'expected also adds the competitor; quit: does not compete any more, a result stays; no-show: may still come',
  })
  mark: ModeratorMark;
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
    mark: row.needed('mark', oneOf(MODERATOR_MARKS), 'expected'),
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
