/**
 * Reads and writes the schedule of a WCIF: venues, rooms, activities, and who is assigned to them. The dates of rounds come
 * from its activities, in the time zone of the venue.
 */
import { isCountry } from '../../../domain/regions.js';
import { dateIn, isTimeZone, parseInstant } from '../../../domain/time-zones.js';
import type { Activity } from '../../schedule/schedule.events.js';
import { MAX_STATION, roleProblem } from '../../schedule/schedule-rules.js';
import type { Fault, FileAssignment, FilePerson, FileSchedule, Place } from './contest-file.js';
import type { JsonCursor } from './json-cursor.js';
import {
  EXTENSIONS,
  extension,
  specUrl,
  type WcifActivity,
  type WcifAssignment,
  type WcifVenue,
} from './wcif.js';

// --- dates of rounds ------------------------------------------------------------------------------------------------

/** By round id (`333-r1`). A round of several days (fewest moves) has the date of its last day. */
export const roundDates = (schedule: JsonCursor): ReadonlyMap<string, string> => {
  const dates = new Map<string, string>();
  for (const venue of itemsOf(schedule, 'venues')) {
    const timeZone = timeZoneOf(venue);
    for (const activity of itemsOf(venue, 'rooms').flatMap((room) => itemsOf(room, 'activities'))) {
      const [round] = /^[A-Za-z0-9_-]+?-r\d+/.exec(activity.field('activityCode').string()) ?? [];
      if (round === undefined) continue;
      const day = dateIn(timeZone, instantAt(activity.field('startTime')));
      if (day > (dates.get(round) ?? '')) dates.set(round, day);
    }
  }
  return dates;
};

const itemsOf = (holder: JsonCursor, list: string): readonly JsonCursor[] =>
  holder.optional(list)?.items() ?? [];

const timeZoneOf = (venue: JsonCursor): string => {
  const zone = venue.optional('timezone');
  const name = zone?.string() ?? 'UTC';
  if (!isTimeZone(name)) zone?.fail(`is “${name}”, which is no time zone`);
  return name;
};

const instantAt = (time: JsonCursor): string => {
  const milliseconds = Date.parse(time.string());
  const instant = Number.isNaN(milliseconds) ? null : parseInstant(new Date(milliseconds).toISOString());
  return instant ?? time.fail(`is “${time.string()}”; a time looks like 2023-07-29T09:00:00Z`);
};

// --- reading --------------------------------------------------------------------------------------------------------

/**
 * Venues, rooms and activities without an id, and activities without an end, only give rounds their dates: they are no part
 * of the schedule. Returns null when nothing is left. Throws FaultError.
 */
export const readSchedule = (schedule: JsonCursor): Omit<FileSchedule, 'assignments'> | null => {
  const read: Parts = { venues: [], rooms: [], activities: [] };
  for (const venue of itemsOf(schedule, 'venues')) readVenue(venue, read);
  return read.venues.length === 0 ? null : read;
};

interface Parts {
  readonly venues: FileSchedule['venues'][number][];
  readonly rooms: FileSchedule['rooms'][number][];
  readonly activities: FileSchedule['activities'][number][];
}

const readVenue = (venue: JsonCursor, read: Parts): void => {
  const venueId = venue.optional('id')?.integer();
  if (venueId === undefined) return;
  const latitude = venue.optional('latitudeMicrodegrees')?.integer() ?? null;
  const longitude = venue.optional('longitudeMicrodegrees')?.integer() ?? null;
  const isPlaced = latitude !== null && longitude !== null;
  const country = venue.optional('countryIso2')?.string().toUpperCase() ?? '';
  read.venues.push({
    venueId,
    name: textOf(venue, 'name') ?? `Venue ${venueId}`,
    address: textOf(extension(venue, EXTENSIONS.venue), 'address'),
    regionCode: isCountry(country) ? country : null,
    latitudeMicrodegrees: isPlaced ? latitude : null,
    longitudeMicrodegrees: isPlaced ? longitude : null,
    timeZone: timeZoneOf(venue),
    place: venue.place,
  });
  for (const room of itemsOf(venue, 'rooms')) {
    const roomId = room.optional('id')?.integer();
    if (roomId === undefined) continue;
    const name = textOf(room, 'name') ?? `Room ${roomId}`;
    read.rooms.push({ roomId, venueId, name, colour: colourOf(room), place: room.place });
    for (const activity of itemsOf(room, 'activities'))
      readActivity(activity, { roomId, parentId: null }, read);
  }
};

