/**
 * The stream, events, state and fold of a contest's schedule: venues, rooms, activities and their groups, who is assigned to
 * them, and what happened on the day. It has a stream of its own, because nothing that decides on results needs it.
 */

import { Map as ImmutableMap } from 'immutable';
import type { EventKinds } from '../../domain/decider.js';
import type { ContestRef } from '../../domain/references.js';
import type { StreamCategory } from '../../domain/streams.js';

export const scheduleStream: StreamCategory<ContestRef> = {
  name: 'schedule',
  id: { spaceId: 'text', competitionId: 'text' },
};

export interface Venue {
  /** Unique among the venues of the contest, as are those of rooms and of activities. No new one gets an id of before. */
  readonly venueId: number;
  readonly name: string;
  readonly address: string | null;
  /** ISO 3166-1 alpha-2 */
  readonly regionCode: string | null;
  /** Degrees times a million. */
  readonly latitudeMicrodegrees: number | null;
  readonly longitudeMicrodegrees: number | null;
  /** Name of the IANA database. */
  readonly timeZone: string;
}

/** A room, or one of several stages in it. */
export interface Room {
  readonly roomId: number;
  readonly venueId: number;
  readonly name: string;
  /** `#rrggbb` */
  readonly colour: string;
}

export interface Activity {
  readonly activityId: number;
  /** A part of an activity is in its room. */
  readonly roomId: number;
  /** The activity that this is a part of, such as the round of a group; null: of none. */
  readonly parentId: number | null;
  /** Such as `333-r1`: see src/domain/activity-codes.ts. */
  readonly code: string;
  readonly name: string;
  /** Instants, as planned. */
  readonly start: string;
  readonly end: string;
}

/** A person at an activity, with the number of the station or null. */
export type AssignedPerson = readonly [personId: number, station: number | null];

/** Everybody who has this role at the activity. */
export interface Assignments {
  readonly activityId: number;
  /** `competitor`, or a duty such as `staff-judge`. */
  readonly role: string;
  readonly persons: readonly AssignedPerson[];
}

/** From this planned time of a day on, the room is this late. */
export interface Delay {
  /** An instant, as planned. */
  readonly from: string;
  readonly minutes: number;
  /** When it was said. */
  readonly at: string;
}

export type ActivityStep = 'start' | 'end';

export type ScheduleEvent =
  | { readonly type: 'VenueSet'; readonly data: Venue }
  | { readonly type: 'VenueRemoved'; readonly data: { readonly venueId: number } }
  | { readonly type: 'RoomSet'; readonly data: Room }
  | { readonly type: 'RoomRemoved'; readonly data: { readonly roomId: number } }
  /** These activities are new or changed. */
  | { readonly type: 'ActivitiesSet'; readonly data: { readonly activities: readonly Activity[] } }
  /** With everybody who was assigned to them. */
  | { readonly type: 'ActivitiesRemoved'; readonly data: { readonly activityIds: readonly number[] } }
  /** Replaces all persons of each role that is named. */
  | { readonly type: 'AssignmentsSet'; readonly data: { readonly assignments: readonly Assignments[] } }
  | { readonly type: 'ActivityStarted'; readonly data: { readonly activityId: number; readonly at: string } }
  | { readonly type: 'ActivityEnded'; readonly data: { readonly activityId: number; readonly at: string } }
  | {
      readonly type: 'ActivityStepUndone';
      readonly data: { readonly activityId: number; readonly step: ActivityStep };
    }
  | { readonly type: 'RoomDelayed'; readonly data: { readonly roomId: number } & Delay }
  | { readonly type: 'RoomDelayUndone'; readonly data: { readonly roomId: number; readonly at: string } };

export const scheduleEvents: EventKinds<ScheduleEvent> = {
  VenueSet: 'control',
  VenueRemoved: 'control',
  RoomSet: 'control',
  RoomRemoved: 'control',
  ActivitiesSet: 'control',
  ActivitiesRemoved: 'control',
  AssignmentsSet: 'control',
  ActivityStarted: 'control',
  ActivityEnded: 'control',
  ActivityStepUndone: 'control',
  RoomDelayed: 'control',
  RoomDelayUndone: 'control',
};

// --- state and fold -------------------------------------------------------------------------------------------------

export interface RoomState extends Room {
  /** In the order in which they were said. */
  readonly delays: readonly Delay[];
  /** The last change that may have moved times of the room. */
  readonly change: number;
}

export interface ActivityState extends Activity {
  /** Instants; null: not yet. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** The last change of the activity itself. */
  readonly change: number;
}

/** The persons of an activity by role. */
export type Assigned = ImmutableMap<string, readonly AssignedPerson[]>;

export interface ScheduleState {
  readonly venues: ImmutableMap<number, Venue>;
  readonly rooms: ImmutableMap<number, RoomState>;
  readonly activities: ImmutableMap<number, ActivityState>;
  /** By activity. */
  readonly assigned: ImmutableMap<number, Assigned>;
  /** Of all activities. */
  readonly assignmentCount: number;
  /** The highest ids so far, also of what was removed. */
  readonly lastIds: { readonly venue: number; readonly room: number; readonly activity: number };
  /** Number of changes so far. The number of a change is the count after it. */
  readonly changes: number;
}

