/** The JSON of result entry by hand as classes: for the OpenAPI document, and to validate request bodies. */
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, getSchemaPath, PickType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsInt, IsOptional, IsString, Min } from 'class-validator';
import { ONE_CATEGORIES, type OneCategory, VALUE_KINDS, type ValueKind } from '../../domain/results.js';
import { CompetitorDto } from '../contests/competitor.dto.js';
import { RoundDto } from '../contests/contest.dto.js';
import type { ContestStage } from '../contests/contest.queries.js';
import { PersonDto } from '../persons/person.dto.js';
import {
  RESULT_CHANGES,
  type ResultChange,
  ROUND_CHANGES,
  type RoundChange,
} from '../results/round-history.js';
import { EventDto } from '../spaces/event.dto.js';
import { MAX_ATTEMPTS } from './entry.dto.js';
import type {
  ChangeMaker,
  CheckedResult,
  EntrySheetView,
  HeldStep,
  NamedChangeView,
  NamedRoundChangeView,
  OwnBest,
  StandingRecord,
  StandingView,
  Typist,
} from './entry-sheet.queries.js';
import type { EnteredResult } from './round.commands.js';
import type { SpentElsewhere } from './spent-elsewhere.js';

const attemptsDoc = {
  type: 'array',
  items: { type: 'integer' },
  example: [934, 1012, -1, 0, 0],
} as const;
const personIdsDoc = { type: 'array', items: { type: 'integer' }, example: [7] } as const;

const AttemptsField = (doc: {
  readonly description: string;
  readonly example?: number[];
  readonly required?: boolean;
}): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ ...attemptsDoc, maxItems: MAX_ATTEMPTS, ...doc }),
    IsInt({ each: true }),
    ArrayMaxSize(MAX_ATTEMPTS),
    IsArray(),
  );

export class EnterByHandBody {
  @AttemptsField({ description: 'In order; -1 DNF, -2 DNS, 0 not taken; missing ones are not taken' })
  attempts: number[];

  @AttemptsField({
    required: false,
    example: [934, 0, 0, 0, 0],
    description: 'The attempts as they were when you began: when they are others by now, it is refused (409)',
  })
  @IsOptional()
  seen?: number[];
}

export class EnterAttemptByHandBody {
  @ApiProperty({ type: 'integer', example: 934, description: '-1 DNF, -2 DNS, 0 clears the attempt' })
  @IsInt()
  value: number;
}

export class UndoBody {
  @ApiProperty({ example: 'SpringOpen2026_333_r1_7' })
  @IsString()
  resultId: string;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    example: 3,
    description: 'Number of the change, as the history tells it',
  })
  @IsInt()
  @Min(1)
  change: number;
}

export class EnteredByHandDto implements EnteredResult {
  @ApiProperty({ example: 'SpringOpen2026_333_r1_7' }) resultId: string;
  @ApiProperty(personIdsDoc) personIds: number[];

  @ApiProperty({ ...attemptsDoc, description: 'One for each attempt of the format, 0 where none is in' })
  attempts: number[];

  @ApiProperty({ type: 'integer', example: 934 }) best: number;
  @ApiProperty({ type: 'integer', example: 0 }) average: number;
  @ApiProperty({ description: 'Whether this request changed the result' }) changed: boolean;

  @ApiProperty({
    type: 'integer',
    example: 3,
    description: 'The number of its last change, which can be undone',
  })
  changes: number;
}

export class SpentElsewhereDto implements SpentElsewhere {
  @ApiProperty(personIdsDoc) personIds: number[];
  @ApiProperty({ type: 'integer', example: 12345 }) centiseconds: number;
}

export class CheckBody {
  @AttemptsField({ description: 'The attempts as typed the second time; missing ones are not taken' })
  attempts: number[];
}

export class CheckedResultDto
  extends PickType(EnteredByHandDto, ['resultId', 'attempts'])
  implements CheckedResult {}

const recordValue = {
  type: 'integer',
  example: 934,
  description: 'Centiseconds, a count, or a multi value',
} as const;
const valueKind = { enum: VALUE_KINDS, example: 'single' } as const;

export class HeldStepDto implements HeldStep {
  @ApiProperty({ type: String, format: 'date', example: '2026-04-11' }) date: string;
  @ApiProperty(recordValue) value: number;

  @ApiProperty({ type: [String], example: ['Ada Lovelace'], description: 'The persons of one holder' })
  holders: string[];
}

export class StandingRecordDto implements StandingRecord {
  @ApiProperty(valueKind) kind: ValueKind;

  @ApiProperty({ type: String, nullable: true, example: 'IE', description: 'Null: the world' })
  region: string | null;

  @ApiProperty({ type: [HeldStepDto], description: 'Before the day of the round, then of that day' })
  steps: HeldStepDto[];
}

