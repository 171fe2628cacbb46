/**
 * Writes iCalendar (RFC 5545). Times are in UTC, so no calendar needs to know the time zones. Lines end with CR LF and are
 * folded at 75 octets, between characters.
 */

export interface CalendarEvent {
  /** Stays the same while the event changes. */
  readonly uid: string;
  /** Grows with each change of the event. */
  readonly sequence: number;
  /** Instants. */
  readonly start: string;
  readonly end: string;
  readonly summary: string;
  readonly location: string;
  readonly description: string;
  /** Degrees; null: not known. */
  readonly geo: { readonly latitude: number; readonly longitude: number } | null;
}

/** `changedAt`: when the calendar was changed last, in milliseconds since 1970. */
export const calendarText = (name: string, changedAt: number, events: readonly CalendarEvent[]): string => {
  const stamp = utc(new Date(changedAt).toISOString());
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Podium//Schedule//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    'X-PUBLISHED-TTL:PT15M',
    ...events.flatMap((event) => eventLines(event, stamp)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
};

const eventLines = (event: CalendarEvent, stamp: string): readonly string[] => [
  'BEGIN:VEVENT',
  `UID:${escaped(event.uid)}`,
  `DTSTAMP:${stamp}`,
  `LAST-MODIFIED:${stamp}`,
  `SEQUENCE:${event.sequence}`,
  `DTSTART:${utc(event.start)}`,
  `DTEND:${utc(event.end)}`,
  `SUMMARY:${escaped(event.summary)}`,
  ...(event.location === '' ? [] : [`LOCATION:${escaped(event.location)}`]),
  ...(event.description === '' ? [] : [`DESCRIPTION:${escaped(event.description)}`]),
  ...(event.geo === null ? [] : [`GEO:${event.geo.latitude};${event.geo.longitude}`]),
  'END:VEVENT',
];

/** `2026-04-11T09:00:00Z` as `20260411T090000Z`. */
const utc = (instant: string): string => `${instant.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

const escaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`);

const MAX_OCTETS = 75;

/** A continued line begins with a space, which counts. */
const folded = (line: string): string => {
  let text = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_OCTETS) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
};