export const initialSchedule: ScheduleState = {
  venues: ImmutableMap(),
  rooms: ImmutableMap(),
  activities: ImmutableMap(),
  assigned: ImmutableMap(),
  assignmentCount: 0,
  lastIds: { venue: 0, room: 0, activity: 0 },
  changes: 0,
};

export const evolve = (state: ScheduleState, event: ScheduleEvent): ScheduleState =>
  Object.hasOwn(scheduleEvents, event.type) ? fold({ ...state, changes: state.changes + 1 }, event) : state;

const fold = (state: ScheduleState, event: ScheduleEvent): ScheduleState => {
  switch (event.type) {
    case 'VenueSet':
      return {
        ...state,
        venues: state.venues.set(event.data.venueId, event.data),
        lastIds: { ...state.lastIds, venue: Math.max(state.lastIds.venue, event.data.venueId) },
      };
    case 'VenueRemoved':
      return { ...state, venues: state.venues.delete(event.data.venueId) };
    case 'RoomSet':
      return withRoom(state, event.data);
    case 'RoomRemoved':
      return { ...state, rooms: state.rooms.delete(event.data.roomId) };
    case 'ActivitiesSet':
      return event.data.activities.reduce(withActivity, state);
    case 'ActivitiesRemoved':
      return event.data.activityIds.reduce(withoutActivity, state);
    case 'AssignmentsSet':
      return event.data.assignments.reduce(withAssignments, state);
    case 'ActivityStarted':
      return withProgress(state, event.data.activityId, { startedAt: event.data.at });
    case 'ActivityEnded':
      return withProgress(state, event.data.activityId, { endedAt: event.data.at });
    case 'ActivityStepUndone': {
      const { activityId, step } = event.data;
      return withProgress(
        state,
        activityId,
        step === 'end' ? { endedAt: null } : { startedAt: null, endedAt: null },
      );
    }
    case 'RoomDelayed': {
      const { roomId, ...delay } = event.data;
      return moved(state, roomId, (room) => ({ ...room, delays: [...room.delays, delay] }));
    }
    case 'RoomDelayUndone': {
      const { roomId, at } = event.data;
      return moved(state, roomId, (room) => ({
        ...room,
        delays: room.delays.filter((delay) => delay.at !== at),
      }));
    }
    default:
      event satisfies never;
      return state;
  }
};

const withRoom = (state: ScheduleState, room: Room): ScheduleState => {
  const { delays, change } = state.rooms.get(room.roomId) ?? { delays: [], change: state.changes };
  return {
    ...state,
    rooms: state.rooms.set(room.roomId, { ...room, delays, change }),
    lastIds: { ...state.lastIds, room: Math.max(state.lastIds.room, room.roomId) },
  };
};

const withActivity = (state: ScheduleState, activity: Activity): ScheduleState => {
  const { activityId } = activity;
  const before = state.activities.get(activityId);
  const { startedAt, endedAt } = before ?? { startedAt: null, endedAt: null };
  const { changes: change } = state;
  return {
    ...state,
    activities: state.activities.set(activityId, { ...activity, startedAt, endedAt, change }),
    lastIds: { ...state.lastIds, activity: Math.max(state.lastIds.activity, activityId) },
  };
};

const sizeOfAssigned = (assigned: Assigned | undefined): number =>
  assigned?.reduce((sum, persons) => sum + persons.length, 0) ?? 0;

const withoutActivity = (state: ScheduleState, activityId: number): ScheduleState => ({
  ...state,
  activities: state.activities.delete(activityId),
  assigned: state.assigned.delete(activityId),
  assignmentCount: state.assignmentCount - sizeOfAssigned(state.assigned.get(activityId)),
});

const withAssignments = (state: ScheduleState, { activityId, role, persons }: Assignments): ScheduleState => {
  const before: Assigned = state.assigned.get(activityId) ?? ImmutableMap();
  const after = persons.length === 0 ? before.delete(role) : before.set(role, persons);
  return {
    ...state,
    assigned: after.size === 0 ? state.assigned.delete(activityId) : state.assigned.set(activityId, after),
    assignmentCount: state.assignmentCount - (before.get(role)?.length ?? 0) + persons.length,
  };
};

const withProgress = (
  state: ScheduleState,
  activityId: number,
  progress: Partial<Pick<ActivityState, 'startedAt' | 'endedAt'>>,
): ScheduleState => {
  const activity = state.activities.get(activityId);
  if (activity === undefined) return state;
  const activities = state.activities.set(activityId, { ...activity, ...progress });
  return moved({ ...state, activities }, activity.roomId, (room) => room);
};

const moved = (
  state: ScheduleState,
  roomId: number,
  change: (room: RoomState) => RoomState,
): ScheduleState => {
  const room = state.rooms.get(roomId);
  if (room === undefined) return state;
  return { ...state, rooms: state.rooms.set(roomId, { ...change(room), change: state.changes }) };
};
