/** Instants, and local times with their changes of the clock. */
import { describe, expect, it } from '@jest/globals';
import {
  dateIn,
  instantIn,
  isTimeZone,
  localTime,
  minutesBetween,
  parseInstant,
  plusMinutes,
} from '../../../src/domain/time-zones.js';

describe('an instant', () => {
  it.each([
    ['2026-04-11T09:00:00Z', '2026-04-11T09:00:00Z'],
    ['2026-04-11T09:00:00.999Z', '2026-04-11T09:00:00Z'],
    ['2026-04-11T09:00Z', '2026-04-11T09:00:00Z'],
    ['2026-04-11T00:30:00+01:00', '2026-04-10T23:30:00Z'],
    ['2026-04-11T09:00:00-05:30', '2026-04-11T14:30:00Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['2026-02-29T00:00:00Z', null],
    ['2026-04-31T00:00:00Z', null],
    ['2026-04-11T09:00:00', null],
    ['2026-04-11', null],
    ['0000-01-01T00:00:00Z', null],
    ['noon', null],
    ['', null],
  ])('%s is read as %s', (text, instant) => expect(parseInstant(text)).toBe(instant));

  it('is so many minutes before another one, rounded down', () => {
    expect(minutesBetween('2026-04-11T09:00:00Z', '2026-04-11T09:19:59Z')).toBe(19);
    expect(minutesBetween('2026-04-11T09:00:30Z', '2026-04-11T09:00:00Z')).toBe(-1);
    expect(plusMinutes('2026-12-31T23:50:30Z', 20)).toBe('2027-01-01T00:10:30Z');
  });
});

it('knows the time zones of the IANA database', () => {
  const zones = ['Europe/Dublin', 'UTC', 'America/Argentina/Buenos_Aires', 'Mars/Base', '', '+01:00', 'X'];
  expect(zones.filter(isTimeZone)).toEqual(zones.slice(0, 3));
});

describe('a local time', () => {
  it.each([
    ['2026-06-13T09:00:00Z', 'Europe/Dublin', '2026-06-13', '10:00'],
    ['2026-01-13T09:00:00Z', 'Europe/Dublin', '2026-01-13', '09:00'],
    ['2026-06-13T12:30:00Z', 'Pacific/Auckland', '2026-06-14', '00:30'],
    ['2026-06-13T00:15:00Z', 'Asia/Kathmandu', '2026-06-13', '06:00'],
    ['2026-03-29T00:59:59Z', 'Europe/Dublin', '2026-03-29', '00:59'],
    ['2026-03-29T01:00:00Z', 'Europe/Dublin', '2026-03-29', '02:00'],
  ])('of %s in %s is %s %s', (instant, zone, date, time) => {
    expect(localTime(instant, zone)).toEqual({ date, time });
    expect(dateIn(zone, instant)).toBe(date);
  });

  it.each([
    ['Europe/Dublin', '2026-06-13', '10:00', '2026-06-13T09:00:00Z'],
    ['Europe/Dublin', '2026-01-13', '10:00', '2026-01-13T10:00:00Z'],
    ['Pacific/Auckland', '2026-06-14', '00:30', '2026-06-13T12:30:00Z'],
    ['America/New_York', '2026-11-01', '12:00', '2026-11-01T17:00:00Z'],
    // In spring 01:30 is skipped: it is half past two by the new clock.
    ['Europe/Dublin', '2026-03-29', '01:30', '2026-03-29T01:30:00Z'],
    ['Europe/Dublin', '2026-03-29', '00:30', '2026-03-29T00:30:00Z'],
    ['Europe/Dublin', '2026-03-29', '02:30', '2026-03-29T01:30:00Z'],
    // In autumn 01:30 comes twice.
    ['Europe/Dublin', '2026-10-25', '01:30', '2026-10-25T00:30:00Z'],
    ['Europe/Dublin', '2026-10-25', '02:30', '2026-10-25T02:30:00Z'],
    ['Europe/Dublin', '2026-02-30', '10:00', null],
    ['Europe/Dublin', '2026-02-03', '', null],
  ])('in %s of %s %s is %s', (zone, date, time, instant) =>
    expect(instantIn(zone, { date, time })).toBe(instant),
  );
});
