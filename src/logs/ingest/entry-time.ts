/**
 * The time of an entry as clients write it: ISO 8601, or a Unix time whose number of digits gives its unit. Digits beyond
 * the microsecond are cut off. A time without a zone is UTC.
 */

/** Unix times in seconds, milliseconds, microseconds or nanoseconds, also with a fraction. */
const UNIX = /^(\d{10}|\d{13}|\d{16}|\d{19})(?:\.(\d+))?$/;
/** Digits of a Unix time in microseconds; the ones before them are the same in all units. */
const MICROS_DIGITS = 16;

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s?([Zz]|[+-]\d{2}(?::?\d{2})?))?)?$/;

/** Years have four digits, also after the conversion to UTC. */
const EARLIEST_MS = Date.parse('0100-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');
/** At this distance from 1970 a double holds only every 32nd microsecond. The next one is in the year 10000. */
const LATEST = (LATEST_MS + 1) * 1_000 - 32;

/** The allowed forms, for messages. */
export const ENTRY_TIMES = 'ISO 8601 text, or a Unix number of 10, 13, 16 or 19 digits';

/** Returns microseconds since 1970, UTC, or null when the value is not a time. A bigint counts nanoseconds. */
export const entryTime = (value: unknown): number | null => {
  if (typeof value === 'bigint') return Math.min(Number(value / 1_000n), LATEST);
  if (typeof value === 'number') return unixTime(String(value));
  if (typeof value !== 'string') return null;
  return /^[\d.]+$/.test(value) ? unixTime(value) : isoTime(value);
};

const unixTime = (text: string): number | null => {
  const match = UNIX.exec(text);
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  return Number((whole + fraction.padEnd(6, '0')).slice(0, MICROS_DIGITS));
};

const isoTime = (text: string): number | null => {
  const match = ISO.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const milliseconds = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  // Date.UTC turns the 31st of April into the 1st of May, and years below 100 into years of the 20th century.
  const same = new Date(milliseconds)
    .toISOString()
    .startsWith(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
  const offset = zoneMinutes(zone);
  if (!same || offset === null) return null;
  const utc = milliseconds - offset * 60_000;
  if (utc < EARLIEST_MS || utc > LATEST_MS) return null;
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  return Math.min(utc * 1_000 + micros, LATEST);
};

const zoneMinutes = (zone: string): number | null => {
  if (zone === 'Z' || zone === 'z') return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (60 * hours + minutes);
};
