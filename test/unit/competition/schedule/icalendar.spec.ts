/** iCalendar as RFC 5545 has it: another program's parser reads what is written. */
import { describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { type CalendarEvent, calendarText } from '../../../../src/competition/schedule/icalendar.js';

const event = (change: Partial<CalendarEvent> = {}): CalendarEvent => ({
  uid: 'default.C.1@podium',
  sequence: 3,
  start: '2026-06-13T09:00:00Z',
  end: '2026-06-13T10:00:00Z',
  summary: '3x3x3 Cube, Round 1',
  location: '',
  description: '',
  geo: null,
  ...change,
});
const CHANGED = Date.UTC(2026, 4, 1, 12, 30, 15, 999);

const read = (text: string) => {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const events = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
  return { calendar, events };
};

describe('a calendar', () => {
  it('has its events with their times in UTC', () => {
    const text = calendarText('Spring Open', CHANGED, [event(), event({ uid: 'b', sequence: 0 })]);
    const { calendar, events } = read(text);
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Spring Open');
    expect(events.map(({ uid, sequence }) => [uid, sequence])).toEqual([
      ['default.C.1@podium', 3],
      ['b', 0],
    ]);
    const [first] = events;
    expect([first?.startDate.toJSDate().toISOString(), first?.endDate.toJSDate().toISOString()]).toEqual([
      '2026-06-13T09:00:00.000Z',
      '2026-06-13T10:00:00.000Z',
    ]);
    expect(first?.startDate.zone).toBe(ICAL.Timezone.utcTimezone);
    expect(text).toContain('\r\nDTSTAMP:20260501T123015Z\r\n');
  });

  it('keeps every character of its texts', () => {
    const summary = `${String.raw`A; b, c\n: "d"`}\nsecond line`;
    const name = 'Spring; Open, 2026';
    const location = `${'日本語の会場🏟️'.repeat(20)}, ${'é'.repeat(80)}`;
    const description = 'x'.repeat(500);
    const text = calendarText(name, CHANGED, [event({ summary, location, description })]);
    const { calendar, events } = read(text);
    // The parser does not know this property's type, so it leaves the escapes.
    expect(calendar.getFirstPropertyValue('name')).toBe(String.raw`Spring\; Open\, 2026`);
    expect([events[0]?.summary, events[0]?.location, events[0]?.description]).toEqual([
      summary,
      location,
      description,
    ]);
  });

  it('has lines of at most 75 octets, none of which ends within a character', () => {
    const location = '日本語🏟️é,'.repeat(60);
    const lines = calendarText('N', CHANGED, [event({ location })]).split('\r\n');
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    expect(lines.some((line) => line.startsWith(' '))).toBe(true);
    expect(lines.every((line) => line.isWellFormed() && !line.includes('\n'))).toBe(true);
    expect(lines.at(-1)).toBe('');
  });

  it('says where it is when that is known', () => {
    const geo = { latitude: 51.8985, longitude: -8.4756 };
    const { events } = read(calendarText('N', CHANGED, [event({ geo }), event({ uid: 'b' })]));
    expect(events.map(({ component }) => component.getFirstPropertyValue('geo'))).toEqual([
      [51.8985, -8.4756],
      null,
    ]);
  });

  it('can be empty', () => {
    expect(read(calendarText('N', 0, [])).events).toEqual([]);
  });
});
