/** Where the competitors of a round sit, as their score cards say it and in the order of the cards. */
import { describe, expect, it } from '@jest/globals';
import type { PersonView } from '../../../../src/competition/persons/person.queries.js';
import type { GroupView } from '../../../../src/competition/schedule/schedule.queries.js';
import { seated, seatsIn } from '../../../../src/competition/schedule/seats.js';

const person = (id: number): PersonView => ({
  id,
  name: `Person ${id}`,
  localizedName: null,
  assocId: null,
  regionCode: null,
});
const group = (
  code: string,
  roomName: string,
  ...persons: readonly (readonly [id: number, role: string, station: number | null])[]
): GroupView => ({
  activityId: 1,
  code,
  name: code,
  eventId: 'cube',
  roundNumber: 1,
  start: '2026-06-13T09:00:00Z',
  end: '2026-06-13T10:00:00Z',
  expectedStart: '2026-06-13T09:00:00Z',
  expectedEnd: '2026-06-13T10:00:00Z',
  startedAt: null,
  endedAt: null,
  room: { roomId: roomName.length, name: roomName, colour: '#ffffff' },
  venue: { venueId: 1, name: 'Hall', timeZone: 'UTC' },
  persons: persons.map(([id, role, station]) => ({ number: id, person: person(id), role, station })),
});
const textsOf = (...groups: readonly GroupView[]): unknown =>
  [...seatsIn(groups)].map(([id, { text }]) => [id, text]);

describe('the seats of a round', () => {
  it('are group and station, of competitors only', () => {
    const groups = [
      group('cube-r1-g1', 'A', [1, 'competitor', 4], [2, 'competitor', null], [3, 'staff-judge', 4]),
      group('cube-r1-g2', 'A', [3, 'competitor', 1]),
    ];
    expect(textsOf(...groups)).toEqual([
      [1, 'Group 1 · Station 4'],
      [2, 'Group 1'],
      [3, 'Group 2 · Station 1'],
    ]);
  });

  it('name the room where there are several, and say nothing where there is nothing to say', () => {
    const two = [
      group('cube-r1-g1', 'Hall', [1, 'competitor', 4]),
      group('cube-r1', 'Stage', [2, 'competitor', null]),
    ];
    expect(textsOf(...two)).toEqual([
      [1, 'Group 1 · Hall · Station 4'],
      [2, 'Stage'],
    ]);
    expect(textsOf(group('cube-r1', 'Hall', [1, 'competitor', null]))).toEqual([]);
  });

  it('of several attempts are those of the first', () => {
    const attempts = [
      group('cube-r1-g1-a1', 'A', [1, 'competitor', 4]),
      group('cube-r1-g2-a2', 'A', [1, 'competitor', 7]),
    ];
    expect(textsOf(...attempts)).toEqual([[1, 'Group 1 · Station 4']]);
  });

  it('order the cards: who has none comes last, and a team sits with its first member', () => {
    const seats = seatsIn([
      group('cube-r1-g1', 'A', [4, 'competitor', null], [2, 'competitor', null]),
      group('cube-r1-g2', 'A', [1, 'competitor', null]),
    ]);
    const teams = [[1], [3], [2, 1], [4]].map((ids) => ids.map(person));
    const ids = seated(teams, seats).map((team) => team.map(({ id }) => id));
    expect(ids).toEqual([[4], [2, 1], [1], [3]]);
  });
});
