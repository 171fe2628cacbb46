/** A problem document as a class, for the OpenAPI document. */

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { FieldError } from '../../domain/rejections.js';
import type { QueryPlace } from './failure.js';
import type { Problem } from './problems.js';

export class FieldErrorDto implements FieldError {
  @ApiProperty({ example: 'results[3].attempts[2].result' })
  field: string;

  @ApiProperty({ example: 'isInt' })
  rule: string;

  @ApiProperty({ example: 'results[3].attempts[2].result must be an integer number' })
  message: string;
}

export class QueryPlaceDto implements QueryPlace {
  @ApiProperty({ type: 'integer', example: 7, description: 'Characters before the fault' })
  offset: number;

  @ApiProperty({ type: 'integer', example: 1 })
  line: number;

  @ApiProperty({ type: 'integer', example: 8 })
  column: number;
}

export class ProblemDto implements Problem {
  static readonly example = {
    type: '',
    title: '',
    status: 400,
    detail: '',
    instance: 'k3Jx9aQ2-4f',
    errors: [] as FieldErrorDto[],
  };

  @ApiProperty({ format: 'uri-reference', example: '/api/docs/problems/invalid-request' })
  type: string;

  @ApiProperty({ example: 'Invalid request' })
  title: string;

  @ApiProperty({ type: 'integer', example: 400 })
  status: number;

  @ApiProperty({ example: 'results[3].attempts[2].result must be an integer number' })
  detail: string;

  @ApiProperty({ example: 'k3Jx9aQ2-4f', description: 'The request id' })
  instance: string;

  @ApiProperty({ type: [FieldErrorDto] })
  errors: FieldErrorDto[];

  @ApiPropertyOptional({
    type: QueryPlaceDto,
    description: 'The place of the fault in the text of a log query',
  })
  position?: QueryPlaceDto;

  @ApiPropertyOptional({ type: String, description: 'The detail again; only on log endpoints' })
  error?: string;
}
