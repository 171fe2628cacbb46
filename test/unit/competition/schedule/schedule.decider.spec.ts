/** The plan of a schedule: what each command sets, moves, splits, removes and refuses. */
import { describe, expect, it } from '@jest/globals';
import {
  type ScheduleCommand,
  scheduleDecider,
} from '../../../../src/competition/schedule/schedule.decider.js';
import type { Activity, Room, Venue } from '../../../../src/competition/schedule/schedule.events.js';
import {
  MAX_ACTIVITIES,
  MAX_ROOMS,
  MAX_VENUES,
} from '../../../../src/competition/schedule/schedule-rules.js';
import { givenOf } from '../../../support/given-when-then.js';
import {
  ACTIVITIES,
  activitiesSet,
  activity,
  assigned,
  at,
  CLOCK,
  DAY,
  FINAL,
  GROUP_1,
  GROUP_2,
  LUNCH,
  MAIN,
  PLACES,
  ROUND,
  SIDE,
  started,
  VENUE,
} from '../../../support/schedule-world.js';

const given = givenOf(scheduleDecider);

const setVenue = (venueId: number | null, change: Partial<Venue> = {}): ScheduleCommand => {
  const { venueId: _, ...venue } = { ...VENUE, ...change };
  return { type: 'SetVenue', venueId, venue };
};
const setRoom = (roomId: number | null, change: Partial<Room> = {}): ScheduleCommand => {
  const { roomId: _, ...room } = { ...MAIN, ...change };
  return { type: 'SetRoom', roomId, room };
};
const setActivity = (
  { activityId: _, ...fields }: Activity,
  activityId: number | null = null,
): ScheduleCommand => ({
  type: 'SetActivity',
  activityId,
  ...fields,
  planned: new Set(['cube-r1', 'cube-r2', 'clock-r1']),
});
const split = (activityId: number, groups: number): ScheduleCommand => ({
  type: 'SplitActivity',
  activityId,
  groups,
});

describe('a venue', () => {
  it('is added once, changed, and removed without its rooms', () => {
    given([])
      .when(setVenue(null))
      .then([{ type: 'VenueSet', data: VENUE }]);
    given(PLACES).when(setVenue(null)).thenNothing();
    given(PLACES)
      .when(setVenue(null, { name: 'Other' }))
      .then([{ type: 'VenueSet', data: { ...VENUE, venueId: 2, name: 'Other' } }]);
    given(PLACES)
      .when(setVenue(1, { timeZone: 'Asia/Tokyo' }))
      .then([{ type: 'VenueSet', data: { ...VENUE, timeZone: 'Asia/Tokyo' } }]);
    given(PLACES).when(setVenue(1)).thenNothing();
    given(PLACES).when(setVenue(7)).thenRefused('venue-not-found');
    given(PLACES).when({ type: 'RemoveVenue', venueId: 1 }).thenRefused('schedule');
    given(PLACES.slice(0, 1))
      .when({ type: 'RemoveVenue', venueId: 1 })
      .then([{ type: 'VenueRemoved', data: { venueId: 1 } }]);
    given([]).when({ type: 'RemoveVenue', venueId: 1 }).thenNothing();
  });

  it('never gets the id of one that was removed', () => {
    given([PLACES[0] ?? { type: 'VenueSet', data: VENUE }, { type: 'VenueRemoved', data: { venueId: 1 } }])
      .when(setVenue(null))
      .then([{ type: 'VenueSet', data: { ...VENUE, venueId: 2 } }]);
  });

  it('has a time zone, a place on earth and texts that can be shown', () => {
    given([])
      .when(
        setVenue(null, {
          name: ' ',
          address: 'a\u0000',
          regionCode: 'XX',
          latitudeMicrodegrees: 90_000_001,
          longitudeMicrodegrees: null,
          timeZone: 'Mars/Base',
        }),
      )
      .thenRefused(
        'invalid-request',
        'name',
        'address',
        'regionCode',
        'latitudeMicrodegrees',
        'longitudeMicrodegrees',
        'timeZone',
      );
    given([])
      .when(setVenue(null, { timeZone: '+01:00' }))
      .thenRefused('invalid-request', 'timeZone');
  });

  it(`is one of ${MAX_VENUES} at most`, () => {
    const venues = Array.from({ length: MAX_VENUES }, (_, index) => ({
      type: 'VenueSet' as const,
      data: { ...VENUE, venueId: index + 1 },
    }));
    given(venues)
      .when(setVenue(null, { name: 'Other' }))
      .thenRefused('schedule');
  });
});

