/** Whom a search finds among the competitors of a contest, and what is next for one of them. */
import { describe, expect, it } from '@jest/globals';
import type { AppointmentView } from '../../../src/competition/schedule/schedule.queries.js';
import { agendaAt, isMatch } from '../../../web/src/competitor-text.js';

const named = (number: number, name: string, localizedName: string | null = null) => ({
  number,
  person: { id: 1, name, localizedName, regionCode: null, assocId: null },
});

it.each([
  ['', true],
  ['  ', true],
  ['dvor', true],
  ['DVOŘÁK', true],
  ['ivan', false],
  ['12', true],
  ['1', false],
  ['家', true],
])('a search for “%s” finds Jan Dvořák with the number 12: %s', (search, isFound) => {
  expect(isMatch(named(12, 'Jan Dvořák', '家'), search)).toBe(isFound);
});

const at = (time: string): string => `2026-05-01T${time}:00Z`;

const appointment = (
  activityId: number,
  [from, until]: readonly [string, string],
  marks: Partial<AppointmentView> = {},
): AppointmentView => ({
  ...{ activityId, code: '333-r1', eventId: '333', roundNumber: 1, name: `Activity ${activityId}` },
  ...{ start: at(from), end: at(until), expectedStart: at(from), expectedEnd: at(until) },
  ...{ startedAt: null, endedAt: null, role: 'competitor', station: null },
  room: { roomId: 1, name: 'Stage', colour: '#000000' },
  venue: { venueId: 1, name: 'Hall', timeZone: 'UTC' },
  ...marks,
});

describe('the agenda of a competitor', () => {
  const morning = appointment(1, ['09:00', '10:00']);
  const noon = appointment(2, ['12:00', '13:00']);
  const alsoNoon = appointment(3, ['12:00', '12:30']);
  const plan = [morning, noon, alsoNoon];
  const idsAt = (time: string, appointments = plan) => {
    const { now, next } = agendaAt(appointments, at(time));
    return [[...now], [...next]].map((each) => each.map(({ activityId }) => activityId));
  };

  it.each([
    ['08:00', [[], [1]]],
    ['09:00', [[1], [2, 3]]],
    ['10:00', [[], [2, 3]]],
    ['12:00', [[2, 3], []]],
    ['12:45', [[2], []]],
    ['13:00', [[], []]],
  ])('at %s has %j now and next', (time, expected) => {
    expect(idsAt(time)).toEqual(expected);
  });

  it('follows the marks of the day before the clock', () => {
    const running = appointment(1, ['09:00', '10:00'], { startedAt: at('09:00') });
    const ended = appointment(1, ['09:00', '10:00'], { startedAt: at('09:00'), endedAt: at('09:20') });
    expect(idsAt('10:30', [running, noon])).toEqual([[1], [2]]);
    expect(idsAt('09:30', [ended, noon])).toEqual([[], [2]]);
  });
});
