/** The schedule of a WCIF: what is read, what is left aside, and the place of each fault. */
import { describe, expect, it } from '@jest/globals';
import type { FileSchedule } from '../../../../src/competition/exchange/formats/contest-file.js';
import { readWcif } from '../../../../src/competition/exchange/formats/wcif-reader.js';
import { contestOf, faultsOf } from './folders.js';

const competitor = (registrantId: number, name: string, more: object = {}): object => ({
  registrantId,
  name,
  countryIso2: 'IE',
  registration: { status: 'accepted', isCompeting: true, eventIds: ['333'] },
  ...more,
});
const activity = (id: number, activityCode: string, more: object = {}): object => ({
  id,
  name: `Name ${id}`,
  activityCode,
  startTime: '2026-06-13T09:00:00Z',
  endTime: '2026-06-13T10:00:00.000Z',
  childActivities: [],
  scrambleSetId: null,
  extensions: [],
  ...more,
});
const room = (activities: readonly object[], more: object = {}): object => ({
  id: 1,
  name: 'Main stage',
  color: '#304A96',
  activities,
  extensions: [],
  ...more,
});
const venue = (rooms: readonly object[], more: object = {}): object => ({
  id: 1,
  name: 'Town Hall',
  latitudeMicrodegrees: 51_898_500,
  longitudeMicrodegrees: -8_475_600,
  countryIso2: 'IE',
  timezone: 'Europe/Dublin',
  rooms,
  extensions: [],
  ...more,
});

const wcif = (
  venues: readonly object[],
  { persons = [], formatVersion = '1.1' }: { persons?: readonly object[]; formatVersion?: string } = {},
): string =>
  JSON.stringify(
    {
      formatVersion,
      id: 'CorkOpen2026',
      name: 'Cork Open 2026',
      persons,
      events: [{ id: '333', rounds: [{ id: '333-r1', format: 'a', results: [] }] }],
      schedule: { startDate: '2026-06-13', numberOfDays: 1, venues },
    },
    null,
    1,
  );

const scheduleOf = (...given: Parameters<typeof wcif>): FileSchedule | undefined =>
  contestOf(readWcif('wcif.json', wcif(...given))).schedule;
const notesOf = (...given: Parameters<typeof wcif>): readonly string[] =>
  contestOf(readWcif('wcif.json', wcif(...given))).notes.map(({ reason }) => reason);

const groups = [activity(2, '333-r1-g1'), activity(3, '333-r1-g2')];

describe.each(['1.1', '2.0'])('a schedule of version %s', (formatVersion) => {
  it('has venues, rooms, activities with their parts, and assignments', () => {
    const venues = [
      venue([room([activity(1, '333-r1', { childActivities: groups }), activity(4, 'other-lunch')])]),
    ];
    const assignments = [
      { activityId: 2, assignmentCode: 'competitor', stationNumber: 5 },
      { activityId: 3, assignmentCode: 'staff-judge', stationNumber: null },
      { activityId: 4, assignmentCode: 'staff-mascot' },
    ];
    const schedule = scheduleOf(venues, { formatVersion, persons: [competitor(7, 'Ann', { assignments })] });
    const times = { start: '2026-06-13T09:00:00Z', end: '2026-06-13T10:00:00Z' };
    expect(schedule).toMatchObject({
      venues: [
        {
          venueId: 1,
          name: 'Town Hall',
          address: null,
          regionCode: 'IE',
          latitudeMicrodegrees: 51_898_500,
          longitudeMicrodegrees: -8_475_600,
          timeZone: 'Europe/Dublin',
        },
      ],
      rooms: [{ roomId: 1, venueId: 1, name: 'Main stage', colour: '#304a96' }],
      activities: [
        { activityId: 1, roomId: 1, parentId: null, code: '333-r1', name: 'Name 1', ...times },
        { activityId: 2, roomId: 1, parentId: 1, code: '333-r1-g1', ...times },
        { activityId: 3, roomId: 1, parentId: 1, code: '333-r1-g2', ...times },
        { activityId: 4, roomId: 1, parentId: null, code: 'other-lunch', ...times },
      ],
    });
    expect(schedule?.assignments.map(({ person, ...rest }) => [person.name, ...Object.values(rest)])).toEqual(
      [
        ['Ann', 2, 'competitor', 5],
        ['Ann', 3, 'staff-judge', null],
        ['Ann', 4, 'staff-mascot', null],
      ],
    );
  });
});

describe('what a schedule lacks', () => {
  it('is filled in where that does no harm', () => {
    const bare = scheduleOf([
      venue([room([activity(1, '333-r1', { name: ' ' })], { name: '', color: 'fa0' })], {
        name: null,
        countryIso2: 'IE',
        latitudeMicrodegrees: null,
      }),
    ]);
    expect(bare).toMatchObject({
      venues: [{ name: 'Venue 1', latitudeMicrodegrees: null, longitudeMicrodegrees: null }],
      rooms: [{ name: 'Room 1', colour: '#ffaa00' }],
      activities: [{ name: '333-r1' }],
    });
  });

  it('leaves aside activities, rooms and venues that only say on which day a round is', () => {
    const undated = activity(1, '333-r1', { endTime: undefined });
    expect(scheduleOf([venue([room([undated])])])?.activities).toEqual([]);
    expect(scheduleOf([venue([room([activity(1, '333-r1')], { id: null })])])?.rooms).toEqual([]);
    expect(scheduleOf([venue([room([activity(1, '333-r1')])], { id: undefined })])).toBeUndefined();
    expect(scheduleOf([])).toBeUndefined();
  });

  it('is noted for assignments that cannot be read', () => {
    const assigned = (...assignments: readonly object[]): object => ({ assignments });
    const one = { activityId: 1, assignmentCode: 'competitor', stationNumber: 0 };
    const venues = [venue([room([activity(1, '333-r1')])])];
    const persons = [
      competitor(7, 'Ann', assigned(one, { ...one, activityId: 9 }, { ...one, assignmentCode: 'judge' })),
      { name: 'Della', registrantId: null, ...assigned({ ...one, assignmentCode: 'staff-delegate' }) },
    ];
    expect(scheduleOf(venues, { persons })?.assignments).toMatchObject([{ activityId: 1, station: null }]);
    expect(notesOf(venues, { persons })).toEqual([
      'an assignment to activity 9 is not read: there is no such activity',
      'the assignment “judge” is not read: it is competitor or begins with staff-',
      'the assignments of Della are not read: no registered competitor',
    ]);
  });
});

describe('a fault', () => {
  it.each([
    ['an unknown time zone', [venue([], { timezone: 'Mars/Base' })], 'no time zone'],
    [
      'a time that is none',
      [venue([room([activity(1, '333-r1', { endTime: 'noon' })])])],
      'a time looks like',
    ],
    ['an id that is none', [venue([room([activity(1, '333-r1', { id: 'x' })])])], 'must be a whole number'],
    ['a place that is none', [venue([], { latitudeMicrodegrees: 'north' })], 'must be a whole number'],
  ])('%s is told with its place', (_, venues, reason) => {
    expect(faultsOf(readWcif('wcif.json', wcif(venues)))).toEqual([
      {
        file: 'wcif.json',
        line: expect.any(Number),
        column: expect.any(Number),
        reason: expect.stringContaining(reason),
      },
    ]);
  });
});
