/** The schedule over HTTP, for the moderators of the contest: its plan, its groups, and the day. */
import { applyDecorators, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { RejectedError, type RejectionCode } from '../../domain/rejections.js';
import { instantOf } from '../../domain/time-zones.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import { AtContest, ContestAccess, type ContestExchange } from '../contest-access.js';
import { contestParam } from '../contest-paths.js';
import { ReadsContest } from '../contests/contest-moderation.js';
import { ChangeSchedule, type ScheduleChange } from './schedule.commands.js';
import {
  ActivityBody,
  AssignBody,
  AssignGroupsBody,
  DelayBody,
  GroupDto,
  RoomBody,
  ScheduleDto,
  SplitBody,
  UndoDelayBody,
  UndoStepBody,
  VenueBody,
} from './schedule.dto.js';
import { GetGroups, GetSchedule, type GroupView, type ScheduleView } from './schedule.queries.js';
import {
  readActivity,
  readAssign,
  readAssignGroups,
  readDelay,
  readRoom,
  readSplit,
  readUndoDelay,
  readUndoStep,
  readVenue,
} from './schedule-body.js';

const codeParam = ApiParam({ name: 'code', example: '333-r1', description: 'Of a round or an attempt' });
const idParam = (name: string): MethodDecorator =>
  ApiParam({ name, schema: { type: 'integer', minimum: 1 }, example: 1 });

const Changes = (
  summary: string,
  {
    body,
    ids = [],
    reply = ScheduleDto,
    description,
  }: {
    readonly body?: new () => object;
    readonly ids?: readonly string[];
    readonly reply?: typeof ScheduleDto | [typeof GroupDto];
    readonly description?: string;
  } = {},
): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    ApiOperation({ summary, ...(description !== undefined && { description }) }),
    contestParam,
    ...ids.map(idParam),
    ...(body === undefined ? [] : [ApiBody({ type: body })]),
    ApiResponse({ status: 200, type: reply, description: 'As it is now' }),
    Problems(400, 401, 403, 404, 413, 415, 422, 503),
  );

interface OfCode {
  readonly code: string;
}

@Moderation('contests/:competitionId/schedule')
export class ScheduleModerationController {
  constructor(private readonly access: ContestAccess) {}

  @Get()
  @ReadsContest('Get the schedule of a contest, a draft too', {
    type: ScheduleDto,
    description: 'Venues, rooms and activities with their groups',
  })
  get(@AtContest() at: ContestExchange): Promise<ScheduleView> {
    return this.access.query(at, (contest) => new GetSchedule(contest, true));
  }

  @Get('groups/:code')
  @ReadsContest('List the groups of a round with their competitors and duties, of a draft too', {
    type: [GroupDto],
    description: 'By planned start',
  })
  @codeParam
  groups(@AtContest() at: ContestExchange, @Param() { code }: OfCode): Promise<readonly GroupView[]> {
    return this.access.query(at, (contest) => new GetGroups(contest, code, true));
  }

  // --- plan ---------------------------------------------------------------------------------------------------------

  @Post('venues')
  @Changes('Add a venue', { body: VenueBody })
  addVenue(@AtContest() at: ContestExchange): Promise<ScheduleView> {
    return this.change(at, () => readVenue(at.request.body, null));
  }

  @Put('venues/:venueId')
  @Changes('Change a venue', { body: VenueBody, ids: ['venueId'] })
  setVenue(@AtContest() at: ContestExchange, @Param() params: Params<'venueId'>): Promise<ScheduleView> {
    return this.change(at, () => readVenue(at.request.body, idIn(params.venueId, 'venue')));
  }

  @Delete('venues/:venueId')
  @Changes('Remove a venue that has no rooms', { ids: ['venueId'] })
  removeVenue(@AtContest() at: ContestExchange, @Param() params: Params<'venueId'>): Promise<ScheduleView> {
    return this.change(at, () => ({ type: 'RemoveVenue', venueId: idIn(params.venueId, 'venue') }));
  }

  @Post('rooms')
  @Changes('Add a room', { body: RoomBody })
  addRoom(@AtContest() at: ContestExchange): Promise<ScheduleView> {
    return this.change(at, () => readRoom(at.request.body, null));
  }

  @Put('rooms/:roomId')
  @Changes('Change a room', { body: RoomBody, ids: ['roomId'] })
  setRoom(@AtContest() at: ContestExchange, @Param() params: Params<'roomId'>): Promise<ScheduleView> {
    return this.change(at, () => readRoom(at.request.body, idIn(params.roomId, 'room')));
  }

  @Delete('rooms/:roomId')
  @Changes('Remove a room that has no activities', { ids: ['roomId'] })
  removeRoom(@AtContest() at: ContestExchange, @Param() params: Params<'roomId'>): Promise<ScheduleView> {
    return this.change(at, () => ({ type: 'RemoveRoom', roomId: idIn(params.roomId, 'room') }));
  }

  @Post('activities')
  @Changes('Add an activity, or a part of one', { body: ActivityBody })
  addActivity(@AtContest() at: ContestExchange): Promise<ScheduleView> {
    return this.change(at, () => readActivity(at.request.body, null));
  }

  @Put('activities/:activityId')
  @Changes('Change or move an activity; its parts move with it', { body: ActivityBody, ids: ['activityId'] })
  setActivity(
    @AtContest() at: ContestExchange,
    @Param() params: Params<'activityId'>,
  ): Promise<ScheduleView> {
    return this.change(at, () => readActivity(at.request.body, activityIn(params)));
  }

