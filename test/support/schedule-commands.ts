/** Arbitrary commands of a schedule: few ids, times and persons, so that commands meet, mixed with some that no caller should send. */
import fc from 'fast-check';
import type { Unit } from '../../src/competition/schedule/assignments.decider.js';
import type { ScheduleCommand } from '../../src/competition/schedule/schedule.decider.js';
import type { Activity } from '../../src/competition/schedule/schedule.events.js';
import { instantOf } from '../../src/domain/time-zones.js';

const START = Date.UTC(2026, 9, 24, 20);
const STEP_MS = 10 * 60_000;

/** A day and a half around the night in which the clocks of Dublin change. */
export const instant = fc.nat({ max: 200 }).map((step) => instantOf(START + step * STEP_MS));
/** When something was said. */
const said = fc.constantFrom(0, 60, 120).map((step) => instantOf(START + step * STEP_MS));
const id = fc.integer({ min: 1, max: 6 });
const idOrNull = fc.option(id);
const rarely = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: rare });
const wholeCode = fc.constantFrom('cube-r1', 'cube-r1', 'clock-r1-a1', 'other-lunch');
const code = rarely(
  fc.oneof(wholeCode, fc.constantFrom('cube-r1-g1', 'cube-r1-g2', 'cube-r1-g1-a1')),
  fc.constantFrom('cube-r2', 'a b'),
);
const name = rarely(fc.constantFrom('One', 'Two'), fc.constant(' '));

const times = fc
  .tuple(instant, rarely(fc.integer({ min: 1, max: 12 }), fc.constant(0)))
  .map(([start, steps]) => ({
    start,
    end: instantOf(Date.parse(start) + steps * STEP_MS),
  }));

const venue = fc.record({
  name,
  address: fc.constantFrom(null, 'Main Street'),
  regionCode: rarely(fc.constantFrom(null, 'IE'), fc.constant('XX')),
  latitudeMicrodegrees: rarely(fc.constant(51_898_500), fc.constant(null)),
  longitudeMicrodegrees: rarely(fc.constant(-8_475_600), fc.constant(null)),
  timeZone: rarely(
    fc.constantFrom('Europe/Dublin', 'Pacific/Auckland', 'UTC'),
    fc.constantFrom('Mars/Base', '+01:00'),
  ),
});
const room = fc.record({
  venueId: rarely(fc.constant(1), id),
  name,
  colour: rarely(fc.constant('#304a96'), fc.constant('red')),
});

export const activity: fc.Arbitrary<Activity> = fc
  .record({
    activityId: id,
    roomId: fc.integer({ min: 1, max: 2 }),
    parentId: fc.option(id),
    code,
    name,
    times,
  })
  .map(({ times: { start, end }, ...rest }) => ({ ...rest, start, end }));

const persons = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 4 });
/** Person 6 was person 3 before. */
const identified = (personId: number) => ({ personId, ids: personId === 6 ? [6, 3] : [personId] });
const units: fc.Arbitrary<readonly Unit[]> = persons.map((ids) => ids.map((each) => [identified(each)]));
const role = rarely(fc.constantFrom('competitor', 'competitor', 'staff-judge'), fc.constant('judge'));
const station = rarely(fc.constantFrom(null, null, 1, 2), fc.constant(0));

/** `activityId`: null adds it. */
const setActivity = ({ activityId: _, ...given }: Activity, activityId: number | null): ScheduleCommand => ({
  type: 'SetActivity',
  ...given,
  activityId,
  planned: new Set(['cube-r1', 'clock-r1']),
});

const plan: fc.Arbitrary<ScheduleCommand> = fc.oneof(
  fc.record({ type: fc.constant('SetVenue' as const), venueId: fc.constantFrom(null, null, 1, 2), venue }),
  fc.record({ type: fc.constant('RemoveVenue' as const), venueId: fc.constantFrom(1, 2, 2, 3) }),
  fc.record({ type: fc.constant('SetRoom' as const), roomId: idOrNull, room }),
  fc.record({ type: fc.constant('RemoveRoom' as const), roomId: id }),
  fc
    .record({ activity, activityId: idOrNull })
    .map(({ activity: { activityId: _, ...given }, activityId }) => ({
      type: 'SetActivity' as const,
      ...given,
      activityId,
      planned: new Set(['cube-r1', 'clock-r1']),
    })),
  fc.record({ type: fc.constant('RemoveActivity' as const), activityId: id }),
  fc.record({
    type: fc.constant('SplitActivity' as const),
    activityId: id,
    groups: fc.integer({ min: 0, max: 4 }),
  }),
);

const assignments: fc.Arbitrary<ScheduleCommand> = fc.oneof(
  fc.record({ activityId: id, role, personIds: persons, station }).map(({ personIds, ...rest }) => ({
    type: 'Assign' as const,
    ...rest,
    persons: personIds.map(identified),
  })),
  fc.record({
    type: fc.constant('Unassign' as const),
    activityId: id,
    person: fc.integer({ min: 1, max: 6 }).map(identified),
  }),
  fc.record({
    type: fc.constant('AssignGroups' as const),
    code: fc.constantFrom('cube-r1', 'clock-r1'),
    units,
    stations: station,
    judges: fc.boolean(),
  }),
  fc.record({ type: fc.constant('ClearAssignments' as const), code }),
);

/** What happens on the day. */
export const dayCommand: fc.Arbitrary<ScheduleCommand> = fc.oneof(
  fc.record({
    type: fc.constantFrom('StartActivity' as const, 'EndActivity' as const),
    activityId: id,
    at: instant,
  }),
  fc.record({
    type: fc.constant('UndoStep' as const),
    activityId: id,
    step: fc.constantFrom('start' as const, 'end' as const),
  }),
  fc.record({
    type: fc.constant('DelayRooms' as const),
    roomId: fc.option(fc.integer({ min: 1, max: 2 })),
    from: fc.option(id),
    minutes: fc.constantFrom(0, 10, 30, 200, -1),
    at: said,
  }),
  fc.record({ type: fc.constant('UndoDelay' as const), roomId: fc.integer({ min: 1, max: 2 }), at: said }),
);

/** One venue with two rooms. */
const places: readonly ScheduleCommand[] = [
  {
    type: 'SetVenue',
    venueId: null,
    venue: {
      name: 'Hall',
      address: null,
      regionCode: null,
      latitudeMicrodegrees: null,
      longitudeMicrodegrees: null,
      timeZone: 'Europe/Dublin',
    },
  },
  { type: 'SetRoom', roomId: null, room: { venueId: 1, name: 'One', colour: '#304a96' } },
  { type: 'SetRoom', roomId: null, room: { venueId: 1, name: 'Two', colour: '#304a96' } },
];

/** Two rooms with some whole activities, two of them in groups; then anything may come. */
export const scheduleHistory: fc.Arbitrary<readonly ScheduleCommand[]> = fc
  .tuple(
    fc.array(fc.tuple(activity, wholeCode), { minLength: 3, maxLength: 4 }),
    fc.array(fc.oneof(plan, assignments, dayCommand, dayCommand), { maxLength: 30, size: 'max' }),
  )
  .map(([activities, commands]) => [
    ...places,
    ...activities.map(([given, own]) => setActivity({ ...given, code: own, parentId: null }, null)),
    { type: 'SplitActivity', activityId: 1, groups: 2 },
    { type: 'SplitActivity', activityId: 2, groups: 2 },
    ...commands,
  ]);
