/** The JSON of imports as classes, for the OpenAPI document. */
import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { RoundRefDto } from '../contests/contest.dto.js';
import type { CompetitorsPreview, CompetitorsReport } from './importing/competitor-import.js';
import type {
  ContestPreview,
  PersonPreview,
  ResultChange,
  RoundPreview,
} from './importing/import-preview.js';
import { CAUSES } from './importing/published-check.js';
import { ListChangeDto, ListCountsDto } from './list-changes.dto.js';

const OUTCOMES = ['imported', 'completed', 'unchanged', 'left-out'] as const;
const PHASES = ['none', 'draft', 'announced', 'ongoing', 'ending', 'finished', 'deleted'] as const;
const PLANS = ['new', 'changed', 'same', 'missing'] as const;
const LEARNED = ['assocId', 'localizedName', 'region'] as const;

const placeDoc = {
  type: 'integer',
  nullable: true,
  example: 12,
  description: 'Counts from 1; null: the fault concerns the file as a whole',
} as const;
const phaseDoc = { enum: PHASES, example: 'none' };
const outcomeDoc = {
  enum: OUTCOMES,
  example: 'imported',
  description:
    'completed: what is missing is entered, or what differs replaced; unchanged: all is there; left-out: faults say why',
};
const NOTES =
  'Parts of the file that are ignored or changed, and persons who have another name under their association id';
const attempts = [1_234, 1_100, -1, 1_250, 1_199];

export class FaultDto {
  @ApiProperty(placeDoc) line: number | null;
  @ApiProperty(placeDoc) column: number | null;
  @ApiProperty({ example: 'attempt3 is “1.2.3”; it must be a whole number' }) reason: string;
}

export class ResultChangeDto implements ResultChange {
  @ApiProperty({ type: [Number], example: [7] }) personIds: number[];

  @ApiProperty({
    type: [String],
    example: ['Jo Doe'],
    description: 'Names of the persons in Podium; a dash for an erased person',
  })
  names: string[];

  @ApiProperty({ type: [Number], example: attempts }) before: number[];

  @ApiProperty({
    type: [Number],
    nullable: true,
    example: attempts,
    description: 'The attempts in the file; null: the file does not have the result',
  })
  after: number[] | null;
}

export class RoundPreviewDto extends RoundRefDto implements RoundPreview {
  @ApiProperty({ enum: PLANS, example: 'new', description: 'missing: planned, but not in the file' })
  plan: RoundPreview['plan'];

  @ApiProperty({ type: 'integer', example: 41 }) added: number;
  @ApiProperty({ type: 'integer', example: 0 }) changed: number;
  @ApiProperty({ type: 'integer', example: 0 }) removed: number;
  @ApiProperty({ type: 'integer', example: 0 }) same: number;

  @ApiProperty({ type: [ResultChangeDto], description: 'Results that the import changes or removes' })
  changes: ResultChangeDto[];
}

export class FilePersonDto {
  @ApiProperty({ example: 'Jo Doe' }) name: string;
  @ApiProperty({ type: String, nullable: true, example: null }) localizedName: string | null;
  @ApiProperty({ type: String, nullable: true, example: '2016DOEJ01' }) assocId: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'IE' }) regionCode: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '3',
    description: 'The id that the file itself gives the person',
  })
  ref: string | null;

  @ApiPropertyOptional({ type: 'integer', example: 7, description: 'The id in Podium that the file names' })
  personId?: number;
}

export class PersonPreviewDto implements PersonPreview {
  @ApiProperty({ type: FilePersonDto, description: 'As the file has it' }) person: FilePersonDto;

  @ApiProperty({ type: 'integer', nullable: true, example: 7, description: 'null: a new person' })
  personId: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 12,
    description: 'The competitor number that the import would give; null: none, or the person has one',
  })
  number: number | null;

  @ApiProperty({
    enum: ['personId', 'assocId', 'name', 'new'],
    example: 'assocId',
    description: 'name: exactly one person of the space has this name; new: not found',
  })
  by: PersonPreview['by'];

  @ApiProperty({
    enum: LEARNED,
    isArray: true,
    example: [],
    description: 'Fields that the file adds to a known person',
  })
  learned: PersonPreview['learned'][number][];
}

export class NewEventDto {
  @ApiProperty({ example: 'fto' }) eventId: string;
  @ApiProperty({ example: 'Face-Turning Octahedron' }) name: string;
}

export class PublishedDifferenceDto extends IntersectionType(
  PickType(FaultDto, ['line', 'column']),
  RoundRefDto,
) {
  @ApiProperty({ example: 'Jo Doe' }) competitor: string;

  @ApiProperty({ enum: ['best', 'average', 'rank'], example: 'average' })
  what: 'best' | 'average' | 'rank';

  @ApiProperty({ type: 'integer', example: 1_183 }) published: number;
  @ApiProperty({ type: 'integer', example: 1_184 }) computed: number;
  @ApiProperty({ example: CAUSES.truncated }) cause: string;
}