  @Delete('activities/:activityId')
  @Changes('Remove an activity with its parts and everybody assigned to them', { ids: ['activityId'] })
  removeActivity(
    @AtContest() at: ContestExchange,
    @Param() params: Params<'activityId'>,
  ): Promise<ScheduleView> {
    return this.change(at, () => ({ type: 'RemoveActivity', activityId: activityIn(params) }));
  }

  // --- groups -------------------------------------------------------------------------------------------------------

  @Post('activities/:activityId/groups')
  @Changes('Split a round or an attempt into groups of equal length', {
    body: SplitBody,
    ids: ['activityId'],
    description: 'Groups that are there keep their names and persons; 0 removes all.',
  })
  split(@AtContest() at: ContestExchange, @Param() params: Params<'activityId'>): Promise<ScheduleView> {
    return this.change(at, () => readSplit(at.request.body, activityIn(params)));
  }

  @Post('groups/:code/assign')
  @Changes('Assign the competitors of a round to its groups', {
    body: AssignGroupsBody,
    reply: [GroupDto],
    description:
      'Who is in a group stays there. Each other competitor, by number, comes into the group with the fewest so far, the earliest of equal ones. Who is not expected in the round leaves.',
  })
  @codeParam
  assignGroups(@AtContest() at: ContestExchange, @Param() { code }: OfCode): Promise<readonly GroupView[]> {
    return this.regroup(at, code, () => readAssignGroups(at.request.body, code));
  }

  @Delete('groups/:code/assignments')
  @Changes('Take everybody out of the groups of a round', { reply: [GroupDto] })
  @codeParam
  clear(@AtContest() at: ContestExchange, @Param() { code }: OfCode): Promise<readonly GroupView[]> {
    return this.regroup(at, code, () => ({ type: 'ClearAssignments', code }));
  }

  @Post('activities/:activityId/assignments')
  @Changes('Assign persons to an activity', {
    body: AssignBody,
    ids: ['activityId'],
    description: 'A competitor leaves the other groups of the round.',
  })
  assign(@AtContest() at: ContestExchange, @Param() params: Params<'activityId'>): Promise<ScheduleView> {
    return this.change(at, () => readAssign(at.request.body, activityIn(params)));
  }

  @Delete('activities/:activityId/assignments/:personId')
  @Changes('Take a person out of an activity, with all duties there', { ids: ['activityId', 'personId'] })
  unassign(
    @AtContest() at: ContestExchange,
    @Param() params: Params<'activityId' | 'personId'>,
  ): Promise<ScheduleView> {
    return this.change(at, () => ({
      type: 'Unassign',
      activityId: activityIn(params),
      personId: idIn(params.personId, 'person'),
    }));
  }

  // --- the day ------------------------------------------------------------------------------------------------------

  @Post('activities/:activityId/start')
  @Changes('Say that an activity begins now', {
    ids: ['activityId'],
    description:
      'What the plan has before it in the same room ends. When it is late, the rest of the day moves along.',
  })
  start(@AtContest() at: ContestExchange, @Param() params: Params<'activityId'>): Promise<ScheduleView> {
    return this.change(at, () => ({ type: 'StartActivity', activityId: activityIn(params), at: now() }));
  }

  @Post('activities/:activityId/end')
  @Changes('Say that an activity ends now, with its parts', { ids: ['activityId'] })
  end(@AtContest() at: ContestExchange, @Param() params: Params<'activityId'>): Promise<ScheduleView> {
    return this.change(at, () => ({ type: 'EndActivity', activityId: activityIn(params), at: now() }));
  }

  @Post('activities/:activityId/undo')
  @Changes('Take the start or the end of an activity back', { body: UndoStepBody, ids: ['activityId'] })
  undo(@AtContest() at: ContestExchange, @Param() params: Params<'activityId'>): Promise<ScheduleView> {
    return this.change(at, () => readUndoStep(at.request.body, activityIn(params)));
  }

  @Post('delays')
  @Changes('Say how late a room is: what comes later on the day moves along', { body: DelayBody })
  delay(@AtContest() at: ContestExchange): Promise<ScheduleView> {
    return this.change(at, () => readDelay(at.request.body, now()));
  }

  @Post('delays/undo')
  @Changes('Take back what was said of a room', { body: UndoDelayBody })
  undoDelay(@AtContest() at: ContestExchange): Promise<ScheduleView> {
    return this.change(at, () => readUndoDelay(at.request.body));
  }

  private change(at: ContestExchange, make: () => ScheduleChange): Promise<ScheduleView> {
    return this.access.answer(
      at,
      (contest, context) => new ChangeSchedule(contest, make(), context),
      (contest) => new GetSchedule(contest, true),
    );
  }

  private regroup(
    at: ContestExchange,
    code: string,
    make: () => ScheduleChange,
  ): Promise<readonly GroupView[]> {
    return this.access.answer(
      at,
      (contest, context) => new ChangeSchedule(contest, make(), context),
      (contest) => new GetGroups(contest, code, true),
    );
  }
}

type Params<Name extends string> = Readonly<Record<Name, string>>;

const now = (): string => instantOf(Date.now());

const NOT_FOUND = {
  venue: 'venue-not-found',
  room: 'room-not-found',
  activity: 'activity-not-found',
  person: 'person-not-found',
} as const satisfies Record<string, RejectionCode>;

/** Throws RejectedError when the path has no valid id. */
const idIn = (text: string, what: keyof typeof NOT_FOUND): number => {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new RejectedError({ code: NOT_FOUND[what], detail: `there is no ${what} ${text.slice(0, 20)}` });
};

const activityIn = ({ activityId }: Params<'activityId'>): number => idIn(activityId, 'activity');
