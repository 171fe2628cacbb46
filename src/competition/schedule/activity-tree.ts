/** Activities and their parts: a round, its groups, their attempts. */
import type { Activity, ActivityState, ScheduleState } from './schedule.events.js';

/** A round, its groups and their attempts, or its attempts and their groups. */
export const MAX_DEPTH = 3;

type Activities = Pick<ScheduleState, 'activities'>;

/** By planned start, then in the order of the ids. */
export const byStart = (
  a: Pick<Activity, 'start' | 'activityId'>,
  b: Pick<Activity, 'start' | 'activityId'>,
): number => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.activityId - b.activityId);

/** The activity, then the one that it is a part of, and so on. */
export const lineOf = (
  { activities }: Activities,
  activity: ActivityState | undefined,
): readonly ActivityState[] => {
  const line: ActivityState[] = [];
  for (let each = activity; each !== undefined && line.length <= MAX_DEPTH; ) {
    line.push(each);
    each = each.parentId === null ? undefined : activities.get(each.parentId);
  }
  return line;
};

/** All parts of the activity, and their parts. */
export const partsOf = ({ activities }: Activities, activityId: number): readonly ActivityState[] => {
  const ids = new Set([activityId]);
  const parts: ActivityState[] = [];
  // A part may be stored before what it is a part of.
  for (let known = 0; known < ids.size; ) {
    known = ids.size;
    for (const each of activities.values()) {
      if (each.parentId === null || !ids.has(each.parentId) || ids.has(each.activityId)) continue;
      ids.add(each.activityId);
      parts.push(each);
    }
  }
  return parts.sort(byStart);
};

export const inRoom = ({ activities }: Activities, roomId: number): readonly ActivityState[] =>
  [...activities.values()].filter((activity) => activity.roomId === roomId).sort(byStart);

export const isRunning = ({ startedAt, endedAt }: Pick<ActivityState, 'startedAt' | 'endedAt'>): boolean =>
  startedAt !== null && endedAt === null;
