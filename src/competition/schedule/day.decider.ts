/** The day of a contest: activities begin and end, and rooms are late. The times come in with the commands. */
import { accept, reject } from '../../domain/decider.js';
import { invalid } from '../../domain/rejections.js';
import { dateIn, parseInstant } from '../../domain/time-zones.js';
import { inRoom, isRunning, lineOf, partsOf } from './activity-tree.js';
import { delaysByDay, expectedTimes, timeZoneOf } from './expected-times.js';
import type {
  ActivityState,
  ActivityStep,
  Delay,
  RoomState,
  ScheduleEvent,
  ScheduleState,
} from './schedule.events.js';
import {
  activityNotFound,
  MAX_DELAY_MINUTES,
  refuse,
  roomNotFound,
  type ScheduleDecision,
} from './schedule-rules.js';

export type DayCommand =
  /** With it begins what it is a part of. What the plan has before it in the same room ends. `at`: an instant. */
  | { readonly type: 'StartActivity'; readonly activityId: number; readonly at: string }
  /** With it end its parts. */
  | { readonly type: 'EndActivity'; readonly activityId: number; readonly at: string }
  | { readonly type: 'UndoStep'; readonly activityId: number; readonly step: ActivityStep }
  | {
      readonly type: 'DelayRooms';
      /** Null: all rooms in which something is to come on the day of `at`. */
      readonly roomId: number | null;
      /** The first activity that is late, in whose room it is; null: the next of each room that is not under way. */
      readonly from: number | null;
      /** 0: on time again. */
      readonly minutes: number;
      readonly at: string;
    }
  /** `at`: when the delay was said. */
  | { readonly type: 'UndoDelay'; readonly roomId: number; readonly at: string };

type CommandOf<T extends DayCommand['type']> = Extract<DayCommand, { type: T }>;

export const startActivity = (
  { activityId, at }: CommandOf<'StartActivity'>,
  state: ScheduleState,
): ScheduleDecision => {
  const activity = state.activities.get(activityId);
  if (activity === undefined) return activityNotFound(activityId);
  const line = lineOf(state, activity).toReversed();
  const over = line.find(({ endedAt }) => endedAt !== null);
  if (over !== undefined)
    return refuse('schedule', `${over.name} has ended: take its end back first, then it goes on`);
  if (activity.startedAt !== null) return accept();
  const isBefore = (other: ActivityState): boolean =>
    other.end <= activity.start || line.some((whole) => other.end <= whole.start);
  const ending = inRoom(state, activity.roomId).filter(
    (other) => isRunning(other) && !line.includes(other) && isBefore(other),
  );
  const ended = new Set(ending.flatMap((other) => [other, ...runningParts(other, state)]));
  return accept<ScheduleEvent>(
    ...[...ended].map((other) => stepTo('ActivityEnded', other, at)),
    ...line.filter(({ startedAt }) => startedAt === null).map((each) => stepTo('ActivityStarted', each, at)),
  );
};

export const endActivity = (
  { activityId, at }: CommandOf<'EndActivity'>,
  state: ScheduleState,
): ScheduleDecision => {
  const activity = state.activities.get(activityId);
  if (activity === undefined) return activityNotFound(activityId);
  if (activity.startedAt === null) return refuse('schedule', `${activity.name} has not begun`);
  if (activity.endedAt !== null) return accept();
  return accept<ScheduleEvent>(
    ...[...runningParts(activity, state), activity].map((each) => stepTo('ActivityEnded', each, at)),
  );
};

const runningParts = ({ activityId }: ActivityState, state: ScheduleState): readonly ActivityState[] =>
  partsOf(state, activityId).filter(isRunning);

const stepTo = (
  type: 'ActivityStarted' | 'ActivityEnded',
  { activityId }: ActivityState,
  at: string,
): ScheduleEvent => ({ type, data: { activityId, at } });

