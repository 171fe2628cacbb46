/** Reads the dates of rounds from the activities of a WCIF schedule, in the time zone of the venue. */
import type { JsonCursor } from './json-cursor.js';

/** By round id (`333-r1`). A round of several days (fewest moves) has the date of its last day. */
export const roundDates = (schedule: JsonCursor): ReadonlyMap<string, string> => {
  const dates = new Map<string, string>();
  for (const venue of schedule.optional('venues')?.items() ?? []) {
    const dayOf = calendarOf(venue);
    const activities = venue
      .optional('rooms')
      ?.items()
      .flatMap((room) => room.optional('activities')?.items() ?? []);
    for (const activity of activities ?? []) {
      const [round] = /^[A-Za-z0-9_-]+?-r\d+/.exec(activity.field('activityCode').string()) ?? [];
      if (round === undefined) continue;
      const day = dayOf(activity.field('startTime'));
      if (day > (dates.get(round) ?? '')) dates.set(round, day);
    }
  }
  return dates;
};

const calendarOf = (venue: JsonCursor): ((time: JsonCursor) => string) => {
  const zone = venue.optional('timezone');
  const timeZone = zone?.string() ?? 'UTC';
  const parts = zoneParts(timeZone) ?? zone?.fail(`is “${timeZone}”, which is no time zone`);
  return (time) => {
    const instant = Date.parse(time.string());
    if (Number.isNaN(instant)) time.fail(`is “${time.string()}”; a time looks like 2023-07-29T09:00:00Z`);
    return parts?.format(instant) ?? '';
  };
};

/** The Swedish locale writes dates as YYYY-MM-DD. Returns null for an unknown time zone. */
const zoneParts = (timeZone: string): Intl.DateTimeFormat | null => {
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};
