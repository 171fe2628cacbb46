/** The JSON of a contest's competitor list: its classes for the OpenAPI document, and the reading of its bodies. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { REGISTRATION_STATES, type RegistrationState } from '../../domain/registrations.js';
import { anInteger, aText, JsonFields, listOf, oneOf, orNull } from '../../http/body/json-fields.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { PersonDto } from '../persons/person.dto.js';
import type {
  ListedCompetitorView,
  ReplaceCompetitors,
  RequestedCompetitor,
} from './competitor-list.commands.js';

const MAX_COMPETITORS = 5_000;

export class ListedCompetitorDto implements ListedCompetitorView {
  @ApiProperty({
    type: 'integer',
    example: 17,
    description: 'The registrantId of the person in this contest',
  })
  number: number;

  @ApiProperty({ type: PersonDto }) person: PersonDto;

  @ApiProperty({ type: [String], example: ['333', '444'] }) eventIds: string[];

  @ApiProperty({ enum: REGISTRATION_STATES }) state: RegistrationState;

  @ApiProperty({
    description: 'Whether the list does not name the person any more, who is shown because of results here',
  })
  dropped: boolean;
}

export class RegisterCompetitorBody {
  @ApiProperty({ type: [String], example: ['333', '444'], description: 'Events of the contest' })
  eventIds: string[];

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    description: 'The number of the person here, which never changes; left out: the own, or the next one',
  })
  number?: number | null;
}

export class CompetitorRowBody extends RegisterCompetitorBody {
  @ApiPropertyOptional({ type: 'integer', example: 7, description: 'Database id; this or assocId' })
  personId?: number;

  @ApiPropertyOptional({ type: String, description: 'Association id' })
  assocId?: string;

  @ApiPropertyOptional({
    enum: REGISTRATION_STATES,
    description: 'Left out: who is checked in stays so, everybody else is registered',
  })
  state?: RegistrationState;
}

/** Throws RejectedError `invalid-request`. */
export const readCompetitorList = (body: unknown): ReplaceCompetitors['rows'] => {
  if (!Array.isArray(body) || body.length > MAX_COMPETITORS) {
    const message = `the body must be a JSON list of at most ${MAX_COMPETITORS} competitors`;
    throw invalidRequest([{ field: 'body', rule: 'list', message }]);
  }
  const fields = JsonFields.of({ competitors: body });
  const rows = fields.objects('competitors', (row) => ({
    selector: readSelector(row),
    ...readRegistration(row),
    state: row.given('state', orNull(oneOf(REGISTRATION_STATES)), null),
  }));
  fields.check();
  return rows;
};

/** Throws RejectedError `invalid-request`. */
export const readRegistrationOf = (personId: number, body: unknown): RequestedCompetitor => {
  const fields = JsonFields.of(body);
  const registration = readRegistration(fields);
  fields.check();
  return { selector: { by: 'personId', personIds: [personId] }, ...registration };
};

const readRegistration = (fields: JsonFields): Pick<RequestedCompetitor, 'number' | 'eventIds'> => ({
  number: fields.given('number', orNull(anInteger), null),
  eventIds: fields.needed('eventIds', listOf(aText), []),
});

const readSelector = (row: JsonFields): RequestedCompetitor['selector'] => {
  const assocId = row.given('assocId', orNull(aText), null);
  if (assocId === null) return { by: 'personId', personIds: [row.needed('personId', anInteger, 0)] };
  if (row.given('personId', orNull(anInteger), null) !== null) row.given('personId', NOTHING, null);
  return { by: 'assocId', assocIds: [assocId] };
};

/** Refuses a personId beside an assocId. */
const NOTHING = {
  name: 'exactlyOneSelector',
  allowed: 'left out, because assocId names the person',
  read: () => undefined,
};
