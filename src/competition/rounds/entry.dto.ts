/**
 * The bodies of result entry and their reply: the one description of their shape, for checking and for the OpenAPI
 * document. Fields that are not described here are ignored. `competitionWcaId` and `wcaId` are what devices built for
 * the association's live-results API send.
 */
import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsInt,
  IsOptional,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { AttemptDto } from '../contests/contest.dto.js';
import { AreAssocIds, ArePersonIds, ExactlyOneSelector } from './competitor-rules.js';
import type { EnteredResult } from './round.commands.js';

/** Rows of one request, and attempts of one row, that are looked at at all. */
export const MAX_ROWS = 5_000;
export const MAX_ATTEMPTS = 50;
const MAX_ID_LENGTH = 200;

/** On `competitionId`: it or its alias is a string that is not empty; both only when they agree. */
const IsCompetitionId = (): PropertyDecorator =>
  ValidateBy({
    name: 'competitionId',
    validator: {
      validate: (_, context) => readCompetitionId(context?.object ?? {}) !== null,
      defaultMessage: (context) =>
        contradictsAlias(context?.object ?? {})
          ? 'competitionId and its alias competitionWcaId name different contests'
          : `competitionId must be a string of 1 to ${MAX_ID_LENGTH} characters`,
    },
  });

/** Whether it can be looked up at all; one of odd characters is merely not found. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= MAX_ID_LENGTH;

const IsId = (): PropertyDecorator =>
  ValidateBy({
    name: 'id',
    validator: {
      validate: isId,
      defaultMessage: (context) =>
        `${context?.property} must be a string of 1 to ${MAX_ID_LENGTH} characters`,
    },
  });

/** A number of a round or an attempt. */
export const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 1;

const IsCount = (): PropertyDecorator =>
  ValidateBy({
    name: 'count',
    validator: {
      validate: isCount,
      defaultMessage: (context) => `${context?.property} must be an integer above 0`,
    },
  });

interface ContestFields {
  readonly competitionId?: unknown;
  readonly competitionWcaId?: unknown;
}

const contradictsAlias = ({ competitionId, competitionWcaId }: ContestFields): boolean =>
  competitionId != null && competitionWcaId != null && competitionWcaId !== competitionId;

/** Null when neither is a usable id, or when they contradict each other. */
export const readCompetitionId = (fields: ContestFields): string | null => {
  const { competitionId, competitionWcaId } = fields;
  if (competitionId == null) return isId(competitionWcaId) ? competitionWcaId : null;
  if (contradictsAlias(fields)) return null;
  return isId(competitionId) ? competitionId : null;
};

class RoundBody {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    default: 'default',
    description: 'URL slug of the space',
  })
  @IsOptional()
  @IsId()
  spaceId?: unknown;

  @ApiProperty({
    type: String,
    example: 'PodiumOpen2026',
    description: 'Id of the contest; alias: competitionWcaId',
  })
  @IsCompetitionId()
  competitionId?: unknown;

  competitionWcaId?: unknown;

  @ApiProperty({ type: String, example: '333', description: 'Id of the event' })
  @IsId()
  eventId?: unknown;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  @IsCount()
  roundNumber?: unknown;
}

/** A competitor is named by one of `personId`, `assocId` and its alias `wcaId`, or by `registrantId`. */
export class EnterAttemptBody extends RoundBody {
  @ApiPropertyOptional({
    oneOf: [
      { type: 'integer', minimum: 1 },
      { type: 'string', pattern: '^\\d+(,\\d+)*$' },
    ],
    example: 7,
    description:
      'Database id of the competitor, or comma-separated ids of a team in its order; this, assocId or registrantId',
  })
  @ExactlyOneSelector()
  @ArePersonIds()
  personId?: unknown;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Association id of the competitor, or comma-separated ids of a team; alias: wcaId',
  })
  @AreAssocIds()
  assocId?: unknown;

  /** The alias, which is not documented. */
  @AreAssocIds()
  wcaId?: unknown;

  @ApiPropertyOptional({
    oneOf: [
      { type: 'integer', minimum: 1 },
      { type: 'string', pattern: '^\\d+(,\\d+)*$' },
    ],
    nullable: true,
    description:
      'Number of the competitor in this contest, or comma-separated numbers of a team; instead of personId. ' +
      'It goes before an assocId beside it, which must be empty or name the same person',
  })
  @ArePersonIds()
  registrantId?: unknown;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  @IsCount()
  attemptNumber?: unknown;

  @ApiProperty({
    type: 'integer',
    example: 1888,
    description: 'Centiseconds, a count, or a multi-blind value; -1 DNF, -2 DNS, 0 clears the attempt',
  })
  @IsInt()
  attemptResult?: unknown;
}

