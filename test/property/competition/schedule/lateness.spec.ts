/** Laws of the times that are expected, whatever happens on the day. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { expectedTimes } from '../../../../src/competition/schedule/expected-times.js';
import { scheduleDecider } from '../../../../src/competition/schedule/schedule.decider.js';
import type { ActivityState, ScheduleState } from '../../../../src/competition/schedule/schedule.events.js';
import { dateIn, minutesBetween, plusMinutes } from '../../../../src/domain/time-zones.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { scheduleHistory } from '../../../support/schedule-commands.js';

const after = (commands: Parameters<typeof scheduleDecider.decide>[0][]): ScheduleState =>
  commands.reduce((state, command) => {
    const decision = scheduleDecider.decide(command, state);
    return decision.ok ? decision.events.reduce(scheduleDecider.evolve, state) : state;
  }, scheduleDecider.initialState);

const histories = scheduleHistory.map((commands) => after([...commands]));

/** The day of the whole of which the activity is a part. */
const dayOf = (state: ScheduleState, activity: ActivityState): string => {
  let whole = activity;
  for (;;) {
    const parent = whole.parentId === null ? undefined : state.activities.get(whole.parentId);
    if (parent === undefined) break;
    whole = parent;
  }
  const venueId = state.rooms.get(activity.roomId)?.venueId ?? 0;
  return `${activity.roomId} ${dateIn(state.venues.get(venueId)?.timeZone ?? 'UTC', whole.start)}`;
};

describe('the times that are expected', () => {
  it('keep the planned order of what has not begun, in each room on each day', () => {
    fc.assert(
      fc.property(histories, (state) => {
        const expected = expectedTimes(state);
        const waiting = [...state.activities.values()].filter(({ startedAt }) => startedAt === null);
        for (const a of waiting) {
          for (const b of waiting) {
            if (a.start >= b.start || dayOf(state, a) !== dayOf(state, b)) continue;
            const [first, second] = [expected.get(a.activityId), expected.get(b.activityId)];
            expect(String(first?.start) <= String(second?.start)).toBe(true);
          }
        }
      }),
      propertyRuns(300),
    );
  });

  it('are never before the plan, and never end before they begin', () => {
    fc.assert(
      fc.property(histories, (state) => {
        const expected = expectedTimes(state);
        expect(expected.size).toBe(state.activities.size);
        for (const { activityId, start, startedAt, endedAt } of state.activities.values()) {
          const times = expected.get(activityId);
          if (startedAt === null) expect(String(times?.start) >= start).toBe(true);
          else expect(times?.start).toBe(startedAt);
          if (endedAt === null) expect(String(times?.end) >= String(times?.start)).toBe(true);
          else expect(times?.end).toBe(endedAt);
        }
      }),
      propertyRuns(300),
    );
  });

  it('are the plan and the minutes that were said, where nothing is marked', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 0, max: 90 }), fc.nat(), (before, minutes, pick) => {
        const unmarked = [...before.activities.keys()].reduce(
          (state, activityId) =>
            (['end', 'start'] as const).reduce((each, step) => {
              const decision = scheduleDecider.decide({ type: 'UndoStep', activityId, step }, each);
              return decision.ok ? decision.events.reduce(scheduleDecider.evolve, each) : each;
            }, state),
          before,
        );
        const rooms = unmarked.rooms.map((room) => ({ ...room, delays: [] }));
        const chosen = [...unmarked.activities.values()][pick % Math.max(1, unmarked.activities.size)];
        fc.pre(chosen !== undefined);
        const { activityId: from, roomId, start } = chosen;
        const at = '2026-10-24T10:00:00Z';
        const state = { ...unmarked, rooms };
        const said = scheduleDecider.decide({ type: 'DelayRooms', roomId: null, from, minutes, at }, state);
        const late = said.ok ? said.events.reduce(scheduleDecider.evolve, state) : state;
        const day = dateIn(late.venues.get(late.rooms.get(roomId)?.venueId ?? 0)?.timeZone ?? 'UTC', start);
        const expected = expectedTimes(late);
        for (const activity of late.activities.values()) {
          const isLate = activity.start >= start && dayOf(late, activity) === `${roomId} ${day}`;
          expect(expected.get(activity.activityId)?.start).toBe(
            plusMinutes(activity.start, isLate ? minutes : 0),
          );
          const shift = minutesBetween(activity.end, String(expected.get(activity.activityId)?.end));
          expect([0, minutes]).toContain(shift);
        }
      }),
      propertyRuns(200),
    );
  });
});
