/** The day: what begins and ends, how late a room is, and when everything else is expected then. */
import { describe, expect, it } from '@jest/globals';
import { expectedTimes } from '../../../../src/competition/schedule/expected-times.js';
import {
  type ScheduleCommand,
  scheduleDecider,
} from '../../../../src/competition/schedule/schedule.decider.js';
import type { ActivityStep, ScheduleEvent } from '../../../../src/competition/schedule/schedule.events.js';
import { localTime } from '../../../../src/domain/time-zones.js';
import { givenOf } from '../../../support/given-when-then.js';
import {
  activitiesSet,
  activity,
  at,
  DAY,
  ended,
  PLACES,
  started,
  VENUE,
} from '../../../support/schedule-world.js';

const given = givenOf(scheduleDecider);

const start = (activityId: number, time: string): ScheduleCommand => ({
  type: 'StartActivity',
  activityId,
  at: at(time),
});
const end = (activityId: number, time: string): ScheduleCommand => ({
  type: 'EndActivity',
  activityId,
  at: at(time),
});
const undo = (activityId: number, step: ActivityStep): ScheduleCommand => ({
  type: 'UndoStep',
  activityId,
  step,
});
const undone = (activityId: number, step: ActivityStep): ScheduleEvent => ({
  type: 'ActivityStepUndone',
  data: { activityId, step },
});
const late = (
  minutes: number,
  time: string,
  { roomId = 1, from = null }: { roomId?: number | null; from?: number | null } = {},
): ScheduleCommand => ({ type: 'DelayRooms', minutes, at: at(time), roomId, from });
const delayed = (minutes: number, from: string, time: string, roomId = 1): ScheduleEvent => ({
  type: 'RoomDelayed',
  data: { roomId, from: at(from), minutes, at: at(time) },
});

describe('an activity', () => {
  it('begins and ends once', () => {
    given(DAY)
      .when(start(4, '10:05'))
      .then([started(4, at('10:05'))]);
    given([...DAY, started(4, at('10:05'))])
      .when(start(4, '10:06'))
      .thenNothing();
    given([...DAY, started(4, at('10:05'))])
      .when(end(4, '11:00'))
      .then([ended(4, at('11:00'))]);
    given([...DAY, started(4, at('10:05')), ended(4, at('11:00'))])
      .when(end(4, '11:01'))
      .thenNothing();
    given(DAY).when(start(99, '10:05')).thenRefused('activity-not-found');
    given(DAY).when(end(99, '10:05')).thenRefused('activity-not-found');
    given(DAY).when(end(4, '10:05')).thenRefused('schedule');
    given([...DAY, started(4, at('10:05')), ended(4, at('11:00'))])
      .when(start(4, '11:01'))
      .thenRefused('schedule');
  });

  it('begins with a group of it, and ends its groups', () => {
    given(DAY)
      .when(start(2, '09:02'))
      .then([started(1, at('09:02')), started(2, at('09:02'))]);
    given([...DAY, started(1, at('09:02')), started(2, at('09:02'))])
      .when(start(3, '09:31'))
      .then([ended(2, at('09:31')), started(3, at('09:31'))]);
    given([...DAY, started(1, at('09:02')), started(2, at('09:02'))])
      .when(end(1, '10:00'))
      .then([ended(2, at('10:00')), ended(1, at('10:00'))]);
  });

  it('ends what the plan has before it in its room', () => {
    const clock = started(6, at('09:59'));
    given([...DAY, clock, started(1, at('09:00')), started(2, at('09:00'))])
      .when(start(4, '10:10'))
      .then([ended(1, at('10:10')), ended(2, at('10:10')), started(4, at('10:10'))]);
    // What is planned for the same time goes on.
    const all = activity(8, 'other-registration', ['08:00', '12:00']);
    given([...DAY, activitiesSet(all), started(8, at('08:00'))])
      .when(start(4, '10:10'))
      .then([started(4, at('10:10'))]);
  });

  it('goes back, step by step', () => {
    const running = [...DAY, started(1, at('09:00')), started(2, at('09:00'))];
    given([...running, ended(2, at('09:30'))])
      .when(undo(2, 'end'))
      .then([undone(2, 'end')]);
    given(running).when(undo(2, 'end')).thenNothing();
    given(running)
      .when(undo(1, 'start'))
      .then([undone(2, 'start'), undone(1, 'start')]);
    given(DAY).when(undo(1, 'start')).thenNothing();
    given([...running, ended(2, at('09:30')), ended(1, at('09:30'))])
      .when(undo(1, 'start'))
      .thenRefused('schedule');
    given(DAY).when(undo(99, 'start')).thenRefused('activity-not-found');
  });
});