export class EndedKeyDto {
  @ApiProperty({ example: 'k7Qm2' }) keyId: string;
  @ApiProperty({ example: 'Timer 1' }) device: string;
}

export class ContestPreviewDto {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'SpringOpen2026',
    description: 'null: the file has no readable id',
  })
  competitionId: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Spring Open 2026' }) name: string | null;
  @ApiProperty(outcomeDoc) outcome: ContestPreview['outcome'];
  @ApiProperty(phaseDoc) phaseBefore: ContestPreview['phaseBefore'];
  @ApiProperty({ ...phaseDoc, example: 'finished' }) phaseAfter: ContestPreview['phaseAfter'];

  @ApiProperty({ type: [EndedKeyDto], description: 'Active API keys that the import would end for good' })
  endingKeys: EndedKeyDto[];

  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'Number of results that the import would replace or add (replace=true)',
  })
  replaced: number;

  @ApiProperty({
    type: Boolean,
    example: false,
    description: 'Whether the contest could be imported by replacing results only',
  })
  replaceable: boolean;

  @ApiProperty({ type: 'integer', example: 41, description: 'Results in the file' }) results: number;

  @ApiProperty({ type: [String], example: [], description: 'Details that differ from the stored ones' })
  changedDetails: string[];

  @ApiProperty({ type: [NewEventDto], description: 'Events that are new to the space' })
  newEvents: NewEventDto[];

  @ApiProperty({ type: [RoundPreviewDto] }) rounds: RoundPreviewDto[];

  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'Activities of the schedule that the import would enter; 0 when the contest has a schedule',
  })
  activities: number;

  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'Persons of whom the import would learn better bests from before the contest',
  })
  personalBests: number;

  @ApiProperty({ type: [PersonPreviewDto] }) persons: PersonPreviewDto[];

  @ApiProperty({
    type: [ListChangeDto],
    description: 'Changes of the competitor list, and competitors who are kept as they are',
  })
  competitors: ListChangeDto[];

  @ApiProperty({ type: 'integer', example: 120, description: 'Competitors who are the same in both' })
  sameCompetitors: number;

  @ApiProperty({ type: [FaultDto], description: 'Why it is left out' }) faults: FaultDto[];

  @ApiProperty({ type: [FaultDto], description: NOTES })
  notes: FaultDto[];

  @ApiProperty({
    type: [PublishedDifferenceDto],
    description: 'Published values that differ from what Podium computes of the attempts',
  })
  differences: PublishedDifferenceDto[];
}

export class ImportPreviewDto {
  @ApiProperty({
    description: 'Send it with the import, which is then refused when it would make other changes',
  })
  fingerprint: string;

  @ApiProperty({ type: [ContestPreviewDto] }) contests: ContestPreviewDto[];
}

export class ImportOutcomeDto {
  @ApiProperty({ type: String, nullable: true, example: 'SpringOpen2026' })
  competitionId: string | null;

  @ApiProperty(outcomeDoc) outcome: ContestPreview['outcome'];
  @ApiProperty({ type: 'integer', example: 41, description: 'Results in the file' }) results: number;

  @ApiProperty({ type: 'integer', example: 3, description: 'Number of new persons' })
  registered: number;

  @ApiProperty({ type: ListCountsDto, description: 'Changes of the competitor list' })
  list: ListCountsDto;

  @ApiProperty({ type: [EndedKeyDto], description: 'The API keys that ended with the contest' })
  endedKeys: EndedKeyDto[];

  @ApiProperty({ type: [FaultDto] }) faults: FaultDto[];

  @ApiProperty({ type: [FaultDto], description: NOTES })
  notes: FaultDto[];
}

export class CompetitorsPreviewDto implements CompetitorsPreview {
  @ApiProperty({
    description: 'Send it with the import, which is then refused when it would make other changes',
  })
  fingerprint: string;

  @ApiProperty({ type: [FaultDto], description: 'Why the file is not imported' }) faults: FaultDto[];

  @ApiProperty({ type: [FaultDto], description: NOTES })
  notes: FaultDto[];

  @ApiProperty({ type: [PersonPreviewDto] }) persons: PersonPreviewDto[];
  @ApiProperty({ type: [ListChangeDto] }) competitors: ListChangeDto[];

  @ApiProperty({ type: 'integer', example: 120, description: 'Competitors who are the same in both' })
  sameCompetitors: number;

  @ApiProperty({
    type: 'integer',
    example: 40,
    description: 'Persons of whom the import would learn better bests from before the contest',
  })
  personalBests: number;
}

export class CompetitorsReportDto extends ListCountsDto implements Omit<CompetitorsReport, 'position'> {
  @ApiProperty({ type: 'integer', example: 3, description: 'Number of new persons' })
  registered: number;

  @ApiProperty({
    type: 'integer',
    example: 40,
    description: 'Persons of whom better bests from before the contest were learned',
  })
  personalBests: number;

  @ApiProperty({ type: [FaultDto], description: NOTES })
  notes: FaultDto[];
}

export class ImportReportDto {
  @ApiProperty({ type: [ImportOutcomeDto] }) contests: ImportOutcomeDto[];
}
