/** The estimate of a query, as JSON. */
import { ApiProperty } from '@nestjs/swagger';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { SOURCE_DESCRIPTION, sourceSchema } from '../source-docs.js';
import type { PlanStep } from '../sql/plan.js';
import type { Narrowing } from '../sql/scans.js';
import type { Amount, EstimatedScan, QueryEstimate } from './estimate-views.js';

class AmountDto implements Amount {
  @ApiProperty({ type: 'integer', example: 1_204 })
  entries: number;

  @ApiProperty({ type: 'integer', example: 642_100, description: 'Of messages and metadata as text' })
  bytes: number;
}

class EstimatedScanDto extends AmountDto implements EstimatedScan {
  @ApiProperty({ ...sourceSchema, description: SOURCE_DESCRIPTION })
  source: LogSource;

  @ApiProperty({
    enum: ['project', 'time'] satisfies readonly Narrowing[],
    isArray: true,
    description: 'The conditions that leave entries out before they are read',
  })
  narrowedBy: readonly Narrowing[];
}

class PlanStepDto implements PlanStep {
  @ApiProperty({ example: 'filter by metadata.response.status_code' })
  step: string;

  @ApiProperty({ type: () => PlanStepDto, isArray: true, description: 'The steps whose rows it takes' })
  inputs: readonly PlanStepDto[];
}

export class QueryEstimateDto implements QueryEstimate {
  @ApiProperty({ type: AmountDto, description: 'Of all scans' })
  estimated: AmountDto;

  @ApiProperty({
    type: EstimatedScanDto,
    isArray: true,
    description: 'Each source as often as the query reads it',
  })
  scans: readonly EstimatedScanDto[];

  @ApiProperty({ type: PlanStepDto, description: 'What the query does, the last step first' })
  plan: PlanStepDto;
}