/** With the start of an activity, the steps of its parts are taken back. */
export const undoStep = (
  { activityId, step }: CommandOf<'UndoStep'>,
  state: ScheduleState,
): ScheduleDecision => {
  const activity = state.activities.get(activityId);
  if (activity === undefined) return activityNotFound(activityId);
  const undone = (each: ActivityState): ScheduleEvent => ({
    type: 'ActivityStepUndone',
    data: { activityId: each.activityId, step },
  });
  if (step === 'end') return activity.endedAt === null ? accept() : accept(undone(activity));
  if (activity.startedAt === null) return accept();
  if (activity.endedAt !== null)
    return refuse('schedule', `${activity.name} has ended: take its end back first`);
  const parts = partsOf(state, activityId).filter(({ startedAt }) => startedAt !== null);
  return accept<ScheduleEvent>(...parts.map(undone), undone(activity));
};

// --- delays ---------------------------------------------------------------------------------------------------------

export const delayRooms = (command: CommandOf<'DelayRooms'>, state: ScheduleState): ScheduleDecision => {
  const { roomId, from, minutes, at } = command;
  if (!Number.isInteger(minutes) || minutes < 0 || minutes > MAX_DELAY_MINUTES) {
    const message = `must be from 0 to ${MAX_DELAY_MINUTES}`;
    return reject(invalid([{ field: 'minutes', rule: 'range', message }]));
  }
  const firsts = firstLate(command, state);
  if (typeof firsts === 'number') return from === null ? roomNotFound(firsts) : activityNotFound(firsts);
  if (firsts.length === 0) {
    const where = roomId === null ? 'in any room' : 'in this room';
    return refuse('schedule', `nothing more is planned ${where} on this day`);
  }
  const instant = parseInstant(at) ?? at;
  const events = firsts.flatMap((first): readonly ScheduleEvent[] => {
    const room = state.rooms.get(first.roomId);
    const delay = { from: first.start, minutes, at: instant };
    return room === undefined || isSaid(delay, room, state)
      ? []
      : [{ type: 'RoomDelayed', data: { roomId: room.roomId, ...delay } }];
  });
  return accept(...events);
};

/** Whether it is what was said or seen last. */
const isSaid = (delay: Delay, room: RoomState, state: ScheduleState): boolean => {
  const last = delaysByDay(state, room)
    .get(dateIn(timeZoneOf(state, room), delay.from))
    ?.at(-1);
  return (
    (last?.from === delay.from && last.minutes === delay.minutes) ||
    room.delays.some(({ at, minutes }) => at === delay.at && minutes === delay.minutes)
  );
};

/** The first late activity of each room; the id of what is not there. */
const firstLate = (
  { roomId, from, at }: CommandOf<'DelayRooms'>,
  state: ScheduleState,
): readonly ActivityState[] | number => {
  if (from !== null) {
    const activity = state.activities.get(from);
    return activity === undefined ? from : [activity];
  }
  const room = roomId === null ? null : state.rooms.get(roomId);
  if (room === undefined) return roomId ?? 0;
  const expected = expectedTimes(state);
  const nextIn = (each: RoomState): readonly ActivityState[] => {
    const timeZone = timeZoneOf(state, each);
    const next = inRoom(state, each.roomId).find(
      ({ activityId, parentId, start, startedAt }) =>
        parentId === null &&
        startedAt === null &&
        (expected.get(activityId)?.start ?? '') > at &&
        dateIn(timeZone, start) === dateIn(timeZone, at),
    );
    return next === undefined ? [] : [next];
  };
  return (room === null ? [...state.rooms.values()].sort((a, b) => a.roomId - b.roomId) : [room]).flatMap(
    nextIn,
  );
};

export const undoDelay = ({ roomId, at }: CommandOf<'UndoDelay'>, state: ScheduleState): ScheduleDecision => {
  const room = state.rooms.get(roomId);
  if (room === undefined) return roomNotFound(roomId);
  return room.delays.some((delay) => delay.at === at)
    ? accept({ type: 'RoomDelayUndone', data: { roomId, at } })
    : accept();
};
