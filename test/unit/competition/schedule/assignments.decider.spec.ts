/** Who is assigned to activities: by hand, and by the rule that fills the groups of a round. */
import { describe, expect, it } from '@jest/globals';
import type { AssignGroups, Unit } from '../../../../src/competition/schedule/assignments.decider.js';
import {
  type ScheduleCommand,
  scheduleDecider,
} from '../../../../src/competition/schedule/schedule.decider.js';
import type { AssignedPerson, ScheduleEvent } from '../../../../src/competition/schedule/schedule.events.js';
import { givenOf } from '../../../support/given-when-then.js';
import { activitiesSet, activity, assigned, DAY, PLACES } from '../../../support/schedule-world.js';

const given = givenOf(scheduleDecider);

/** One person, under ids of before too. */
const person = (...[personId, ...before]: readonly [number, ...number[]]) => ({
  personId,
  ids: [personId, ...before],
});
const assign = (
  activityId: number,
  persons: readonly number[],
  { role = 'competitor', station = null }: { role?: string; station?: number | null } = {},
): ScheduleCommand => ({
  type: 'Assign',
  activityId,
  role,
  station,
  persons: persons.map((id) => person(id)),
});
const unit = (...personIds: readonly number[]): Unit => personIds.map((id) => person(id));
const units = (...personIds: readonly number[]): readonly Unit[] => personIds.map((id) => unit(id));
const fill = (members: readonly Unit[], more: Partial<AssignGroups> = {}): AssignGroups => ({
  type: 'AssignGroups',
  code: 'cube-r1',
  units: members,
  stations: null,
  judges: false,
  ...more,
});

type Row = readonly [activityId: number, role: string, ...persons: (number | AssignedPerson)[]];

/** One event with several rows. */
const set = (...rows: readonly Row[]): ScheduleEvent => ({
  type: 'AssignmentsSet',
  data: {
    assignments: rows.map(([activityId, role, ...persons]) => ({
      activityId,
      role,
      persons: persons.map((each): AssignedPerson => (typeof each === 'number' ? [each, null] : each)),
    })),
  },
});

describe('assigning by hand', () => {
  it('adds persons to a role, each once', () => {
    given(DAY)
      .when(assign(2, [7, 8]))
      .then([assigned(2, 'competitor', 7, 8)]);
    given([...DAY, assigned(2, 'competitor', 7)])
      .when(assign(2, [7, 8]))
      .then([assigned(2, 'competitor', 7, 8)]);
    given([...DAY, assigned(2, 'competitor', 7)])
      .when(assign(2, [7]))
      .thenNothing();
  });

  it('moves a competitor from one group of the round to another', () => {
    given([...DAY, assigned(2, 'competitor', 7, 8), assigned(3, 'staff-judge', 7)])
      .when(assign(3, [7], { station: 4 }))
      .then([set([2, 'competitor', 8], [3, 'competitor', [7, 4]])]);
    // A competitor of a group is in no group of another attempt's.
    const attempts = [
      activity(1, 'cube-r1-a1', ['09:00', '10:00']),
      activity(2, 'cube-r1-a2', ['10:00', '11:00']),
    ];
    given([...PLACES, activitiesSet(...attempts), assigned(1, 'competitor', 7)])
      .when(assign(2, [7]))
      .then([assigned(2, 'competitor', 7)]);
  });

  it('leaves duties where they are, also at the same time', () => {
    given([...DAY, assigned(2, 'staff-judge', 7)])
      .when(assign(3, [7], { role: 'staff-judge' }))
      .then([assigned(3, 'staff-judge', 7)]);
  });

  it('gives a station, another one, and none', () => {
    given([...DAY, assigned(2, 'competitor', [7, 3], 8)])
      .when(assign(2, [7], { station: 5 }))
      .then([assigned(2, 'competitor', [7, 5], 8)]);
    given([...DAY, assigned(2, 'competitor', [7, 3], 8)])
      .when(assign(2, [7]))
      .then([assigned(2, 'competitor', 7, 8)]);
  });

  it('finds a merged person under an id of before', () => {
    const merged: ScheduleCommand = {
      type: 'Assign',
      activityId: 3,
      role: 'competitor',
      station: null,
      persons: [person(7, 4)],
    };
    given([...DAY, assigned(2, 'competitor', 4)])
      .when(merged)
      .then([set([2, 'competitor'], [3, 'competitor', 7])]);
    given([...DAY, assigned(3, 'competitor', 4)])
      .when(merged)
      .thenNothing();
    given([...DAY, assigned(3, 'competitor', 4), assigned(3, 'staff-judge', 7)])
      .when({ type: 'Unassign', activityId: 3, person: person(7, 4) })
      .then([set([3, 'competitor'], [3, 'staff-judge'])]);
  });

  it('refuses unknown roles, stations and activities', () => {
    given(DAY)
      .when(assign(2, [7], { role: 'judge' }))
      .thenRefused('invalid-request', 'role');
    given(DAY)
      .when(assign(2, [7], { role: 'staff-Judge' }))
      .thenRefused('invalid-request', 'role');
    given(DAY)
      .when(assign(2, [7], { station: 1_000 }))
      .thenRefused('invalid-request', 'station');
    given(DAY)
      .when(assign(99, [7]))
      .thenRefused('activity-not-found');
  });

  it('ends with taking persons out, one or all', () => {
    const events = [...DAY, assigned(2, 'competitor', 7, 8), assigned(2, 'staff-judge', 7, 9)];
    given(events)
      .when({ type: 'Unassign', activityId: 2, person: person(7) })
      .then([set([2, 'competitor', 8], [2, 'staff-judge', 9])]);
    given(events)
      .when({ type: 'Unassign', activityId: 3, person: person(7) })
      .thenNothing();
    given(events)
      .when({ type: 'ClearAssignments', code: 'cube-r1' })
      .then([set([2, 'competitor'], [2, 'staff-judge'])]);
    given(events).when({ type: 'ClearAssignments', code: 'clock-r1' }).thenNothing();
  });
});

