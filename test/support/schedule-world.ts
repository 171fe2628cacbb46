/** A day of a contest: one venue with two rooms, a round with two groups, lunch, and a second round. */
import type {
  Activity,
  AssignedPerson,
  Room,
  ScheduleEvent,
  Venue,
} from '../../src/competition/schedule/schedule.events.js';

export const VENUE: Venue = {
  venueId: 1,
  name: 'Town Hall',
  address: '1 Main Street, Cork',
  regionCode: 'IE',
  latitudeMicrodegrees: 51_898_500,
  longitudeMicrodegrees: -8_475_600,
  timeZone: 'Europe/Dublin',
};
export const MAIN: Room = { roomId: 1, venueId: 1, name: 'Main stage', colour: '#304a96' };
export const SIDE: Room = { roomId: 2, venueId: 1, name: 'Side stage', colour: '#aa0000' };

/** In June Dublin is an hour ahead of UTC. */
export const at = (time: string, day = 13): string => `2026-06-${String(day).padStart(2, '0')}T${time}:00Z`;

/** Of the main stage unless it says otherwise. */
export const activity = (
  activityId: number,
  code: string,
  [start, end]: readonly [start: string, end: string],
  more: Partial<Activity> = {},
): Activity => ({
  activityId,
  roomId: MAIN.roomId,
  parentId: null,
  code,
  name: `Name of ${code}`,
  start: at(start),
  end: at(end),
  ...more,
});

export const ROUND = activity(1, 'cube-r1', ['09:00', '10:00']);
export const GROUP_1 = activity(2, 'cube-r1-g1', ['09:00', '09:30'], { parentId: 1 });
export const GROUP_2 = activity(3, 'cube-r1-g2', ['09:30', '10:00'], { parentId: 1 });
export const LUNCH = activity(4, 'other-lunch', ['10:00', '11:00']);
export const FINAL = activity(5, 'cube-r2', ['11:00', '12:00']);
export const CLOCK = activity(6, 'clock-r1', ['10:00', '11:00'], { roomId: SIDE.roomId });
export const ACTIVITIES = [ROUND, GROUP_1, GROUP_2, LUNCH, FINAL, CLOCK] as const;

export const activitiesSet = (...activities: readonly Activity[]): ScheduleEvent => ({
  type: 'ActivitiesSet',
  data: { activities },
});
export const assigned = (
  activityId: number,
  role: string,
  ...persons: readonly (number | AssignedPerson)[]
): ScheduleEvent => ({
  type: 'AssignmentsSet',
  data: {
    assignments: [
      { activityId, role, persons: persons.map((each) => (typeof each === 'number' ? [each, null] : each)) },
    ],
  },
});
export const started = (activityId: number, time: string): ScheduleEvent => ({
  type: 'ActivityStarted',
  data: { activityId, at: time },
});
export const ended = (activityId: number, time: string): ScheduleEvent => ({
  type: 'ActivityEnded',
  data: { activityId, at: time },
});

export const PLACES: readonly ScheduleEvent[] = [
  { type: 'VenueSet', data: VENUE },
  { type: 'RoomSet', data: MAIN },
  { type: 'RoomSet', data: SIDE },
];
export const DAY: readonly ScheduleEvent[] = [...PLACES, activitiesSet(...ACTIVITIES)];

const hoursToNoon = 12 - new Date().getUTCHours();

/** A time zone in which it is about noon: what happens around now is on one day. */
export const NOON_ZONE =
  hoursToNoon === 0 ? 'Etc/GMT' : `Etc/GMT${hoursToNoon > 0 ? '-' : '+'}${Math.abs(hoursToNoon)}`;
