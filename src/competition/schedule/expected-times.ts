/**
 * When activities are expected, from the plan and from what happened on the day. An activity that began or ended late, and a
 * moderator who says that a room is late, move what comes later in this room on this day. What was said or seen last counts.
 * Nothing is expected before its planned time, and nothing that has not begun changes places.
 */
import { groupedBy } from '../../domain/grouped-by.js';
import { dateIn, minutesBetween, plusMinutes } from '../../domain/time-zones.js';
import { inRoom, isRunning, lineOf } from './activity-tree.js';
import type { ActivityState, Delay, RoomState, ScheduleState } from './schedule.events.js';

export interface ExpectedTime {
  readonly start: string;
  readonly end: string;
}

/** By activity. */
export const expectedTimes = (state: ScheduleState): ReadonlyMap<number, ExpectedTime> => {
  const expected = new Map<number, ExpectedTime>();
  for (const room of state.rooms.values()) {
    for (const [id, times] of timesInRoom(state, room)) expected.set(id, times);
  }
  return expected;
};

const timesInRoom = (state: ScheduleState, room: RoomState): ReadonlyMap<number, ExpectedTime> => {
  const activities = inRoom(state, room.roomId);
  const dayOf = daysIn(state, room);
  const delays = delaysByDay(state, room);
  const expected = new Map<number, ExpectedTime>();
  /** The latest expected start of each day so far, of what has not begun. */
  const latest = new Map<string, string>();
  for (const activity of activities) {
    const day = dayOf(activity);
    const ofDay = delays.get(day) ?? [];
    const start = activity.startedAt ?? later(shifted(activity.start, ofDay), latest.get(day));
    if (activity.startedAt === null) latest.set(day, start);
    const end = activity.endedAt ?? later(shifted(activity.end, ofDay), start);
    expected.set(activity.activityId, { start, end });
  }
  return expected;
};

const later = (a: string, b: string | undefined): string => (b !== undefined && b > a ? b : a);

/** The planned time, moved by the delay that was known last of those from this time or earlier. */
const shifted = (planned: string, delays: readonly Delay[]): string =>
  plusMinutes(planned, delays.findLast(({ from }) => from <= planned)?.minutes ?? 0);

export const timeZoneOf = ({ venues }: ScheduleState, { venueId }: Pick<RoomState, 'venueId'>): string =>
  venues.get(venueId)?.timeZone ?? 'UTC';

/** A part of an activity belongs to the day on which the whole of it begins. */
const daysIn = (state: ScheduleState, room: RoomState): ((activity: ActivityState) => string) => {
  const timeZone = timeZoneOf(state, room);
  return (activity) => dateIn(timeZone, lineOf(state, activity).at(-1)?.start ?? activity.start);
};

/** What moves the times of each day in a room, in the order in which it was known. */
export const delaysByDay = (state: ScheduleState, room: RoomState): ReadonlyMap<string, readonly Delay[]> => {
  const dayOf = daysIn(state, room);
  const activities = inRoom(state, room.roomId);
  const found = room.delays.map((delay) => ({ day: dateIn(timeZoneOf(state, room), delay.from), delay }));
  for (const activity of activities) {
    const { startedAt, endedAt, start, end } = activity;
    if (startedAt !== null) found.push({ day: dayOf(activity), delay: observed(start, startedAt) });
    if (endedAt !== null && !isOvertaken(state, activity, activities))
      found.push({ day: dayOf(activity), delay: observed(end, endedAt) });
  }
  const days = groupedBy(
    found.sort((a, b) => inOrder(a.delay, b.delay)),
    ({ day }) => day,
  );
  return new Map([...days].map(([day, ofDay]) => [day, ofDay.map(({ delay }) => delay)]));
};

const inOrder = (a: Delay, b: Delay): number => {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return a.from === b.from ? 0 : a.from < b.from ? -1 : 1;
};

const observed = (planned: string, at: string): Delay => ({
  from: planned,
  minutes: Math.max(0, minutesBetween(planned, at)),
  at,
});

/** While something else goes on in the room, the end of one activity does not say how late the room is. */
const isOvertaken = (
  state: ScheduleState,
  activity: ActivityState,
  activities: readonly ActivityState[],
): boolean => {
  const { endedAt } = activity;
  if (endedAt === null) return false;
  const line = new Set(lineOf(state, activity));
  return activities.some(
    (other) =>
      !line.has(other) &&
      !lineOf(state, other).includes(activity) &&
      other.startedAt !== null &&
      other.startedAt < endedAt &&
      (isRunning(other) || (other.endedAt !== null && other.endedAt > endedAt)),
  );
};
