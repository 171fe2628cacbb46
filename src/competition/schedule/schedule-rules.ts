/** The rules for venues, rooms, activities and assignments, which do not depend on what else is in the schedule. */

import { isActivityCode } from '../../domain/activity-codes.js';
import { type Decision, reject } from '../../domain/decider.js';
import { isName, nameRule } from '../../domain/ids.js';
import { isCountry } from '../../domain/regions.js';
import type { FieldError, RejectionCode } from '../../domain/rejections.js';
import { isTimeZone, minutesBetween, parseInstant } from '../../domain/time-zones.js';
import type { Activity, Assignments, Room, ScheduleEvent, Venue } from './schedule.events.js';

/** A championship of 17 events in 60 rounds of 10 groups has some 700 activities and 12,000 assignments. */
export const MAX_VENUES = 20;
export const MAX_ROOMS = 100;
export const MAX_ACTIVITIES = 2_000;
export const MAX_ASSIGNMENTS = 40_000;
export const MAX_GROUPS = 99;
export const MAX_STATION = 999;
/** Of one activity. */
const MAX_DAYS = 7;
export const MAX_DELAY_MINUTES = 720;

const MAX_NAME = 200;
const MAX_ADDRESS = 500;
const ROLE = /^(?:competitor|staff-[a-z0-9-]{1,40})$/;
const COLOUR = /^#[0-9a-f]{6}$/;
const INSTANT_RULE = 'must be an instant, such as 2026-04-11T09:00:00Z';

type Problem = FieldError | null;

const unless = (holds: boolean, field: string, rule: string, message: string): Problem =>
  holds ? null : { field, rule, message };

const found = (...problems: readonly Problem[]): readonly FieldError[] =>
  problems.filter((problem) => problem !== null);

const degreesProblem = (value: number | null, field: string, degrees: number): Problem => {
  const most = degrees * 1e6;
  const holds = value === null || (Number.isInteger(value) && value >= -most && value <= most);
  return unless(holds, field, 'range', `must be from ${-most} to ${most}, degrees times a million`);
};

export const venueProblems = (venue: Omit<Venue, 'venueId'>): readonly FieldError[] =>
  found(
    unless(isName(venue.name, MAX_NAME), 'name', 'name', nameRule(MAX_NAME)),
    unless(
      venue.address === null || isName(venue.address, MAX_ADDRESS),
      'address',
      'name',
      nameRule(MAX_ADDRESS),
    ),
    unless(
      venue.regionCode === null || isCountry(venue.regionCode),
      'regionCode',
      'country',
      'must be a country of ISO 3166-1 alpha-2',
    ),
    degreesProblem(venue.latitudeMicrodegrees, 'latitudeMicrodegrees', 90),
    degreesProblem(venue.longitudeMicrodegrees, 'longitudeMicrodegrees', 180),
    unless(
      (venue.latitudeMicrodegrees === null) === (venue.longitudeMicrodegrees === null),
      'longitudeMicrodegrees',
      'both',
      'must be given with a latitude, and only then',
    ),
    unless(
      isTimeZone(venue.timeZone),
      'timeZone',
      'time-zone',
      'must be a time zone of the IANA database, such as Europe/Dublin',
    ),
  );

export const roomProblems = (room: Pick<Room, 'name' | 'colour'>): readonly FieldError[] =>
  found(
    unless(isName(room.name, MAX_NAME), 'name', 'name', nameRule(MAX_NAME)),
    unless(COLOUR.test(room.colour), 'colour', 'colour', 'must be a colour such as #304a96'),
  );

export type ActivityFields = Pick<Activity, 'code' | 'name' | 'start' | 'end'>;

export const activityProblems = ({ code, name, start, end }: ActivityFields): readonly FieldError[] => {
  const [from, to] = [parseInstant(start), parseInstant(end)];
  const minutes = from === null || to === null ? 1 : minutesBetween(from, to);
  return found(
    unless(
      isActivityCode(code),
      'code',
      'activity-code',
      'must be 1 to 100 letters, digits, - or _, such as 333-r1 or other-lunch',
    ),
    unless(isName(name, MAX_NAME), 'name', 'name', nameRule(MAX_NAME)),
    unless(from !== null, 'start', 'instant', INSTANT_RULE),
    unless(to !== null, 'end', 'instant', INSTANT_RULE),
    unless(minutes >= 1, 'end', 'after-start', 'must be a minute or more after the start'),
    unless(
      minutes <= MAX_DAYS * 1_440,
      'end',
      'too-long',
      `must be ${MAX_DAYS} days after the start at most`,
    ),
  );
};

export const roleProblem = (role: string): Problem =>
  unless(
    ROLE.test(role),
    'role',
    'role',
    'must be competitor, or a duty that begins with staff-, such as staff-judge',
  );

export const stationProblem = (station: number | null): Problem =>
  unless(
    station === null || (Number.isInteger(station) && station >= 1 && station <= MAX_STATION),
    'station',
    'range',
    `must be from 1 to ${MAX_STATION}`,
  );

export const assignmentProblems = ({
  role,
  persons,
}: Omit<Assignments, 'activityId'>): readonly FieldError[] =>
  found(
    roleProblem(role),
    ...persons.map(([, station]) => stationProblem(station)),
    unless(
      new Set(persons.map(([personId]) => personId)).size === persons.length,
      'persons',
      'unique',
      'must name each person once',
    ),
  );

/** As an event has it. The texts must have passed activityProblems. */
export const plainActivity = (activity: Activity): Activity => ({
  activityId: activity.activityId,
  roomId: activity.roomId,
  parentId: activity.parentId,
  code: activity.code,
  name: activity.name,
  start: parseInstant(activity.start) ?? activity.start,
  end: parseInstant(activity.end) ?? activity.end,
});

export const plainVenue = (venue: Venue): Venue => ({
  venueId: venue.venueId,
  name: venue.name,
  address: venue.address,
  regionCode: venue.regionCode,
  latitudeMicrodegrees: venue.latitudeMicrodegrees,
  longitudeMicrodegrees: venue.longitudeMicrodegrees,
  timeZone: venue.timeZone,
});

export const plainRoom = (room: Room): Room => ({
  roomId: room.roomId,
  venueId: room.venueId,
  name: room.name,
  colour: room.colour,
});

// --- refusals --------------------------------------------------------------------------------------------------------

// What decisions on a schedule come to, and the refusals that several of them give.

export type ScheduleDecision = Decision<ScheduleEvent>;

export const refuse = (code: RejectionCode, detail: string): ScheduleDecision => reject({ code, detail });

export const tooMany = (what: string, most: number): ScheduleDecision =>
  refuse('schedule', `a schedule has at most ${most} ${what}`);

export const roomNotFound = (roomId: number): ScheduleDecision =>
  refuse('room-not-found', `there is no room ${roomId}`);

export const activityNotFound = (activityId: number): ScheduleDecision =>
  refuse('activity-not-found', `there is no activity ${activityId}`);
