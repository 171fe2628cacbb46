/**
 * What goes on in a room at a time, what comes next, and how late the room is. It is computed from a schedule that a reply
 * holds, so the reply stays the same while time passes.
 */
import { minutesBetween } from '../../domain/time-zones.js';
import type { NowAndNext, ScheduledActivityView } from './schedule.queries.js';

/** Marks of so long ago say nothing of what goes on now. */
const HALF_A_DAY = 720;

/**
 * `activities`: those of a room, by planned start. Where a moderator marks what begins and ends, the marks count; otherwise
 * the clock does. `at`: an instant.
 */
export const nowAndNext = (activities: readonly ScheduledActivityView[], at: string): NowAndNext => {
  const begun = activities.filter((activity) => hasBegun(activity, at));
  const last = begun.at(-1);
  const now = currentOf(activities, at);
  const next =
    activities.find(
      (activity) =>
        activity.startedAt === null &&
        !now.includes(activity) &&
        (last === undefined ? activity.expectedStart > at : activity.start >= last.start),
    ) ?? null;
  return {
    now,
    groups: now.flatMap(({ parts }) => currentOf(parts, at)),
    next,
    late: latenessOf(next, now, at),
  };
};

/** Minutes between the planned and the expected start; 0 for what begins early. */
export const lateness = ({ start, expectedStart }: ScheduledActivityView): number =>
  Math.max(0, minutesBetween(start, expectedStart));

/** The next activity has not begun, so it is at least as late as its planned time is past. */
const latenessOf = (
  next: ScheduledActivityView | null,
  [first]: readonly ScheduledActivityView[],
  at: string,
): number => {
  if (next !== null) return Math.max(lateness(next), minutesBetween(next.start, at));
  return first === undefined ? 0 : lateness(first);
};

const hasBegun = ({ startedAt }: ScheduledActivityView, at: string): boolean =>
  startedAt !== null && startedAt <= at && minutesBetween(startedAt, at) < HALF_A_DAY;

const currentOf = (
  activities: readonly ScheduledActivityView[],
  at: string,
): readonly ScheduledActivityView[] => {
  const isMarked = activities.some((activity) => hasBegun(activity, at));
  return activities.filter((activity) => {
    const { endedAt, expectedStart, expectedEnd } = activity;
    if (isMarked) return hasBegun(activity, at) && (endedAt === null || endedAt > at);
    return endedAt === null && expectedStart <= at && at < expectedEnd;
  });
};