describe('filling the groups of a round', () => {
  it('deals the competitors in turn, so that sizes differ by one at most', () => {
    given(DAY)
      .when(fill(units(11, 12, 13, 14, 15)))
      .then([set([2, 'competitor', 11, 13, 15], [3, 'competitor', 12, 14])]);
  });

  it('leaves who is in a group, and takes out who is not expected', () => {
    given([...DAY, assigned(3, 'competitor', 99, 13, 11)])
      .when(fill(units(11, 12, 13, 14, 15)))
      .then([set([2, 'competitor', 12, 14, 15], [3, 'competitor', 13, 11])]);
    given([...DAY, set([2, 'competitor', 11], [3, 'competitor', 12])])
      .when(fill(units(12, 11)))
      .thenNothing();
  });

  it('keeps a team together', () => {
    given(DAY)
      .when(fill([unit(11, 12), unit(13, 14), unit(15, 16)]))
      .then([set([2, 'competitor', 11, 12, 15, 16], [3, 'competitor', 13, 14])]);
    given([...DAY, assigned(3, 'competitor', 12)])
      .when(fill([unit(11, 12)]))
      .then([assigned(3, 'competitor', 12, 11)]);
  });

  it('gives free stations in each group, as far as there are some', () => {
    given([...DAY, assigned(2, 'competitor', [12, 1])])
      .when(fill(units(11, 12, 13, 14, 15, 16), { stations: 2 }))
      .then([set([2, 'competitor', [12, 1], [13, 2], 15], [3, 'competitor', [11, 1], [14, 2], 16])]);
    given(DAY)
      .when(fill(units(11), { stations: 0 }))
      .thenRefused('invalid-request', 'stations');
  });

  it('has each group judge the next one in its room, the last one the first', () => {
    const third = activity(7, 'cube-r1-g3', ['10:00', '10:30'], { parentId: 1 });
    given([...DAY, activitiesSet(third), assigned(2, 'staff-judge', 99)])
      .when(fill(units(11, 12, 13), { judges: true }))
      .then([
        set(
          [2, 'competitor', 11],
          [3, 'competitor', 12],
          [7, 'competitor', 13],
          [2, 'staff-judge', 13],
          [3, 'staff-judge', 11],
          [7, 'staff-judge', 12],
        ),
      ]);
    // Nobody judges the own group.
    given(DAY)
      .when(fill(units(11), { code: 'clock-r1', judges: true }))
      .then([assigned(6, 'competitor', 11)]);
  });

  it('fills the groups of all rooms, and a round without groups as one', () => {
    const stage = activity(7, 'cube-r1', ['09:00', '10:00'], { roomId: 2 });
    given([...DAY, activitiesSet(stage)])
      .when(fill(units(11, 12, 13)))
      .then([set([2, 'competitor', 11], [7, 'competitor', 12], [3, 'competitor', 13])]);
  });

  it('fills the groups of each attempt alike', () => {
    const attempts = [
      activity(1, 'cube-r1-a1', ['09:00', '10:00']),
      activity(2, 'cube-r1-g1-a1', ['09:00', '09:30'], { parentId: 1 }),
      activity(3, 'cube-r1-g2-a1', ['09:30', '10:00'], { parentId: 1 }),
      activity(4, 'cube-r1-a2', ['11:00', '12:00']),
    ];
    const events = [...PLACES, activitiesSet(...attempts)];
    given(events)
      .when(fill(units(11, 12)))
      .then([set([2, 'competitor', 11], [3, 'competitor', 12], [4, 'competitor', 11, 12])]);
    given(events)
      .when(fill(units(11, 12), { code: 'cube-r1-a2' }))
      .then([assigned(4, 'competitor', 11, 12)]);
  });

  it('needs an activity of the round', () => {
    given(DAY)
      .when(fill(units(11), { code: 'cube-r3' }))
      .thenRefused('schedule');
  });
});

it('counts the persons of all roles', () => {
  const state = [
    ...DAY,
    assigned(2, 'competitor', 7, 8),
    assigned(2, 'staff-judge', 7),
    assigned(2, 'competitor', 8),
    assigned(3, 'competitor', 7),
    assigned(3, 'competitor'),
  ].reduce(scheduleDecider.evolve, scheduleDecider.initialState);
  expect(state.assignmentCount).toBe(2);
  expect(state.assigned.toJS()).toEqual({ 2: { competitor: [[8, null]], 'staff-judge': [[7, null]] } });
});