const readActivity = (
  activity: JsonCursor,
  within: Pick<Activity, 'roomId' | 'parentId'>,
  read: Parts,
): void => {
  const activityId = activity.optional('id')?.integer();
  const end = activity.optional('endTime');
  if (activityId === undefined || !end) return;
  const code = activity.field('activityCode').string();
  read.activities.push({
    activityId,
    ...within,
    code,
    name: textOf(activity, 'name') ?? code,
    start: instantAt(activity.field('startTime')),
    end: instantAt(end),
    place: activity.place,
  });
  for (const part of itemsOf(activity, 'childActivities'))
    readActivity(part, { roomId: within.roomId, parentId: activityId }, read);
};

const textOf = (holder: JsonCursor | null, field: string): string | null => {
  const text = holder?.optional(field)?.string() ?? '';
  return text.trim() === '' ? null : text;
};

const DEFAULT_COLOUR = '#304a96';

/** Three digits stand for six. */
const colourOf = (room: JsonCursor): string => {
  const colour = room.optional('color')?.string().toLowerCase() ?? DEFAULT_COLOUR;
  const [, ...digits] = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(colour) ?? [];
  if (digits.length > 0) return `#${digits.map((digit) => digit + digit).join('')}`;
  return /^#?[0-9a-f]{6}$/.test(colour) ? `#${colour.replace('#', '')}` : DEFAULT_COLOUR;
};

/** `registered`: by registrant id, those whom the file registers. What cannot be read is noted. Throws FaultError. */
export const readAssignments = (
  persons: readonly JsonCursor[],
  {
    activities,
    registered,
    notes,
  }: Pick<FileSchedule, 'activities'> & {
    readonly registered: ReadonlyMap<number, FilePerson>;
    readonly notes: Fault[];
  },
): readonly FileAssignment[] => {
  const known = new Set(activities.map(({ activityId }) => activityId));
  return persons.flatMap((cursor): readonly FileAssignment[] => {
    const assignments = itemsOf(cursor, 'assignments');
    const [first] = assignments;
    if (!first) return [];
    const person = registered.get(cursor.optional('registrantId')?.integer() ?? 0);
    if (person) return assignments.flatMap((each) => readAssignment(each, person, { known, notes }));
    notes.push({
      ...first.place,
      reason: `the assignments of ${nameOf(cursor)} are not read: no registered competitor`,
    });
    return [];
  });
};

const nameOf = (person: JsonCursor): string => person.optional('name')?.text() ?? 'a person';

const readAssignment = (
  assignment: JsonCursor,
  person: FilePerson,
  { known, notes }: { readonly known: ReadonlySet<number>; readonly notes: Fault[] },
): readonly FileAssignment[] => {
  const activityId = assignment.field('activityId').integer();
  const role = assignment.field('assignmentCode').string();
  const station = assignment.optional('stationNumber')?.integer() ?? null;
  const note = (place: Place, reason: string): readonly FileAssignment[] => {
    notes.push({ ...place, reason });
    return [];
  };
  if (!known.has(activityId))
    return note(
      assignment.place,
      `an assignment to activity ${activityId} is not read: there is no such activity`,
    );
  if (roleProblem(role) !== null)
    return note(
      assignment.place,
      `the assignment “${role}” is not read: it is competitor or begins with staff-`,
    );
  const isStation = station === null || (station >= 1 && station <= MAX_STATION);
  return [{ person, activityId, role, station: isStation ? station : null }];
};

// --- writing --------------------------------------------------------------------------------------------------------

export const writeVenues = ({ venues, rooms, activities }: FileSchedule): readonly WcifVenue[] => {
  const within = (roomId: number, parentId: number | null): readonly WcifActivity[] =>
    activities
      .filter((activity) => activity.roomId === roomId && activity.parentId === parentId)
      .map(({ activityId, name, code, start, end }) => ({
        id: activityId,
        name,
        activityCode: code,
        startTime: start,
        endTime: end,
        childActivities: within(roomId, activityId),
        scrambleSetId: null,
        extensions: [],
      }));
  return venues.map((venue) => ({
    id: venue.venueId,
    name: venue.name,
    latitudeMicrodegrees: venue.latitudeMicrodegrees,
    longitudeMicrodegrees: venue.longitudeMicrodegrees,
    countryIso2: venue.regionCode,
    timezone: venue.timeZone,
    rooms: rooms
      .filter(({ venueId }) => venueId === venue.venueId)
      .map(({ roomId, name, colour }) => ({
        id: roomId,
        name,
        color: colour,
        activities: within(roomId, null),
        extensions: [],
      })),
    extensions:
      venue.address === null
        ? []
        : [
            {
              id: EXTENSIONS.venue,
              specUrl: specUrl(EXTENSIONS.venue),
              data: { address: venue.address },
            },
          ],
  }));
};

export const writeAssignments = (assignments: readonly FileAssignment[]): readonly WcifAssignment[] =>
  assignments.map(({ activityId, role, station }) => ({
    activityId,
    assignmentCode: role,
    stationNumber: station,
  }));
