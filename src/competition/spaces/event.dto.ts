/** An event's JSON as a class, for the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { ROUND_FORMATS, type RoundFormat, VALUE_FORMATS, type ValueFormat } from '../../domain/attempts.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';

export class EventDto implements EventDefinition {
  @ApiProperty({ example: '333' }) eventId: string;
  @ApiProperty({ example: '3x3x3 Cube' }) name: string;
  @ApiProperty({ example: 'wca' }) category: string;

  @ApiProperty({ type: 'integer', example: 10, description: 'Display order, ascending' })
  rank: number;

  @ApiProperty({ enum: VALUE_FORMATS, example: 'time' }) format: ValueFormat;
  @ApiProperty({ enum: ROUND_FORMATS, example: 'a' }) defaultRoundFormat: RoundFormat;
  @ApiProperty({ type: 'integer', example: 1, description: 'Persons in a team' }) participants: number;
  @ApiProperty({ type: String, nullable: true, example: null }) description: string | null;
}