describe('a delay', () => {
  it('is from the next activity of the room on, or from one that is named', () => {
    given(DAY)
      .when(late(20, '09:50'))
      .then([delayed(20, '10:00', '09:50')]);
    given([...DAY, delayed(60, '10:00', '09:50')])
      .when(late(75, '10:50'))
      .then([delayed(75, '10:00', '10:50')]);
    given([...DAY, started(1, at('09:00')), started(4, at('10:00'))])
      .when(late(20, '10:15'))
      .then([delayed(20, '11:00', '10:15')]);
    given(DAY)
      .when(late(15, '08:00', { from: 5 }))
      .then([delayed(15, '11:00', '08:00')]);
    given(DAY)
      .when(late(15, '08:00', { from: 6 }))
      .then([delayed(15, '10:00', '08:00', 2)]);
  });

  it('can be said of all rooms in which something comes on this day', () => {
    given(DAY)
      .when(late(20, '08:00', { roomId: null }))
      .then([delayed(20, '09:00', '08:00'), delayed(20, '10:00', '08:00', 2)]);
    given(DAY)
      .when(late(20, '10:30', { roomId: null }))
      .then([delayed(20, '11:00', '10:30')]);
    given(DAY)
      .when(late(20, '11:00', { roomId: null }))
      .thenRefused('schedule');
    given(DAY)
      .when(late(20, '10:30', { roomId: 2 }))
      .thenRefused('schedule');
  });

  it('is said once, until something else is known', () => {
    const said = [...DAY, delayed(20, '10:00', '10:15')];
    given(said).when(late(20, '10:16')).thenNothing();
    given(said)
      .when(late(20, '10:15', { from: 5 }))
      .thenNothing();
    given([...said, started(4, at('10:25'))])
      .when(late(20, '10:26', { from: 4 }))
      .then([delayed(20, '10:00', '10:26')]);
  });

  it('is taken back', () => {
    const said = [...DAY, delayed(20, '10:00', '10:15')];
    const back: ScheduleCommand = { type: 'UndoDelay', roomId: 1, at: at('10:15') };
    given(said)
      .when(back)
      .then([{ type: 'RoomDelayUndone', data: { roomId: 1, at: at('10:15') } }]);
    given(DAY).when(back).thenNothing();
    given(DAY)
      .when({ ...back, roomId: 9 })
      .thenRefused('room-not-found');
  });

  it('is of whole minutes, of a room that there is', () => {
    for (const minutes of [-1, 0.5, 721, Number.NaN])
      given(DAY).when(late(minutes, '08:00')).thenRefused('invalid-request', 'minutes');
    given(DAY)
      .when(late(5, '08:00', { roomId: 9 }))
      .thenRefused('room-not-found');
    given(DAY)
      .when(late(5, '08:00', { from: 99 }))
      .thenRefused('activity-not-found');
  });
});

/** `id start-end` of each activity, in Dublin's time. */
const expectedAfter = (events: readonly ScheduleEvent[]): readonly string[] => {
  const state = events.reduce(scheduleDecider.evolve, scheduleDecider.initialState);
  const timeZone = state.venues.get(1)?.timeZone ?? 'UTC';
  const clock = (instant: string): string => localTime(instant, timeZone).time;
  return [...expectedTimes(state)]
    .sort(([a], [b]) => a - b)
    .map(([id, times]) => `${id} ${clock(times.start)}-${clock(times.end)}`);
};