export class OwnBestDto implements OwnBest {
  @ApiProperty({ type: 'integer', example: 7 }) personId: number;
  @ApiProperty(valueKind) kind: ValueKind;
  @ApiProperty(recordValue) value: number;
}

export class StandingDto implements StandingView {
  @ApiProperty({ enum: ONE_CATEGORIES, example: 'competitions' }) category: OneCategory;

  @ApiProperty({
    type: [StandingRecordDto],
    description: 'Of the world and the competitors’ regions, where one stood before the day of the round',
  })
  records: StandingRecordDto[];

  @ApiProperty({ type: [OwnBestDto], description: 'The competitors’ bests before the day of the round' })
  bests: OwnBestDto[];
}

export class ChangeMakerDto implements ChangeMaker {
  @ApiProperty({ enum: ['device', 'account', 'system'], example: 'device' })
  kind: ChangeMaker['kind'];

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Timer 1',
    description: 'Of the device or the account; null where it is not known (any more)',
  })
  name: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '4f9k2mq7x01b',
    description: 'Of the API key or the account',
  })
  id: string | null;
}

type TypedResult = Typist['typed'][number];

export class TypedResultDto implements TypedResult {
  @ApiProperty({ example: 'SpringOpen2026_333_r1_7' }) resultId: string;
  @ApiProperty({ type: 'array', items: { type: 'integer' }, example: [1, 2] }) attemptNumbers: number[];
}

export class TypistDto implements Typist {
  @ApiProperty({ type: ChangeMakerDto }) by: ChangeMakerDto;
  @ApiProperty({ type: [TypedResultDto] }) typed: TypedResultDto[];
}

export class EntrySheetDto implements EntrySheetView {
  @ApiProperty({ example: 'SpringOpen2026' }) competitionId: string;
  @ApiProperty({ example: 'Spring Open 2026' }) contestName: string;

  @ApiProperty({ enum: ['draft', 'announced', 'ongoing', 'finished', 'deleted'], example: 'ongoing' })
  state: ContestStage;

  @ApiProperty({ type: EventDto }) event: EventDto;
  @ApiProperty({ type: RoundDto }) round: RoundDto;

  @ApiProperty({ type: [CompetitorDto], description: 'Of the whole contest' })
  competitors: CompetitorDto[];

  @ApiProperty({
    type: [SpentElsewhereDto],
    description: 'What competitors have spent of a cumulative time limit in the other rounds that share it',
  })
  spentElsewhere: SpentElsewhereDto[];

  @ApiProperty({
    type: [CheckedResultDto],
    description: 'Typed twice the same, or confirmed, and not changed since',
  })
  checked: CheckedResultDto[];

  @ApiProperty({ type: StandingDto, description: 'What values of the round are judged by' })
  standing: StandingDto;

  @ApiProperty({ type: [TypistDto], description: 'Who has entered the attempts that the results have' })
  typists: TypistDto[];
}

export class NamedChangeDto implements NamedChangeView {
  @ApiProperty({ enum: ['result'], example: 'result' }) kind: 'result';
  @ApiProperty({ example: 'SpringOpen2026_333_r1_7' }) resultId: string;

  @ApiProperty({ type: 'integer', example: 3, description: 'Among the changes of its result, from 1 on' })
  number: number;

  @ApiProperty({ enum: RESULT_CHANGES, example: 'corrected' }) change: ResultChange;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 2,
    description: 'The attempt that changed; null when it was the whole result',
  })
  attemptNumber: number | null;

  @ApiProperty({ ...attemptsDoc, description: 'After the change' }) attempts: number[];

  @ApiProperty({ ...attemptsDoc, description: 'Before the change; none where the result appeared with it' })
  before: number[];

  @ApiProperty({ type: [PersonDto] }) persons: PersonDto[];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: null,
    description: 'The number of the change that this one takes back',
  })
  undoes: number | null;

  @ApiProperty({ description: 'The last change of its result: no other can be undone' })
  last: boolean;

  @ApiProperty({ type: ChangeMakerDto }) by: ChangeMakerDto;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-04-11T09:30:00.000Z' })
  at: string;
}

export class NamedRoundChangeDto implements NamedRoundChangeView {
  @ApiProperty({ enum: ['round'], example: 'round' }) kind: 'round';

  @ApiProperty({
    enum: ROUND_CHANGES,
    example: 'quit',
    description:
      'What happened to the round; roster-set: who is expected at its opening; advanced: who goes on to the next round',
  })
  change: RoundChange;

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { $ref: getSchemaPath(PersonDto) } },
    description: 'The persons of each competitor that it concerns',
  })
  competitors: PersonDto[][];

  @ApiProperty({ example: false, description: 'The roster follows the competitor list' }) byList: boolean;
  @ApiProperty({ type: ChangeMakerDto }) by: ChangeMakerDto;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-04-11T09:30:00.000Z' })
  at: string;
}
