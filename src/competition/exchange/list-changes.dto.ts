/** The JSON of what an import does with a competitor list as classes, for the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { REGISTRATION_STATES } from '../../domain/registrations.js';
import { LIST_CHANGES, type ListCounts } from '../aggregates/competitor-list/competitor-list.decider.js';
import type { ListChangeView, RegistrationView } from './importing/list-comparison.js';

export class RegistrationDto implements RegistrationView {
  @ApiProperty({ type: [String], example: ['333', '444'] }) eventIds: string[];

  @ApiProperty({ enum: [...REGISTRATION_STATES, 'dropped'], example: 'registered' })
  state: RegistrationView['state'];
}

export class ListChangeDto implements ListChangeView {
  @ApiProperty({
    enum: LIST_CHANGES,
    example: 'changed',
    description:
      'dropped: missing in the file; kept: the file says otherwise, and the list stays as a moderator left it since the last import',
  })
  change: ListChangeView['change'];

  @ApiProperty({ example: 'Jo Doe' }) name: string;

  @ApiProperty({ type: 'integer', nullable: true, example: 7, description: 'null: a new person' })
  personId: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 17, description: 'null: the next one' })
  number: number | null;

  @ApiProperty({ type: RegistrationDto, nullable: true, description: 'On the list; null: never was there' })
  before: RegistrationDto | null;

  @ApiProperty({ type: RegistrationDto, nullable: true, description: 'In the file; null: not there' })
  file: RegistrationDto | null;

  @ApiProperty({ example: false, description: 'Shown also when dropped, because of results in the contest' })
  hasResults: boolean;
}

export class ListCountsDto implements ListCounts {
  @ApiProperty({ type: 'integer', example: 12 }) added: number;
  @ApiProperty({ type: 'integer', example: 3 }) changed: number;
  @ApiProperty({ type: 'integer', example: 1 }) dropped: number;
  @ApiProperty({ type: 'integer', example: 2 }) kept: number;
}
