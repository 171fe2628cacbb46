/** The events of a schedule's iCalendar: each activity of the contest, or the groups and duties of one competitor. */
import type { ContestRef } from '../../domain/references.js';
import { localTime } from '../../domain/time-zones.js';
import type { CalendarEvent } from './icalendar.js';
import type { ScheduleState } from './schedule.events.js';
import type { AppointmentView, ScheduledActivityView, ScheduleView } from './schedule.queries.js';

export const contestEvents = (
  contest: ContestRef,
  state: ScheduleState,
  { venues }: ScheduleView,
): readonly CalendarEvent[] =>
  venues
    .flatMap(({ rooms }) => rooms)
    .flatMap(({ activities }) => activities)
    .map((activity) => eventOf(contest, state, { activity, role: null, station: null }));

export const competitorEvents = (
  contest: ContestRef,
  state: ScheduleState,
  appointments: readonly AppointmentView[],
): readonly CalendarEvent[] =>
  appointments.map((activity) => eventOf(contest, state, { ...activity, activity }));

type Timed = Omit<ScheduledActivityView, 'parts'>;

const eventOf = (
  { spaceId, competitionId }: ContestRef,
  state: ScheduleState,
  {
    activity,
    role,
    station,
  }: { readonly activity: Timed; readonly role: string | null; readonly station: number | null },
): CalendarEvent => {
  const known = state.activities.get(activity.activityId);
  const room = known && state.rooms.get(known.roomId);
  const venue = room && state.venues.get(room.venueId);
  const { latitudeMicrodegrees = null, longitudeMicrodegrees = null } = venue ?? {};
  const suffix = role === null ? '' : `.${role}`;
  return {
    uid: `${spaceId}.${competitionId}.${activity.activityId}${suffix}@podium`,
    sequence: Math.max(known?.change ?? 0, room?.change ?? 0),
    start: activity.expectedStart,
    end: endOf(activity),
    summary: role === null || role === 'competitor' ? activity.name : `${activity.name} (${dutyName(role)})`,
    location: [room?.name, venue?.name, venue?.address].filter(Boolean).join(', '),
    description: [station === null ? '' : `Station ${station}`, plannedText(activity, venue?.timeZone)]
      .filter((line) => line !== '')
      .join('\n'),
    geo:
      latitudeMicrodegrees === null || longitudeMicrodegrees === null
        ? null
        : { latitude: latitudeMicrodegrees / 1e6, longitude: longitudeMicrodegrees / 1e6 },
  };
};

/** An event of a calendar ends after it starts. */
const endOf = ({ expectedStart, expectedEnd, end }: Timed): string =>
  [expectedEnd, end].find((instant) => instant > expectedStart) ?? plusASecond(expectedStart);

const plusASecond = (instant: string): string => new Date(Date.parse(instant) + 1_000).toISOString();

const plannedText = ({ start, expectedStart }: Timed, timeZone = 'UTC'): string => {
  if (start === expectedStart) return '';
  const { date, time } = localTime(start, timeZone);
  return `Planned for ${date} ${time} (${timeZone})`;
};

/** `staff-judge` as `judge`, `staff-dataentry` as `data entry`. */
const dutyName = (role: string): string =>
  role === 'staff-dataentry' ? 'data entry' : role.replace('staff-', '').replaceAll('-', ' ');
