/** A schedule as readers see it, from its state. */
import { isPartOf, parseActivityCode } from '../../domain/activity-codes.js';
import { groupedBy } from '../../domain/grouped-by.js';
import { textOrder } from '../../domain/text-order.js';
import { byStart } from './activity-tree.js';
import { groupsByAttempt } from './assignments.decider.js';
import { type ExpectedTime, expectedTimes } from './expected-times.js';
import type { ActivityState, ScheduleState } from './schedule.events.js';
import type {
  AppointmentView,
  AssignedPersonView,
  GroupView,
  PlacedActivityView,
  ScheduledActivityView,
  ScheduleView,
  WholeScheduleView,
} from './schedule.queries.js';
import { plainActivity, plainRoom } from './schedule-rules.js';

type Expected = ReadonlyMap<number, ExpectedTime>;

export const scheduleView = (state: ScheduleState): ScheduleView => {
  const expected = expectedTimes(state);
  const parts = groupedBy([...state.activities.values()].sort(byStart), ({ parentId }) => parentId);
  const shown = (activity: ActivityState): ScheduledActivityView => ({
    ...activityView(activity, expected),
    parts: (parts.get(activity.activityId) ?? []).map(shown),
  });
  const whole = parts.get(null) ?? [];
  const rooms = [...state.rooms.values()].sort((a, b) => a.roomId - b.roomId);
  return {
    venues: [...state.venues.values()]
      .sort((a, b) => a.venueId - b.venueId)
      .map((venue) => ({
        ...venue,
        rooms: rooms
          .filter(({ venueId }) => venueId === venue.venueId)
          .map(({ roomId, name, colour, delays }) => ({
            roomId,
            name,
            colour,
            delays,
            activities: whole.filter((activity) => activity.roomId === roomId).map(shown),
          })),
      })),
  };
};

const activityView = (
  { activityId, code, name, start, end, startedAt, endedAt }: ActivityState,
  expected: Expected,
): Omit<ScheduledActivityView, 'parts'> => {
  const times = expected.get(activityId) ?? { start, end };
  const round = parseActivityCode(code);
  return {
    activityId,
    code,
    eventId: round?.eventId ?? null,
    roundNumber: round?.roundNumber ?? null,
    name,
    start,
    end,
    expectedStart: times.start,
    expectedEnd: times.end,
    startedAt,
    endedAt,
  };
};

const placed = (
  activity: ActivityState,
  state: ScheduleState,
  expected: Expected,
): readonly PlacedActivityView[] => {
  const room = state.rooms.get(activity.roomId);
  const venue = room && state.venues.get(room.venueId);
  if (room === undefined || venue === undefined) return [];
  const { roomId, name, colour } = room;
  const { venueId, timeZone } = venue;
  return [
    {
      ...activityView(activity, expected),
      room: { roomId, name, colour },
      venue: { venueId, name: venue.name, timeZone },
    },
  ];
};

/** The competitor that an assignment is of; null: of no competitor on the list who comes. */
export type CompetitorOf = (personId: number) => Pick<AssignedPersonView, 'number' | 'person'> | null;

export const groupViews = (
  state: ScheduleState,
  code: string,
  competitorOf: CompetitorOf,
): readonly GroupView[] => {
  const expected = expectedTimes(state);
  const groups = new Set(groupsByAttempt(code, state).flat());
  return [...state.activities.values()]
    .filter(
      (activity) =>
        groups.has(activity) || (isPartOf(activity.code, code) && state.assigned.has(activity.activityId)),
    )
    .sort(byStart)
    .flatMap((activity) =>
      placed(activity, state, expected).map((view) => ({
        ...view,
        persons: assignedTo(activity, state, competitorOf),
      })),
    );
};

const assignedTo = (
  { activityId }: ActivityState,
  { assigned }: ScheduleState,
  competitorOf: CompetitorOf,
): readonly AssignedPersonView[] => {
  const roles = [...(assigned.get(activityId)?.entries() ?? [])];
  const persons = roles.flatMap(([role, list]) =>
    list.flatMap(([personId, station]) => {
      const competitor = competitorOf(personId);
      return competitor === null
        ? []
        : [{ number: competitor.number, person: competitor.person, role, station }];
    }),
  );
  return persons.sort(
    (a, b) => textOrder(a.role, b.role) || stationOf(a) - stationOf(b) || a.number - b.number,
  );
};

const stationOf = ({ station }: AssignedPersonView): number => station ?? Number.MAX_SAFE_INTEGER;

/** `isTheirs`: whether the person of an assignment is the competitor. */
export const appointmentViews = (
  state: ScheduleState,
  isTheirs: (personId: number) => boolean,
): readonly AppointmentView[] => {
  const expected = expectedTimes(state);
  const found = [...state.assigned].flatMap(([activityId, roles]) =>
    [...roles].flatMap(([role, persons]) => {
      const activity = state.activities.get(activityId);
      const own = persons.find(([personId]) => isTheirs(personId));
      if (activity === undefined || own === undefined) return [];
      return placed(activity, state, expected).map((view) => ({ ...view, role, station: own[1] }));
    }),
  );
  return found.sort(
    (a, b) =>
      textOrder(a.expectedStart, b.expectedStart) || a.activityId - b.activityId || textOrder(a.role, b.role),
  );
};

export const wholeView = (state: ScheduleState, competitorOf: CompetitorOf): WholeScheduleView => ({
  venues: [...state.venues.values()].sort((a, b) => a.venueId - b.venueId),
  rooms: [...state.rooms.values()].sort((a, b) => a.roomId - b.roomId).map(plainRoom),
  activities: [...state.activities.values()].sort((a, b) => a.activityId - b.activityId).map(plainActivity),
  assignments: [...state.assigned]
    .sort(([a], [b]) => a - b)
    .flatMap(([activityId, roles]) =>
      [...roles].flatMap(([role, persons]) =>
        persons.flatMap(([personId, station]) => {
          const competitor = competitorOf(personId);
          return competitor === null ? [] : [{ activityId, role, station, person: competitor.person }];
        }),
      ),
    ),
});
