/** A person's JSON as a class, for the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import type { PersonView } from './person.queries.js';

export class PersonDto implements PersonView {
  @ApiProperty({ type: 'integer', example: 7 }) id: number;

  @ApiProperty({ example: 'Jo Doe', description: 'A dash when the profile was erased' })
  name: string;

  @ApiProperty({ type: String, nullable: true, example: null }) localizedName: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'IE' }) regionCode: string | null;
  @ApiProperty({ type: String, nullable: true, example: '2016ABCD01' }) assocId: string | null;
}
