/** The outline of an endpoint for authors of queries, as JSON. */

import { ApiProperty } from '@nestjs/swagger';
import { SCALAR_TYPES } from '../../foundation/log-store/query-tree.js';
import type { QueryPlace } from '../../http/problems/failure.js';
import type { FieldOutline, ParameterOutline, QueryOutline, TableOutline } from '../sql/outline.js';
import type { QueryProblemCode } from '../sql/query-problem.js';
import type { CheckedStoredQuery, CheckedText, EndpointOutline, QueryFault } from './outline-views.js';

const FIELD_TYPES = [
  ...SCALAR_TYPES,
  'null',
  'json',
  'interval',
  'record',
  'array',
] as const satisfies readonly FieldOutline['type'][];

export class FieldOutlineDto implements FieldOutline {
  @ApiProperty({ example: 'status_code' })
  name: string;

  @ApiProperty({ enum: FIELD_TYPES, example: 'integer', description: 'json: several types, or not known' })
  type: FieldOutline['type'];

  @ApiProperty({
    type: () => FieldOutlineDto,
    isArray: true,
    example: [],
    description: 'The fields of a record, or of the records in an array',
  })
  fields: readonly FieldOutlineDto[];
}

export class TableOutlineDto implements TableOutline {
  @ApiProperty({ example: 'edge_logs' })
  name: string;

  @ApiProperty({ type: FieldOutlineDto, isArray: true })
  columns: readonly FieldOutlineDto[];
}

export class ParameterOutlineDto implements ParameterOutline {
  @ApiProperty({ example: 'interval' })
  name: string;

  @ApiProperty({ enum: ['text', 'timestamp', 'number', 'pattern', 'choice'], example: 'choice' })
  use: ParameterOutline['use'];

  @ApiProperty({ type: String, isArray: true, example: ['hourly', 'daily'], description: 'Allowed values' })
  among: readonly string[];
}

export class QueryOutlineDto implements QueryOutline {
  @ApiProperty({ type: ParameterOutlineDto, isArray: true })
  parameters: readonly ParameterOutlineDto[];

  @ApiProperty({ type: TableOutlineDto, isArray: true, description: 'What your query may read' })
  tables: readonly TableOutlineDto[];

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'edge_logs',
    description: 'The table that the stored query reads',
  })
  reads: string | null;

  @ApiProperty({ type: String, isArray: true, example: ['countif', 'timestamp_trunc'] })
  functions: readonly string[];
}

export class EndpointOutlineDto extends QueryOutlineDto implements EndpointOutline {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ example: 'logs.all' })
  name: string;

  @ApiProperty({ type: String, nullable: true })
  description: string | null;

  @ApiProperty({ type: 'integer', example: 1_000 })
  maxRows: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'How long a result is cached' })
  cachingSeconds: number | null;

  @ApiProperty()
  sandboxing: boolean;

  @ApiProperty({ description: 'Whether IP addresses are redacted in every reply' })
  redactPii: boolean;
}

class PlaceDto implements QueryPlace {
  @ApiProperty({ type: 'integer', example: 7, description: 'Counts from 0' })
  offset: number;

  @ApiProperty({ type: 'integer', example: 1, description: 'Counts from 1' })
  line: number;

  @ApiProperty({ type: 'integer', example: 8, description: 'Counts from 1' })
  column: number;
}

export class QueryFaultDto implements QueryFault {
  @ApiProperty({ enum: ['sql-syntax', 'sql-refused', 'lql-syntax', 'lql-refused'], example: 'sql-refused' })
  code: QueryProblemCode;

  @ApiProperty({ example: 'there is no column nothing (line 1, column 8)' })
  detail: string;

  @ApiProperty({ type: PlaceDto, nullable: true })
  position: PlaceDto | null;
}

export class CheckedTextDto implements CheckedText {
  @ApiProperty({ type: QueryFaultDto, nullable: true, description: 'null: it could run' })
  fault: QueryFaultDto | null;
}

export class CheckedStoredQueryDto extends CheckedTextDto implements CheckedStoredQuery {
  @ApiProperty({ type: QueryOutlineDto, nullable: true, description: 'What it would offer; null: nothing' })
  outline: QueryOutlineDto | null;
}
