/** What goes on and what comes next, from a schedule and the time. */
import { describe, expect, it } from '@jest/globals';
import { nowAndNext } from '../../../../src/competition/schedule/now-and-next.js';
import { scheduleDecider } from '../../../../src/competition/schedule/schedule.decider.js';
import type { ScheduleEvent } from '../../../../src/competition/schedule/schedule.events.js';
import { scheduleView } from '../../../../src/competition/schedule/schedule-views.js';
import { at, DAY, ended, started } from '../../../support/schedule-world.js';

const shownAt = (time: string, ...events: readonly ScheduleEvent[]): object => {
  const state = [...DAY, ...events].reduce(scheduleDecider.evolve, scheduleDecider.initialState);
  const activities = scheduleView(state).venues[0]?.rooms[0]?.activities ?? [];
  const { now, groups, next, late } = nowAndNext(activities, at(time));
  const idOf = ({ activityId }: { readonly activityId: number }): number => activityId;
  return { now: now.map(idOf), groups: groups.map(idOf), next: next && idOf(next), late };
};

describe('without marks', () => {
  it.each([
    ['08:00', { now: [], groups: [], next: 1, late: 0 }],
    ['09:00', { now: [1], groups: [2], next: 4, late: 0 }],
    ['09:30', { now: [1], groups: [3], next: 4, late: 0 }],
    ['11:59', { now: [5], groups: [], next: null, late: 0 }],
    ['12:00', { now: [], groups: [], next: null, late: 0 }],
  ])('the clock says it at %s', (time, expected) => expect(shownAt(time)).toEqual(expected));

  it('a delay moves it', () => {
    const delay = { roomId: 1, from: at('10:00'), minutes: 20, at: at('09:50') };
    const delayed: ScheduleEvent = { type: 'RoomDelayed', data: delay };
    expect(shownAt('10:10', delayed)).toEqual({ now: [1], groups: [3], next: 4, late: 20 });
    expect(shownAt('10:20', delayed)).toEqual({ now: [4], groups: [], next: 5, late: 20 });
    expect(shownAt('11:30', delayed)).toEqual({ now: [5], groups: [], next: null, late: 20 });
  });
});

describe('with marks', () => {
  const begun = [started(1, at('09:10')), started(2, at('09:10'))];

  it('they say it, as long as nothing else is marked', () => {
    expect(shownAt('09:10', ...begun)).toEqual({ now: [1], groups: [2], next: 4, late: 10 });
    expect(shownAt('10:05', ...begun)).toEqual({ now: [1], groups: [2], next: 4, late: 10 });
    // The next activity should have begun, so it is late by then.
    expect(shownAt('10:25', ...begun)).toEqual({ now: [1], groups: [2], next: 4, late: 25 });
  });

  it('what has ended is over, and what was left out is not next', () => {
    const over = [...begun, ended(2, at('09:50')), ended(1, at('09:50'))];
    expect(shownAt('09:55', ...over)).toEqual({ now: [], groups: [], next: 4, late: 0 });
    expect(shownAt('11:20', ...over, started(5, at('11:05')))).toEqual({
      now: [5],
      groups: [],
      next: null,
      late: 5,
    });
  });

  it('those of the day before say nothing', () => {
    expect(shownAt('21:30', ...begun)).toEqual({ now: [], groups: [], next: null, late: 0 });
  });
});
