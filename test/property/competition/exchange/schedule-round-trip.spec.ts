/** A schedule written as WCIF and read back is the same, and comes in whole. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type {
  ContestFile,
  FilePerson,
  FileSchedule,
} from '../../../../src/competition/exchange/formats/contest-file.js';
import { writeWcif2 } from '../../../../src/competition/exchange/formats/wcif-2-writer.js';
import { readWcif } from '../../../../src/competition/exchange/formats/wcif-reader.js';
import { writeWcif } from '../../../../src/competition/exchange/formats/wcif-writer.js';
import { wholeSchedule } from '../../../../src/competition/exchange/importing/file-schedule.js';
import { scheduleDecider } from '../../../../src/competition/schedule/schedule.decider.js';
import { wholeView } from '../../../../src/competition/schedule/schedule-views.js';
import { instantOf } from '../../../../src/domain/time-zones.js';
import { propertyRuns } from '../../../support/property-runs.js';

const place = { file: 'made', line: null, column: null };
const PERSONS: readonly FilePerson[] = ['Ann', 'Bob', 'Cem', 'Dee'].map((name, index) => ({
  name,
  localizedName: null,
  assocId: null,
  regionCode: 'IE',
  ref: String(index + 1),
}));

const name = fc.stringMatching(/^[A-Za-zåßŁ金Ж",;\\ ]{1,40}$/).filter((text) => text.trim() !== '');
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);

const venue = (venueId: number) =>
  fc
    .record({
      name,
      address: optional(name),
      regionCode: fc.constantFrom(null, 'IE', 'JP'),
      degrees: optional(fc.tuple(fc.integer({ min: -9e7, max: 9e7 }), fc.integer({ min: -18e7, max: 18e7 }))),
      timeZone: fc.constantFrom('Europe/Dublin', 'Asia/Tokyo', 'America/St_Johns'),
    })
    .map(({ degrees, ...rest }) => ({
      venueId,
      ...rest,
      latitudeMicrodegrees: degrees?.[0] ?? null,
      longitudeMicrodegrees: degrees?.[1] ?? null,
      place,
    }));

const room = (roomId: number) =>
  fc.record({
    roomId: fc.constant(roomId),
    venueId: fc.integer({ min: 1, max: 2 }),
    name,
    colour: fc.stringMatching(/^#[0-9a-f]{6}$/),
    place: fc.constant(place),
  });

const times = fc
  .tuple(fc.nat({ max: 10_000 }), fc.integer({ min: 1, max: 1_000 }))
  .map(([start, minutes]) => ({
    start: instantOf(Date.UTC(2026, 2, 28) + start * 60_000),
    end: instantOf(Date.UTC(2026, 2, 28) + (start + minutes) * 60_000),
  }));

/** A round with groups, or something else, in a room of four. Ids go on from `first`. */
const activities = (first: number) =>
  fc
    .record({
      roomId: fc.integer({ min: 1, max: 4 }),
      whole: fc.constantFrom('333-r1', '444bf-r1-a2', 'other-lunch'),
      groups: fc.nat({ max: 3 }),
      names: fc.array(name, { minLength: 4, maxLength: 4 }),
      spans: fc.array(times, { minLength: 4, maxLength: 4 }),
    })
    .map(({ roomId, whole, groups, names, spans }) =>
      Array.from({ length: whole === 'other-lunch' ? 1 : groups + 1 }, (_, index) => ({
        activityId: first + index,
        roomId,
        parentId: index === 0 ? null : first,
        code: index === 0 ? whole : whole.replace('-r1', `-r1-g${index}`),
        name: names[index] ?? 'x',
        start: spans[index]?.start ?? '',
        end: spans[index]?.end ?? '',
        place,
      })),
    );

const schedule: fc.Arbitrary<FileSchedule> = fc
  .record({
    venues: fc.tuple(venue(1), venue(2)),
    rooms: fc.tuple(room(1), room(2), room(3), room(4)),
    activities: fc.tuple(activities(1), activities(11), activities(21)).map((each) => each.flat()),
  })
  .chain((parts) =>
    fc
      .uniqueArray(
        fc.record({
          person: fc.constantFrom(...PERSONS),
          activityId: fc.constantFrom(...parts.activities.map(({ activityId }) => activityId)),
          role: fc.constantFrom('competitor', 'staff-judge', 'staff-mascot'),
          station: optional(fc.integer({ min: 1, max: 999 })),
        }),
        { maxLength: 12, selector: ({ person, activityId, role }) => `${person.name} ${activityId} ${role}` },
      )
      .map((assignments) => ({ ...parts, assignments })),
  );

const contestWith = (made: FileSchedule): ContestFile => ({
  source: 'made',
  competitionId: 'Made',
  details: {
    name: 'Made',
    shortName: 'Made',
    type: 'competition',
    city: null,
    regionCode: null,
    venue: null,
    startDate: '2026-03-28',
    endDate: '2026-03-29',
  },
  organizers: [],
  competitors: PERSONS.map((person, index) => ({ person, number: index + 1, eventIds: ['333'], place })),
  events: [],
  rounds: [],
  opaque: null,
  schedule: made,
  notes: [],
  place,
});

const bare = <T extends object>(items: readonly (T & { readonly place?: unknown })[]): readonly object[] =>
  items.map(({ place: _, ...rest }) => rest);

/** What a schedule says: the order of its lists, and where it stood, say nothing. */
const said = ({ venues, rooms, activities: all, assignments }: FileSchedule): object => ({
  venues: bare(venues),
  rooms: bare([...rooms].sort((a, b) => a.roomId - b.roomId)),
  activities: bare([...all].sort((a, b) => a.activityId - b.activityId)),
  assignments: assignments.map(({ person, ...rest }) => JSON.stringify([person.name, rest])).sort(),
});

describe('a schedule', () => {
  it.each([
    ['1', writeWcif],
    ['2', writeWcif2],
  ])('is the same after WCIF %s', (_, write) => {
    fc.assert(
      fc.property(schedule, (made) => {
        const reading = readWcif('made', JSON.stringify(write(contestWith(made))));
        if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
        expect(reading.contest.notes).toEqual([]);
        expect(
          said(reading.contest.schedule ?? { venues: [], rooms: [], activities: [], assignments: [] }),
        ).toEqual(said(made));
      }),
      propertyRuns(60),
    );
  });

  it('of a file becomes the state of the stream, and that the same file', () => {
    fc.assert(
      fc.property(schedule, (made) => {
        const whole = wholeSchedule(made, ({ ref }) => Number(ref));
        const decision = scheduleDecider.decide(
          { type: 'ReplaceSchedule', ...whole },
          scheduleDecider.initialState,
        );
        if (!decision.ok) throw new Error(JSON.stringify(decision.rejection));
        const state = decision.events.reduce(scheduleDecider.evolve, scheduleDecider.initialState);
        const shown = wholeView(state, (personId) => ({
          number: personId,
          person: { id: personId, name: '', localizedName: null, assocId: null, regionCode: null },
        }));
        const placed = <T extends object>(items: readonly T[]) => items.map((item) => ({ ...item, place }));
        const again: FileSchedule = {
          venues: placed(shown.venues),
          rooms: placed(shown.rooms),
          activities: placed(shown.activities),
          assignments: shown.assignments.map(({ person: { id }, ...rest }) => ({
            ...rest,
            person: PERSONS[id - 1] ?? {
              name: '?',
              localizedName: null,
              assocId: null,
              regionCode: null,
              ref: null,
            },
          })),
        };
        expect(said(again)).toEqual(said(made));
      }),
      propertyRuns(60),
    );
  });
});
