/** Splits a round, or an attempt of a round, into groups that follow each other. */
import { type ActivityCode, activityCode, parseActivityCode } from '../../domain/activity-codes.js';
import { accept, reject } from '../../domain/decider.js';
import { isSameData } from '../../domain/equality.js';
import { invalid } from '../../domain/rejections.js';
import { minutesBetween, plusMinutes } from '../../domain/time-zones.js';
import { partsOf } from './activity-tree.js';
import type { Activity, ActivityState, ScheduleEvent, ScheduleState } from './schedule.events.js';
import {
  activityNotFound,
  MAX_ACTIVITIES,
  MAX_GROUPS,
  plainActivity,
  refuse,
  type ScheduleDecision,
  tooMany,
} from './schedule-rules.js';

/** Makes this many groups of equal length; 0: none. Groups that are there keep their names and persons. */
export interface SplitActivity {
  readonly type: 'SplitActivity';
  readonly activityId: number;
  readonly groups: number;
}

export const splitActivity = (
  { activityId, groups }: SplitActivity,
  state: ScheduleState,
): ScheduleDecision => {
  const activity = state.activities.get(activityId);
  if (activity === undefined) return activityNotFound(activityId);
  const whole = parseActivityCode(activity.code);
  if (whole === null || whole.group !== null)
    return refuse('schedule', 'only a round or an attempt of a round is split into groups');
  const message = countProblem(groups, minutesBetween(activity.start, activity.end));
  if (message !== null) return reject(invalid([{ field: 'groups', rule: 'range', message }]));
  const groupsNow = groupsOf(activity, state);
  // Of two with one number the first stays.
  const known = new Map(groupsNow.toReversed());
  const wanted = wantedGroups(activity, { whole, count: groups, known, lastId: state.lastIds.activity });
  const kept = new Set(wanted.map((group) => group.activityId));
  const removed = groupsNow
    .filter(([, group]) => !kept.has(group.activityId))
    .flatMap(([, group]) => [group, ...partsOf(state, group.activityId)])
    .map((each) => each.activityId);
  const added = wanted.filter((group) => !state.activities.has(group.activityId)).length;
  if (state.activities.size - removed.length + added > MAX_ACTIVITIES)
    return tooMany('activities', MAX_ACTIVITIES);
  const activities = wanted.filter((group) => {
    const before = state.activities.get(group.activityId);
    return before === undefined || !isSameData(plainActivity(before), group);
  });
  const events: ScheduleEvent[] = [];
  if (removed.length > 0) events.push({ type: 'ActivitiesRemoved', data: { activityIds: removed } });
  if (activities.length > 0) events.push({ type: 'ActivitiesSet', data: { activities } });
  return accept(...events);
};

const countProblem = (groups: number, minutes: number): string | null => {
  if (!Number.isInteger(groups) || groups < 0 || groups > MAX_GROUPS)
    return `must be from 0 to ${MAX_GROUPS}`;
  return groups > minutes ? `must be ${minutes} at most, one for each minute` : null;
};

/** With their numbers. */
const groupsOf = (
  activity: ActivityState,
  state: ScheduleState,
): readonly (readonly [number, ActivityState])[] =>
  partsOf(state, activity.activityId).flatMap((part): readonly (readonly [number, ActivityState])[] => {
    const group = parseActivityCode(part.code)?.group ?? null;
    return part.parentId === activity.activityId && group !== null ? [[group, part]] : [];
  });

const wantedGroups = (
  activity: ActivityState,
  {
    whole,
    count,
    known,
    lastId,
  }: {
    readonly whole: ActivityCode;
    readonly count: number;
    readonly known: ReadonlyMap<number, ActivityState>;
    readonly lastId: number;
  },
): readonly Activity[] => {
  const minutes = minutesBetween(activity.start, activity.end);
  const borderOf = (index: number): string =>
    index === count ? activity.end : plusMinutes(activity.start, Math.floor((minutes * index) / count));
  let nextId = lastId;
  return Array.from({ length: count }, (_, index): Activity => {
    const group = index + 1;
    const before = known.get(group);
    if (before === undefined) nextId += 1;
    return {
      activityId: before?.activityId ?? nextId,
      roomId: activity.roomId,
      parentId: activity.activityId,
      code: activityCode({ ...whole, group }),
      name: before?.name ?? `${activity.name.slice(0, 180).toWellFormed()}, Group ${group}`,
      start: borderOf(index),
      end: borderOf(group),
    };
  });
};