export class AttemptRow {
  @ApiProperty({ type: 'integer', example: 1888 })
  @IsInt()
  result?: unknown;
}

class Attempts {
  @ApiProperty({
    type: [AttemptRow],
    maxItems: MAX_ATTEMPTS,
    description: 'In order; those left out are not taken',
  })
  @IsArray()
  @ArrayMaxSize(MAX_ATTEMPTS)
  @ValidateNested({ each: true })
  attempts?: unknown;
}

export class ResultRow extends IntersectionType(
  PickType(EnterAttemptBody, ['personId', 'assocId', 'wcaId', 'registrantId']),
  Attempts,
) {}

export class EnterResultsBody extends RoundBody {
  @ApiProperty({ type: [ResultRow], minItems: 1, maxItems: MAX_ROWS })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_ROWS)
  @ValidateNested({ each: true })
  results?: unknown;
}

const EXAMPLE_ROUND = { competitionId: 'PodiumOpen2026', eventId: '333', roundNumber: 1 };

/** A competitor is named in one way, so that no body can be put together from the examples of all fields. */
export const ATTEMPT_EXAMPLES = {
  byPersonId: {
    summary: '18.88 of a competitor by id',
    value: { ...EXAMPLE_ROUND, personId: 7, attemptNumber: 1, attemptResult: 1888 },
  },
  byAssocId: {
    summary: 'A DNF of a competitor by association id',
    value: { ...EXAMPLE_ROUND, assocId: '2016DOEJ01', attemptNumber: 2, attemptResult: -1 },
  },
  byRegistrantId: {
    summary: '17.90 of a competitor by number in the contest, answered 200',
    value: { ...EXAMPLE_ROUND, registrantId: 17, attemptNumber: 3, attemptResult: 1790 },
  },
};

export const RESULTS_EXAMPLES = {
  byPersonId: {
    summary: 'Two attempts of one competitor, one of another',
    value: {
      ...EXAMPLE_ROUND,
      results: [
        { personId: 7, attempts: [{ result: 1888 }, { result: 1790 }] },
        { personId: 8, attempts: [{ result: 2034 }] },
      ],
    },
  },
};

export class EnteredResultDto implements Omit<EnteredResult, 'attempts' | 'changes'> {
  @ApiProperty({ example: 'PodiumOpen2026_333_r1_7' })
  resultId: string;

  @ApiProperty({ type: 'array', items: { type: 'integer' }, example: [7] })
  personIds: number[];

  @ApiProperty({ type: [AttemptDto], description: 'One for each attempt of the format, 0 where none is in' })
  attempts: AttemptDto[];

  @ApiProperty({ type: 'integer', example: 1888 })
  best: number;

  @ApiProperty({ type: 'integer', example: 0 })
  average: number;

  @ApiProperty({ description: 'Whether this request changed the result' })
  changed: boolean;
}

export class EntryReply {
  @ApiProperty({ example: 'PodiumOpen2026' })
  competitionId: string;

  @ApiProperty({ example: '333' })
  eventId: string;

  @ApiProperty({ type: 'integer', example: 1 })
  roundNumber: number;

  @ApiProperty({ type: [EnteredResultDto] })
  results: EnteredResultDto[];
}
