/**
 * The commands of a schedule, and the decisions on its activities. Those on venues and rooms are in venues.decider.ts, those on
 * persons in assignments.decider.ts, those on the day in day.decider.ts.
 */
import { isPartOf, parseActivityCode } from '../../domain/activity-codes.js';
import { roundCode } from '../../domain/attempts.js';
import { accept, decideBy, reject } from '../../domain/decider.js';
import { isSameData } from '../../domain/equality.js';
import { invalid } from '../../domain/rejections.js';
import { instantOf } from '../../domain/time-zones.js';
import { lineOf, MAX_DEPTH, partsOf } from './activity-tree.js';
import {
  type AssignmentCommand,
  assign,
  assignGroups,
  clearAssignments,
  unassign,
} from './assignments.decider.js';
import {
  type DayCommand,
  delayRooms,
  endActivity,
  startActivity,
  undoDelay,
  undoStep,
} from './day.decider.js';
import { type SplitActivity, splitActivity } from './groups.decider.js';
import {
  type Activity,
  type ActivityState,
  evolve,
  initialSchedule,
  type ScheduleEvent,
  type ScheduleState,
  scheduleStream,
} from './schedule.events.js';
import {
  type ActivityFields,
  activityNotFound,
  activityProblems,
  MAX_ACTIVITIES,
  plainActivity,
  refuse,
  roomNotFound,
  type ScheduleDecision,
  tooMany,
} from './schedule-rules.js';

import { removeRoom, removeVenue, setRoom, setVenue, type VenueCommand } from './venues.decider.js';
import { type ReplaceSchedule, replaceSchedule } from './whole-schedule.decider.js';

export type ScheduleCommand =
  | VenueCommand
  | ({
      readonly type: 'SetActivity';
      readonly activityId: number | null;
      /** Codes of the rounds that the contest plans. */
      readonly planned: ReadonlySet<string>;
    } & Pick<Activity, 'roomId' | 'parentId'> &
      ActivityFields)
  | { readonly type: 'RemoveActivity'; readonly activityId: number }
  | SplitActivity
  | ReplaceSchedule
  | AssignmentCommand
  | DayCommand;

type CommandOf<T extends ScheduleCommand['type']> = Extract<ScheduleCommand, { type: T }>;

// --- activities -----------------------------------------------------------------------------------------------------

const setActivity = (command: CommandOf<'SetActivity'>, state: ScheduleState): ScheduleDecision => {
  const errors = activityProblems(command);
  if (errors.length > 0) return reject(invalid(errors));
  const { activities, lastIds } = state;
  const before = command.activityId === null ? undefined : activities.get(command.activityId);
  if (command.activityId !== null && before === undefined) return activityNotFound(command.activityId);
  const parent = command.parentId === null ? undefined : activities.get(command.parentId);
  if (command.parentId !== null && parent === undefined) return activityNotFound(command.parentId);
  const roomId = parent?.roomId ?? command.roomId;
  const { parentId, code, name, start, end } = command;
  const given = { activityId: before?.activityId ?? lastIds.activity + 1, roomId, parentId };
  const activity = plainActivity({ ...given, code, name, start, end });
  const refusal = placeProblem(activity, { before, parent, state }) ?? roundProblem(command, before);
  if (refusal !== null) return refusal;
  if (before !== undefined) return moveActivity(before, activity, state);
  const isEqual = (known: ActivityState): boolean =>
    isSameData(plainActivity({ ...known, activityId: activity.activityId }), activity);
  if (activities.some(isEqual)) return accept();
  return activities.size >= MAX_ACTIVITIES
    ? tooMany('activities', MAX_ACTIVITIES)
    : accept({ type: 'ActivitiesSet', data: { activities: [activity] } });
};

/** Why the activity cannot be in this room, or be a part of this one. */
const placeProblem = (
  { activityId, roomId, code }: Activity,
  {
    before,
    parent,
    state,
  }: {
    readonly before: ActivityState | undefined;
    readonly parent: ActivityState | undefined;
    readonly state: ScheduleState;
  },
): ScheduleDecision | null => {
  if (!state.rooms.has(roomId)) return roomNotFound(roomId);
  if (parent === undefined) return null;
  if (code === parent.code || !isPartOf(code, parent.code))
    return reject(invalid([{ field: 'code', rule: 'part', message: `must name a part of ${parent.code}` }]));
  const parts = before === undefined ? [] : partsOf(state, activityId);
  if (parent.activityId === activityId || parts.includes(parent))
    return refuse('schedule', 'an activity cannot be a part of itself');
  const deepest = Math.max(0, ...parts.map((part) => lineOf(state, part).indexOf(before ?? part)));
  return lineOf(state, parent).length + 1 + deepest > MAX_DEPTH
    ? refuse('schedule', `parts of parts go ${MAX_DEPTH} levels deep`)
    : null;
};

const roundProblem = (
  { code, planned }: CommandOf<'SetActivity'>,
  before: ActivityState | undefined,
): ScheduleDecision | null => {
  const round = parseActivityCode(code);
  if (round === null || before?.code === code || planned.has(roundCode(round))) return null;
  return refuse('round-not-found', `the contest has no round ${round.roundNumber} of ${round.eventId}`);
};

/** Its parts go with it, to another time or room. */
const moveActivity = (before: ActivityState, activity: Activity, state: ScheduleState): ScheduleDecision => {
  const moved = Date.parse(activity.start) - Date.parse(before.start);
  const shift = (instant: string): string => instantOf(Date.parse(instant) + moved);
  const parts = partsOf(state, before.activityId).map((part) =>
    plainActivity({ ...part, roomId: activity.roomId, start: shift(part.start), end: shift(part.end) }),
  );
  const activities = [activity, ...parts].filter((each) => {
    const known = state.activities.get(each.activityId);
    return known === undefined || !isSameData(plainActivity(known), each);
  });
  return activities.length === 0 ? accept() : accept({ type: 'ActivitiesSet', data: { activities } });
};

const removeActivity = (
  { activityId }: CommandOf<'RemoveActivity'>,
  state: ScheduleState,
): ScheduleDecision => {
  if (!state.activities.has(activityId)) return accept();
  const parts = partsOf(state, activityId).map((part) => part.activityId);
  return accept({ type: 'ActivitiesRemoved', data: { activityIds: [activityId, ...parts] } });
};

export const scheduleDecider = {
  initialState: initialSchedule,
  evolve,
  decide: decideBy<ScheduleCommand, ScheduleState, ScheduleEvent>({
    SetVenue: setVenue,
    RemoveVenue: removeVenue,
    SetRoom: setRoom,
    RemoveRoom: removeRoom,
    SetActivity: setActivity,
    RemoveActivity: removeActivity,
    SplitActivity: splitActivity,
    ReplaceSchedule: replaceSchedule,
    Assign: assign,
    Unassign: unassign,
    AssignGroups: assignGroups,
    ClearAssignments: clearAssignments,
    StartActivity: startActivity,
    EndActivity: endActivity,
    UndoStep: undoStep,
    DelayRooms: delayRooms,
    UndoDelay: undoDelay,
  }),
};

/** Per contest. */
export const scheduleAggregate = {
  stream: scheduleStream,
  decider: scheduleDecider,
  schema: 1,
  sizeOf: ({ venues, rooms, activities, assignmentCount }: ScheduleState): number =>
    1_000 + 400 * venues.size + 600 * rooms.size + 700 * activities.size + 60 * assignmentCount,
};