describe('a room', () => {
  it('is added to a venue, changed, and removed without its activities', () => {
    given(PLACES.slice(0, 1))
      .when(setRoom(null))
      .then([{ type: 'RoomSet', data: MAIN }]);
    given(PLACES).when(setRoom(null)).thenNothing();
    given(PLACES)
      .when(setRoom(2, { name: 'Red' }))
      .then([{ type: 'RoomSet', data: { ...MAIN, roomId: 2, name: 'Red' } }]);
    given(PLACES)
      .when(setRoom(null, { venueId: 9 }))
      .thenRefused('venue-not-found');
    given(PLACES).when(setRoom(9)).thenRefused('room-not-found');
    given(PLACES)
      .when(setRoom(null, { colour: 'red', name: '' }))
      .thenRefused('invalid-request', 'name', 'colour');
    given(DAY).when({ type: 'RemoveRoom', roomId: 2 }).thenRefused('schedule');
    given(PLACES)
      .when({ type: 'RemoveRoom', roomId: 2 })
      .then([{ type: 'RoomRemoved', data: { roomId: 2 } }]);
  });

  it(`is one of ${MAX_ROOMS} at most`, () => {
    const rooms = Array.from({ length: MAX_ROOMS }, (_, index) => ({
      type: 'RoomSet' as const,
      data: { ...MAIN, roomId: index + 1 },
    }));
    given([...PLACES.slice(0, 1), ...rooms])
      .when(setRoom(null, { name: 'Other' }))
      .thenRefused('schedule');
  });
});

describe('an activity', () => {
  it('is added to a room, with its times in UTC', () => {
    const local = { ...ROUND, start: '2026-06-13T10:00:00.500+01:00', end: '2026-06-13T10:00Z' };
    given(PLACES)
      .when(setActivity(local))
      .then([activitiesSet(ROUND)]);
    given(DAY).when(setActivity(ROUND)).thenNothing();
  });

  it('belongs to a planned round, or to none', () => {
    given(PLACES)
      .when(setActivity({ ...ROUND, code: 'other-awards' }))
      .then([activitiesSet({ ...ROUND, code: 'other-awards' })]);
    given(PLACES)
      .when(setActivity({ ...ROUND, code: 'cube-r3' }))
      .thenRefused('round-not-found');
    // A round that was removed from the plan later leaves its activity as it is.
    const stale = activity(9, 'cube-r3', ['13:00', '14:00']);
    given([...DAY, activitiesSet(stale)])
      .when(setActivity({ ...stale, name: 'Cancelled' }, 9))
      .then([activitiesSet({ ...stale, name: 'Cancelled' })]);
  });

  it('is refused with every wrong field', () => {
    given(PLACES)
      .when(setActivity({ ...ROUND, code: 'a b', name: '', start: '2026-02-30T09:00:00Z', end: 'noon' }))
      .thenRefused('invalid-request', 'code', 'name', 'start', 'end');
    given(PLACES)
      .when(setActivity({ ...ROUND, end: ROUND.start }))
      .thenRefused('invalid-request', 'end');
    given(PLACES)
      .when(setActivity({ ...ROUND, end: at('10:00', 21) }))
      .thenRefused('invalid-request', 'end');
    given(PLACES)
      .when(setActivity({ ...ROUND, roomId: 9 }))
      .thenRefused('room-not-found');
    given(DAY).when(setActivity(ROUND, 99)).thenRefused('activity-not-found');
  });

  it('takes its parts along to another time and room', () => {
    given(DAY)
      .when(setActivity({ ...ROUND, start: at('09:15'), end: at('10:30'), roomId: 2 }, 1))
      .then([
        activitiesSet(
          { ...ROUND, start: at('09:15'), end: at('10:30'), roomId: 2 },
          { ...GROUP_1, start: at('09:15'), end: at('09:45'), roomId: 2 },
          { ...GROUP_2, start: at('09:45'), end: at('10:15'), roomId: 2 },
        ),
      ]);
    given(DAY)
      .when(setActivity({ ...ROUND, name: 'Renamed' }, 1))
      .then([activitiesSet({ ...ROUND, name: 'Renamed' })]);
  });

  it('can be a part of another one, in its room, whose code it completes', () => {
    const group = activity(7, 'cube-r1-g3', ['10:00', '10:20'], { parentId: 1 });
    given(DAY)
      .when(setActivity({ ...group, roomId: 2 }))
      .then([activitiesSet(group)]);
    given(DAY)
      .when(setActivity({ ...group, code: 'cube-r1' }))
      .thenRefused('invalid-request', 'code');
    given(DAY)
      .when(setActivity({ ...group, code: 'cube-r2-g1' }))
      .thenRefused('invalid-request', 'code');
    given(DAY)
      .when(setActivity({ ...group, parentId: 99 }))
      .thenRefused('activity-not-found');
  });

  it('is no part of itself, and at most the third level', () => {
    const attempt = activity(7, 'cube-r1-g1-a1', ['09:00', '09:10'], { parentId: 2 });
    const deep = [...DAY, activitiesSet(attempt)];
    given(DAY)
      .when(setActivity(attempt))
      .then([activitiesSet(attempt)]);
    given(deep)
      .when(setActivity({ ...ROUND, code: 'cube-r1-g1-a1', parentId: 2 }, 1))
      .thenRefused('schedule');
    given(deep)
      .when(setActivity({ ...GROUP_1, code: 'cube-r1-g2-a3', parentId: 3 }, 2))
      .thenRefused('schedule');
  });

  it('is removed with its parts and their persons', () => {
    const events = [...DAY, assigned(2, 'competitor', 7, 8), assigned(4, 'staff-judge', 7)];
    given(events)
      .when({ type: 'RemoveActivity', activityId: 1 })
      .then([{ type: 'ActivitiesRemoved', data: { activityIds: [1, 2, 3] } }]);
    const state = [
      ...events,
      { type: 'ActivitiesRemoved', data: { activityIds: [1, 2, 3] } } as const,
    ].reduce(scheduleDecider.evolve, scheduleDecider.initialState);
    expect(state.assigned.toJS()).toEqual({ 4: { 'staff-judge': [[7, null]] } });
    expect(state.assignmentCount).toBe(1);
    given(DAY).when({ type: 'RemoveActivity', activityId: 99 }).thenNothing();
  });

  it(`is one of ${MAX_ACTIVITIES} at most`, () => {
    const many = Array.from({ length: MAX_ACTIVITIES }, (_, index) =>
      activity(index + 1, 'other-misc', ['09:00', '10:00']),
    );
    given([...PLACES, activitiesSet(...many)])
      .when(setActivity(activity(1, 'other-lunch', ['09:00', '10:00'])))
      .thenRefused('schedule');
  });
});

