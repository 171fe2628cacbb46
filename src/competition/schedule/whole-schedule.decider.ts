/** Replaces a whole schedule by that of a file. Only what differs becomes an event; what happened on the day stays. */
import { isPartOf } from '../../domain/activity-codes.js';
import { accept, reject } from '../../domain/decider.js';
import { isSameData } from '../../domain/equality.js';
import { type FieldError, invalid } from '../../domain/rejections.js';
import { MAX_DEPTH } from './activity-tree.js';
import type { Activity, Assignments, Room, ScheduleEvent, ScheduleState, Venue } from './schedule.events.js';
import {
  activityProblems,
  assignmentProblems,
  MAX_ACTIVITIES,
  MAX_ASSIGNMENTS,
  MAX_ROOMS,
  MAX_VENUES,
  plainActivity,
  plainRoom,
  plainVenue,
  roomProblems,
  type ScheduleDecision,
  tooMany,
  venueProblems,
} from './schedule-rules.js';

/** Each role of an activity is named once. */
export interface WholeSchedule {
  readonly venues: readonly Venue[];
  readonly rooms: readonly Room[];
  readonly activities: readonly Activity[];
  readonly assignments: readonly Assignments[];
}

export interface ReplaceSchedule extends WholeSchedule {
  readonly type: 'ReplaceSchedule';
}

export const replaceSchedule = (command: ReplaceSchedule, state: ScheduleState): ScheduleDecision => {
  const { venues, rooms, activities, assignments } = command;
  const persons = assignments.reduce((sum, each) => sum + each.persons.length, 0);
  if (venues.length > MAX_VENUES) return tooMany('venues', MAX_VENUES);
  if (rooms.length > MAX_ROOMS) return tooMany('rooms', MAX_ROOMS);
  if (activities.length > MAX_ACTIVITIES) return tooMany('activities', MAX_ACTIVITIES);
  if (persons > MAX_ASSIGNMENTS) return tooMany('assignments', MAX_ASSIGNMENTS);
  const errors = faultsIn(command);
  if (errors.length > 0) return reject(invalid(errors));
  return accept(...removals(command, state), ...changes(command, state));
};

const removals = (whole: WholeSchedule, state: ScheduleState): readonly ScheduleEvent[] => {
  const venueIds = new Set(whole.venues.map(({ venueId }) => venueId));
  const roomIds = new Set(whole.rooms.map(({ roomId }) => roomId));
  const kept = new Set(whole.activities.map(({ activityId }) => activityId));
  const activityIds = [...state.activities.keys()].filter((id) => !kept.has(id)).sort((a, b) => a - b);
  const events: ScheduleEvent[] = [];
  if (activityIds.length > 0) events.push({ type: 'ActivitiesRemoved', data: { activityIds } });
  for (const roomId of state.rooms.keys())
    if (!roomIds.has(roomId)) events.push({ type: 'RoomRemoved', data: { roomId } });
  for (const venueId of state.venues.keys())
    if (!venueIds.has(venueId)) events.push({ type: 'VenueRemoved', data: { venueId } });
  return events;
};

const changes = (whole: WholeSchedule, state: ScheduleState): readonly ScheduleEvent[] => {
  const events: ScheduleEvent[] = [];
  for (const data of whole.venues.map(plainVenue))
    if (!isSameData(state.venues.get(data.venueId), data)) events.push({ type: 'VenueSet', data });
  for (const data of whole.rooms.map(plainRoom)) {
    const before = state.rooms.get(data.roomId);
    if (before === undefined || !isSameData(plainRoom(before), data)) events.push({ type: 'RoomSet', data });
  }
  const activities = whole.activities.map(plainActivity).filter((activity) => {
    const before = state.activities.get(activity.activityId);
    return before === undefined || !isSameData(plainActivity(before), activity);
  });
  if (activities.length > 0) events.push({ type: 'ActivitiesSet', data: { activities } });
  const assignments = changedAssignments(whole, state);
  if (assignments.length > 0) events.push({ type: 'AssignmentsSet', data: { assignments } });
  return events;
};

