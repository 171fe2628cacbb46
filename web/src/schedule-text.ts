/** Times, days and duties of a schedule as texts, and a schedule by days and rooms. */
import type {
  NowAndNext,
  ScheduledActivityView,
  ScheduledRoomView,
  ScheduledVenueView,
  ScheduleView,
} from '../../src/competition/schedule/schedule.queries.js';
import { groupedBy } from '../../src/domain/grouped-by.js';
import { dateIn, localTime } from '../../src/domain/time-zones.js';
import { dateText } from './format.js';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** `2026-06-13` as `Saturday, 13 Jun 2026`. */
export const dayText = (date: string): string =>
  `${WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]}, ${dateText(date)}`;

export const timeText = (instant: string, timeZone: string): string => localTime(instant, timeZone).time;

/** `10:00–11:30`. An end on another day says so: `22:00–01:00 (+1)`. */
export const spanText = (start: string, end: string, timeZone: string): string => {
  const [from, to] = [localTime(start, timeZone), localTime(end, timeZone)];
  const days = Math.round((Date.parse(to.date) - Date.parse(from.date)) / 86_400_000);
  return `${from.time}–${to.time}${days > 0 ? ` (+${days})` : ''}`;
};

export const lateText = (minutes: number): string =>
  minutes === 1 ? '1 minute late' : `${minutes} minutes late`;

/** The names of what goes on. Where groups of an activity go on, they stand for it. */
export const runningNames = ({ now, groups }: Pick<NowAndNext, 'now' | 'groups'>): readonly string[] =>
  now.flatMap((activity) => {
    const own = groups.filter((group) => activity.parts.includes(group));
    return (own.length === 0 ? [activity] : own).map(({ name }) => name);
  });

const ROLE_NAMES: Readonly<Record<string, string>> = {
  competitor: 'Competitors',
  'staff-judge': 'Judges',
  'staff-scrambler': 'Scramblers',
  'staff-runner': 'Runners',
  'staff-dataentry': 'Data entry',
  'staff-announcer': 'Announcers',
};

/** The duties that the association names, with `competitor`. */
export const ROLES: readonly string[] = Object.keys(ROLE_NAMES);

export const roleText = (role: string): string =>
  ROLE_NAMES[role] ?? role.replace('staff-', '').replaceAll('-', ' ');

export interface RoomOfDay extends Pick<ScheduledRoomView, 'roomId' | 'name' | 'colour'> {
  readonly venue: ScheduledVenueView;
  readonly activities: readonly ScheduledActivityView[];
}

export interface Day {
  /** YYYY-MM-DD, in the time zones of the venues. */
  readonly date: string;
  /** Those with an activity that begins on this day. */
  readonly rooms: readonly RoomOfDay[];
}

export const daysOf = ({ venues }: ScheduleView): readonly Day[] => {
  const days = new Map<string, RoomOfDay[]>();
  for (const venue of venues) {
    for (const { roomId, name, colour, activities } of venue.rooms) {
      const byDate = groupedBy(activities, ({ start }) => dateIn(venue.timeZone, start));
      for (const [date, ofDay] of byDate)
        days.set(date, [...(days.get(date) ?? []), { roomId, name, colour, venue, activities: ofDay }]);
    }
  }
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([date, rooms]) => ({ date, rooms }));
};
