/** The JSON of schedules as classes, for the OpenAPI document. schedule-body.ts reads the bodies. */
import { ApiProperty, ApiPropertyOptional, OmitType, PickType } from '@nestjs/swagger';
import { PersonDto } from '../persons/person.dto.js';
import type { ActivityStep, Delay } from './schedule.events.js';
import type {
  AppointmentView,
  AssignedPersonView,
  CompetitorScheduleView,
  GroupView,
  PlacedActivityView,
  ScheduledActivityView,
  ScheduledRoomView,
  ScheduledVenueView,
  ScheduleView,
} from './schedule.queries.js';
import { MAX_DELAY_MINUTES, MAX_GROUPS, MAX_STATION } from './schedule-rules.js';

const instantDoc = { type: String, format: 'date-time', example: '2026-04-11T09:00:00Z' };
const idDoc = { type: 'integer', minimum: 1, example: 1 } as const;
const roleDoc = {
  example: 'staff-judge',
  description: 'competitor, or a duty such as staff-judge, staff-scrambler, staff-runner',
};
const stationDoc = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_STATION,
  nullable: true,
  example: null,
} as const;

export class VenueBody {
  @ApiProperty({ example: 'Town Hall' }) name: string;
  @ApiPropertyOptional({ type: String, nullable: true, example: '1 Main Street, Cork' }) address:
    | string
    | null;

  @ApiPropertyOptional({ type: String, nullable: true, example: 'IE', description: 'ISO 3166-1 alpha-2' })
  regionCode: string | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, example: 51_898_500 })
  latitudeMicrodegrees: number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, example: -8_475_600 })
  longitudeMicrodegrees: number | null;

  @ApiProperty({ example: 'Europe/Dublin', description: 'A time zone of the IANA database' })
  timeZone: string;
}

export class RoomBody {
  @ApiProperty(idDoc) venueId: number;
  @ApiProperty({ example: 'Main stage' }) name: string;
  @ApiPropertyOptional({ example: '#304a96', pattern: '^#[0-9a-f]{6}$' }) colour: string;
}

export class ActivityBody {
  @ApiPropertyOptional({ ...idDoc, description: 'The room; not needed for a part of an activity' })
  roomId: number;

  @ApiPropertyOptional({
    ...idDoc,
    nullable: true,
    example: null,
    description: 'The activity that this is a part of; null: of none',
  })
  parentId: number | null;

  @ApiProperty({
    example: '333-r1',
    description: 'A round, an attempt (333fm-r1-a1), a group (333-r1-g2) or something else (other-lunch)',
  })
  code: string;

  @ApiProperty({ example: '3x3x3 Cube, Round 1' }) name: string;
  @ApiProperty(instantDoc) start: string;
  @ApiProperty({ ...instantDoc, example: '2026-04-11T10:00:00Z' }) end: string;
}

export class SplitBody {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_GROUPS, example: 4 }) groups: number;
}

export class AssignBody {
  @ApiProperty({ type: [Number], example: [7], description: 'Persons on the competitor list' })
  personIds: number[];

  @ApiPropertyOptional({ ...roleDoc, default: 'competitor' }) role: string;
  @ApiPropertyOptional(stationDoc) station: number | null;
}

export class AssignGroupsBody {
  @ApiPropertyOptional({
    ...stationDoc,
    description: 'Gives each competitor without a station the lowest free one up to this number; null: none',
  })
  stations: number | null;

  @ApiPropertyOptional({
    default: false,
    description: 'Whether the competitors of each group judge the next group in the same room',
  })
  judges: boolean;
}

export class UndoStepBody {
  @ApiProperty({ enum: ['start', 'end'], example: 'start' }) step: ActivityStep;
}

export class DelayBody {
  @ApiPropertyOptional({
    ...idDoc,
    nullable: true,
    description: 'null: every room with something to come today',
  })
  roomId: number | null;

  @ApiPropertyOptional({
    ...idDoc,
    nullable: true,
    example: null,
    description: 'The first activity that is late, in its room; null: the next one of the day',
  })
  from: number | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: MAX_DELAY_MINUTES,
    example: 20,
    description: '0: on time',
  })
  minutes: number;
}

export class UndoDelayBody {
  @ApiProperty(idDoc) roomId: number;
  @ApiProperty({ ...instantDoc, description: 'When the delay was said: `at` of the delay' }) at: string;
}