const changedAssignments = (
  { activities, assignments }: WholeSchedule,
  { assigned }: ScheduleState,
): readonly Assignments[] => {
  const given = assignments
    .filter(({ persons }) => persons.length > 0)
    .map(({ activityId, role, persons }): Assignments => ({ activityId, role, persons }));
  const named = new Set(given.map(keyOf));
  const emptied = activities.flatMap(({ activityId }) =>
    [...(assigned.get(activityId)?.keys() ?? [])]
      .filter((role) => !named.has(keyOf({ activityId, role })))
      .map((role): Assignments => ({ activityId, role, persons: [] })),
  );
  const changed = given.filter(
    ({ activityId, role, persons }) => !isSameData(assigned.get(activityId)?.get(role), persons),
  );
  return [...emptied, ...changed];
};

const keyOf = ({ activityId, role }: Pick<Assignments, 'activityId' | 'role'>): string =>
  `${activityId} ${role}`;

// --- faults ---------------------------------------------------------------------------------------------------------

const faultsIn = (whole: WholeSchedule): readonly FieldError[] => {
  const venueIds = new Set(whole.venues.map(({ venueId }) => venueId));
  const roomIds = new Set(whole.rooms.map(({ roomId }) => roomId));
  const activities = new Map(whole.activities.map((activity) => [activity.activityId, activity]));
  return [
    ...whole.venues.flatMap((venue, index) => at(`venues[${index}]`, venueProblems(venue))),
    ...idFaults(
      'venues',
      whole.venues.map(({ venueId }) => venueId),
    ),
    ...whole.rooms.flatMap((room, index) =>
      at(`rooms[${index}]`, [...roomProblems(room), ...unknown(venueIds.has(room.venueId), 'venueId')]),
    ),
    ...idFaults(
      'rooms',
      whole.rooms.map(({ roomId }) => roomId),
    ),
    ...whole.activities.flatMap((activity, index) =>
      at(`activities[${index}]`, [
        ...activityProblems(activity),
        ...unknown(roomIds.has(activity.roomId), 'roomId'),
        ...parentFaults(activity, activities),
      ]),
    ),
    ...idFaults(
      'activities',
      whole.activities.map(({ activityId }) => activityId),
    ),
    ...whole.assignments.flatMap((each, index) =>
      at(`assignments[${index}]`, [
        ...assignmentProblems(each),
        ...unknown(activities.has(each.activityId), 'activityId'),
      ]),
    ),
    ...repeated('assignments', whole.assignments.map(keyOf)),
  ];
};

const at = (place: string, errors: readonly FieldError[]): readonly FieldError[] =>
  errors.map((error) => ({ ...error, field: `${place}.${error.field}` }));

const unknown = (isKnown: boolean, field: string): readonly FieldError[] =>
  isKnown ? [] : [{ field, rule: 'known', message: 'must be in the same schedule' }];

const idFaults = (list: string, ids: readonly number[]): readonly FieldError[] => [
  ...ids.flatMap((id, index) =>
    Number.isSafeInteger(id) && id >= 1
      ? []
      : [{ field: `${list}[${index}].id`, rule: 'id', message: 'must be a positive integer' }],
  ),
  ...repeated(list, ids),
];

const repeated = (list: string, keys: readonly (number | string)[]): readonly FieldError[] => {
  const seen = new Set<number | string>();
  return keys.flatMap((key, index) => {
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [{ field: `${list}[${index}]`, rule: 'unique', message: `${key} is there twice` }];
  });
};

const parentFaults = (
  activity: Activity,
  activities: ReadonlyMap<number, Activity>,
): readonly FieldError[] => {
  const error = (rule: string, message: string): readonly FieldError[] => [
    { field: 'parentId', rule, message },
  ];
  if (activity.parentId === null) return [];
  const parent = activities.get(activity.parentId);
  if (parent === undefined || parent.roomId !== activity.roomId)
    return error('known', 'must be an activity of the same room');
  if (!isPartOf(activity.code, parent.code))
    return error('part', `is ${parent.code}, which ${activity.code} is no part of`);
  let depth = 1;
  for (let each: Activity | undefined = activity; each?.parentId != null; depth += 1) {
    if (depth >= MAX_DEPTH) return error('depth', `must be at most ${MAX_DEPTH} levels deep`);
    each = activities.get(each.parentId);
  }
  return [];
};
