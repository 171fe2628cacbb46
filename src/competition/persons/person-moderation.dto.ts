/** The JSON of person moderation as classes: for the OpenAPI document, and to validate request bodies. */
import { ApiProperty, ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import { IsArray, IsString, ValidateBy } from 'class-validator';
import { MayBeLeftOut } from '../../http/body/validate.js';
import type { RegionPeriod } from '../aggregates/person/person.events.js';
import { PersonDto } from './person.dto.js';
import type { PersonDetailView } from './person.queries.js';

const regionDoc = {
  type: String,
  nullable: true,
  example: 'IE',
  description: 'A country of ISO 3166-1 alpha-2; null: not known',
} as const;

export class RegionPeriodDto implements RegionPeriod {
  @ApiProperty({ type: String, nullable: true, example: null, description: 'First day; null: always' })
  from: string | null;

  @ApiProperty(regionDoc) regionCode: string | null;
}

const timelineDoc = { type: RegionPeriodDto, isArray: true, description: 'Ascending by first day' };

export class PersonDetailDto extends PersonDto implements PersonDetailView {
  @ApiProperty({ example: 'default' }) spaceId: string;
  @ApiProperty(timelineDoc) timeline: RegionPeriodDto[];

  @ApiProperty({ type: 'integer', isArray: true, example: [12], description: 'Ids of merged persons' })
  aliases: number[];
}

const isText = (value: unknown): boolean => value === null || typeof value === 'string';

const IsTextOrNull = (): PropertyDecorator =>
  ValidateBy({
    name: 'textOrNull',
    validator: { validate: isText, defaultMessage: (context) => `${context?.property} must be text or null` },
  });

const isPeriod = (value: unknown): boolean => {
  const { from, regionCode }: Partial<Record<string, unknown>> = Object(value);
  return isText(from) && isText(regionCode);
};

const ArePeriods = (): PropertyDecorator =>
  ValidateBy({
    name: 'periods',
    validator: {
      validate: (value) => Array.isArray(value) && value.every(isPeriod),
      defaultMessage: (context) =>
        `${context?.property} must list periods with from and regionCode, each text or null`,
    },
  });

export class NewPersonBody {
  @ApiProperty({ example: 'Aoife Byrne', maxLength: 200 })
  @IsString()
  name: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: null,
    description: "In the person's own script",
  })
  @MayBeLeftOut()
  @IsTextOrNull()
  localizedName?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, example: '2016BYRN01' })
  @MayBeLeftOut()
  @IsTextOrNull()
  assocId?: string | null;

  @ApiPropertyOptional({ ...regionDoc, description: 'The country from the beginning' })
  @MayBeLeftOut()
  @IsTextOrNull()
  regionCode?: string | null;
}

/** A missing field stays unchanged; null removes the value. */
export class PersonChangeBody extends PartialType(OmitType(NewPersonBody, ['regionCode']), {
  skipNullProperties: false,
}) {}

export class MoveBody {
  @ApiProperty({ example: '2026-01-01', description: 'First day in the new region' })
  @IsString()
  from: string;

  @ApiProperty(regionDoc)
  @IsTextOrNull()
  regionCode: string | null;
}

export class TimelineBody {
  @ApiProperty(timelineDoc)
  @IsArray()
  @ArePeriods()
  timeline: RegionPeriodDto[];
}