describe('what is expected', () => {
  const PLAN = [
    '1 10:00-11:00',
    '2 10:00-10:30',
    '3 10:30-11:00',
    '4 11:00-12:00',
    '5 12:00-13:00',
    '6 11:00-12:00',
  ];

  it('is the plan until something happens', () => {
    expect(expectedAfter(DAY)).toEqual(PLAN);
  });

  it('moves with a delay, in the room and on the day alone', () => {
    const tomorrow = activity(9, 'other-misc', ['09:00', '10:00'], {
      start: at('09:00', 14),
      end: at('10:00', 14),
    });
    expect(expectedAfter([...DAY, activitiesSet(tomorrow), delayed(20, '10:00', '09:50')])).toEqual([
      '1 10:00-11:20',
      '2 10:00-10:30',
      '3 10:30-11:20',
      '4 11:20-12:20',
      '5 12:20-13:20',
      '6 11:00-12:00',
      '9 10:00-11:00',
    ]);
  });

  it('moves with an activity that begins late, and back with one that ends in time', () => {
    const begun = [...DAY, started(1, at('09:12')), started(2, at('09:12'))];
    expect(expectedAfter(begun)).toEqual([
      '1 10:12-11:12',
      '2 10:12-10:42',
      '3 10:42-11:12',
      '4 11:12-12:12',
      '5 12:12-13:12',
      '6 11:00-12:00',
    ]);
    const over = [
      ...begun,
      ended(2, at('09:40')),
      started(3, at('09:40')),
      ended(3, at('10:03')),
      ended(1, at('10:03')),
    ];
    expect(expectedAfter(over)).toEqual([
      '1 10:12-11:03',
      '2 10:12-10:40',
      '3 10:40-11:03',
      '4 11:03-12:03',
      '5 12:03-13:03',
      '6 11:00-12:00',
    ]);
    expect(expectedAfter([...over, undone(1, 'end'), undone(3, 'end'), undone(3, 'start')])[4]).toBe(
      '5 12:10-13:10',
    );
  });

  it('is never before the plan', () => {
    const early = [...DAY, started(1, at('08:50')), ended(1, at('09:40'))];
    expect(expectedAfter(early).slice(3)).toEqual(['4 11:00-12:00', '5 12:00-13:00', '6 11:00-12:00']);
  });

  it('follows what was said last', () => {
    expect(expectedAfter([...DAY, delayed(30, '10:00', '09:00'), delayed(0, '11:00', '09:10')])[4]).toBe(
      '5 12:00-13:00',
    );
    expect(expectedAfter([...DAY, delayed(0, '11:00', '09:10'), delayed(30, '10:00', '09:20')])[4]).toBe(
      '5 12:30-13:30',
    );
    expect(
      expectedAfter([
        ...DAY,
        delayed(30, '10:00', '09:00'),
        { type: 'RoomDelayUndone', data: { roomId: 1, at: at('09:00') } },
      ]),
    ).toEqual(PLAN);
  });

  it('does not heed the end of what goes on beside others', () => {
    const all = activity(8, 'other-registration', ['08:00', '10:30']);
    const events = [...DAY, activitiesSet(all), started(8, at('08:00')), started(4, at('10:20'))];
    expect(expectedAfter([...events, ended(8, at('10:30'))])[4]).toBe('5 12:20-13:20');
  });

  it('never changes the order of what is to come', () => {
    const short = activity(9, 'other-misc', ['10:10', '10:20']);
    const events = [
      ...DAY,
      activitiesSet(short),
      delayed(30, '10:00', '09:00'),
      delayed(0, '10:10', '09:10'),
    ];
    expect(expectedAfter(events).filter((line) => /^[49]/.test(line))).toEqual([
      '4 11:30-12:00',
      '9 11:30-11:30',
    ]);
  });

  it('keeps to the day of a venue far from UTC, across midnight and the change of clocks', () => {
    const auckland: ScheduleEvent = { type: 'VenueSet', data: { ...VENUE, timeZone: 'Pacific/Auckland' } };
    const place = [...PLACES, auckland];
    // In June it is 12 hours ahead: 21:30 to 00:30 of one day, and 00:45 of the next.
    const night = activity(1, 'other-misc', ['09:30', '12:30']);
    const after = activity(2, 'other-dinner', ['12:45', '13:45']);
    expect(expectedAfter([...place, activitiesSet(night, after), started(1, at('09:50'))])).toEqual([
      '1 21:50-00:50',
      '2 00:45-01:45',
    ]);
    // On 27 September 2026 the clocks go from 02:00 to 03:00, at 14:00 UTC of the day before.
    const early = { start: '2026-09-26T13:30:00Z', end: '2026-09-26T14:30:00Z' };
    const later = { start: '2026-09-26T20:00:00Z', end: '2026-09-26T21:00:00Z' };
    const change = [
      { ...night, ...early },
      { ...after, ...later },
    ];
    expect(expectedAfter([...place, activitiesSet(...change)])).toEqual(['1 01:30-03:30', '2 09:00-10:00']);
    expect(expectedAfter([...place, activitiesSet(...change), started(1, '2026-09-26T13:50:00Z')])).toEqual([
      '1 01:50-03:50',
      '2 09:20-10:20',
    ]);
  });
});