describe('groups', () => {
  it('divide the time of a round evenly, in whole minutes', () => {
    const group = (id: number, number: number, times: readonly [string, string]) =>
      activity(id, `clock-r1-g${number}`, times, {
        parentId: 6,
        roomId: SIDE.roomId,
        name: `Name of clock-r1, Group ${number}`,
      });
    given([...PLACES, activitiesSet({ ...CLOCK, end: at('10:50') })])
      .when(split(6, 3))
      .then([
        activitiesSet(
          group(7, 1, ['10:00', '10:16']),
          group(8, 2, ['10:16', '10:33']),
          group(9, 3, ['10:33', '10:50']),
        ),
      ]);
  });

  it('that are there keep their ids and names, those beyond are removed', () => {
    given(DAY)
      .when(split(1, 3))
      .then([
        activitiesSet(
          { ...GROUP_1, end: at('09:20') },
          { ...GROUP_2, start: at('09:20'), end: at('09:40') },
          activity(7, 'cube-r1-g3', ['09:40', '10:00'], { parentId: 1, name: 'Name of cube-r1, Group 3' }),
        ),
      ]);
    given(DAY)
      .when(split(1, 1))
      .then([
        { type: 'ActivitiesRemoved', data: { activityIds: [3] } },
        activitiesSet({ ...GROUP_1, end: at('10:00') }),
      ]);
    given(DAY)
      .when(split(1, 0))
      .then([{ type: 'ActivitiesRemoved', data: { activityIds: [2, 3] } }]);
    given(DAY).when(split(1, 2)).thenNothing();
  });

  it('with the number of another one are removed, and the first stays', () => {
    const twice = [...DAY, activitiesSet({ ...GROUP_2, activityId: 8, code: GROUP_1.code })];
    given(twice)
      .when(split(1, 2))
      .then([{ type: 'ActivitiesRemoved', data: { activityIds: [8] } }]);
    given(twice)
      .when(split(1, 0))
      .then([{ type: 'ActivitiesRemoved', data: { activityIds: [2, 3, 8] } }]);
  });

  it('of an attempt are named before it', () => {
    const attempt = activity(1, 'cube-r1-a2', ['09:00', '10:00']);
    const codes = ['cube-r1-g1-a2', 'cube-r1-g2-a2'];
    const state = [...PLACES, activitiesSet(attempt)].reduce(
      scheduleDecider.evolve,
      scheduleDecider.initialState,
    );
    const decision = scheduleDecider.decide(split(1, 2), state);
    expect(decision).toMatchObject({
      ok: true,
      events: [{ data: { activities: codes.map((code) => ({ code })) } }],
    });
  });

  it('are those of a round, no more than it has minutes', () => {
    given(DAY).when(split(4, 2)).thenRefused('schedule');
    given(DAY).when(split(2, 2)).thenRefused('schedule');
    given(DAY).when(split(99, 2)).thenRefused('activity-not-found');
    given(DAY).when(split(1, 61)).thenRefused('invalid-request', 'groups');
    given(DAY).when(split(1, 1.5)).thenRefused('invalid-request', 'groups');
  });
});