// --- replies --------------------------------------------------------------------------------------------------------

export class ScheduledActivityDto implements ScheduledActivityView {
  @ApiProperty(idDoc) activityId: number;
  @ApiProperty({ example: '333-r1' }) code: string;

  @ApiProperty({ type: String, nullable: true, example: '333', description: 'null: it belongs to no round' })
  eventId: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 1 }) roundNumber: number | null;
  @ApiProperty({ example: '3x3x3 Cube, Round 1' }) name: string;
  @ApiProperty({ ...instantDoc, description: 'As planned' }) start: string;
  @ApiProperty({ ...instantDoc, description: 'As planned' }) end: string;

  @ApiProperty({
    ...instantDoc,
    description: 'As expected from how late the room is; once begun, when it began',
  })
  expectedStart: string;

  @ApiProperty({ ...instantDoc, description: 'As expected; once ended, when it ended' })
  expectedEnd: string;

  @ApiProperty({ ...instantDoc, nullable: true, example: null, description: 'null: not yet, or not said' })
  startedAt: string | null;

  @ApiProperty({ ...instantDoc, nullable: true, example: null }) endedAt: string | null;

  @ApiProperty({
    type: () => [ScheduledActivityDto],
    description: 'Such as the groups of a round, by planned start',
  })
  parts: ScheduledActivityDto[];
}

export class DelayDto implements Delay {
  @ApiProperty({ ...instantDoc, description: 'From this planned time of its day on' }) from: string;
  @ApiProperty({ type: 'integer', example: 20 }) minutes: number;
  @ApiProperty({ ...instantDoc, description: 'When it was said' }) at: string;
}

export class ScheduledRoomDto implements ScheduledRoomView {
  @ApiProperty(idDoc) roomId: number;
  @ApiProperty({ example: 'Main stage' }) name: string;
  @ApiProperty({ example: '#304a96' }) colour: string;
  @ApiProperty({ type: [DelayDto] }) delays: DelayDto[];
  @ApiProperty({ type: [ScheduledActivityDto], description: 'By planned start' })
  activities: ScheduledActivityDto[];
}

export class ScheduledVenueDto extends VenueBody implements ScheduledVenueView {
  @ApiProperty(idDoc) venueId: number;
  @ApiProperty({ type: [ScheduledRoomDto] }) rooms: ScheduledRoomDto[];
}

export class ScheduleDto implements ScheduleView {
  @ApiProperty({ type: [ScheduledVenueDto], description: 'Empty for a contest without a schedule' })
  venues: ScheduledVenueDto[];
}

export class PlacedRoomDto extends PickType(ScheduledRoomDto, ['roomId', 'name', 'colour']) {}
export class PlacedVenueDto extends PickType(ScheduledVenueDto, ['venueId', 'name', 'timeZone']) {}

export class PlacedActivityDto
  extends OmitType(ScheduledActivityDto, ['parts'])
  implements PlacedActivityView
{
  @ApiProperty({ type: PlacedRoomDto }) room: PlacedRoomDto;
  @ApiProperty({ type: PlacedVenueDto }) venue: PlacedVenueDto;
}

export class AssignedPersonDto implements AssignedPersonView {
  @ApiProperty({ type: 'integer', example: 17, description: 'The competitor number' }) number: number;
  @ApiProperty({ type: PersonDto }) person: PersonDto;
  @ApiProperty(roleDoc) role: string;
  @ApiProperty(stationDoc) station: number | null;
}

export class GroupDto extends PlacedActivityDto implements GroupView {
  @ApiProperty({ type: [AssignedPersonDto], description: 'Without those who have withdrawn' })
  persons: AssignedPersonDto[];
}

export class AppointmentDto extends PlacedActivityDto implements AppointmentView {
  @ApiProperty(roleDoc) role: string;
  @ApiProperty(stationDoc) station: number | null;
}

export class CompetitorScheduleDto implements CompetitorScheduleView {
  @ApiProperty({ type: 'integer', example: 17 }) number: number;
  @ApiProperty({ type: PersonDto }) person: PersonDto;
  @ApiProperty({ type: [AppointmentDto], description: 'By expected start' }) appointments: AppointmentDto[];
}