describe('a whole schedule', () => {
  const whole = {
    type: 'ReplaceSchedule',
    venues: [VENUE],
    rooms: [MAIN, SIDE],
    activities: ACTIVITIES,
    assignments: [{ activityId: 2, role: 'competitor', persons: [[7, null]] }],
  } as const satisfies ScheduleCommand;

  it('comes in as few events, and again as none', () => {
    const events = [...DAY, assigned(2, 'competitor', 7)];
    given([]).when(whole).then(events);
    given(events).when(whole).thenNothing();
  });

  it('replaces another one, and keeps what happened on the day', () => {
    const others = [
      ...DAY,
      assigned(2, 'competitor', 8),
      assigned(3, 'staff-judge', 7),
      activitiesSet(activity(9, 'other-dinner', ['18:00', '19:00']), { ...FINAL, name: 'Old name' }),
      started(1, at('09:05')),
    ];
    given(others)
      .when(whole)
      .then([
        { type: 'ActivitiesRemoved', data: { activityIds: [9] } },
        activitiesSet(FINAL),
        {
          type: 'AssignmentsSet',
          data: {
            assignments: [
              { activityId: 3, role: 'staff-judge', persons: [] },
              { activityId: 2, role: 'competitor', persons: [[7, null]] },
            ],
          },
        },
      ]);
    given(others)
      .when({ ...whole, venues: [], rooms: [], activities: [], assignments: [] })
      .then([
        { type: 'ActivitiesRemoved', data: { activityIds: [1, 2, 3, 4, 5, 6, 9] } },
        { type: 'RoomRemoved', data: { roomId: 1 } },
        { type: 'RoomRemoved', data: { roomId: 2 } },
        { type: 'VenueRemoved', data: { venueId: 1 } },
      ]);
  });

  it('is refused whole, with the place of each fault', () => {
    given([])
      .when({
        ...whole,
        venues: [VENUE, VENUE],
        rooms: [MAIN, { ...SIDE, venueId: 9 }],
        activities: [ROUND, { ...GROUP_1, parentId: 99 }, { ...LUNCH, activityId: 0 }],
        assignments: [
          { activityId: 1, role: 'judge', persons: [[7, 0]] },
          {
            activityId: 77,
            role: 'competitor',
            persons: [
              [7, null],
              [7, 1],
            ],
          },
        ],
      })
      .thenRefused(
        'invalid-request',
        'venues[1]',
        'rooms[1].venueId',
        'activities[1].parentId',
        'activities[2].id',
        'assignments[0].role',
        'assignments[0].station',
        'assignments[1].persons',
        'assignments[1].activityId',
      );
    const nested = [1, 2, 3, 4].map((id) =>
      activity(id, 'other-misc', ['09:00', '10:00'], { parentId: id === 1 ? null : id - 1 }),
    );
    given([])
      .when({ ...whole, activities: nested, assignments: [] })
      .thenRefused('invalid-request', 'activities[3].parentId');
    const circle = [activity(1, 'other-misc', ['09:00', '10:00'], { parentId: 1 })];
    given([])
      .when({ ...whole, activities: circle, assignments: [] })
      .thenRefused('invalid-request', 'activities[0].parentId');
  });
});
