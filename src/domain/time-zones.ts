/**
 * Instants and time zones. An instant is a text in UTC with whole seconds, `2026-04-11T09:00:00Z`, so instants compare as
 * texts do. A time zone is a name of the IANA database, `Europe/Dublin`. Local times follow its rules for daylight saving.
 */
import { isDate } from './ids.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
const MINUTE = 60_000;

/** Of the milliseconds since 1970; parts of a second are cut off. */
export const instantOf = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** Reads ISO 8601 with an offset. Returns null for any other text, and for days that are none (see isDate). */
export const parseInstant = (text: string): string | null => {
  const milliseconds = INSTANT.test(text) && isDate(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? null : instantOf(milliseconds);
};

/** Whole minutes from one instant to the other, rounded down. */
export const minutesBetween = (from: string, to: string): number =>
  Math.floor((Date.parse(to) - Date.parse(from)) / MINUTE);

export const plusMinutes = (instant: string, minutes: number): string =>
  instantOf(Date.parse(instant) + minutes * MINUTE);

/** The Swedish locale writes dates as YYYY-MM-DD, and times of 24 hours. */
const formatOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

/** A format costs a hundred times what using it costs. There are some hundred time zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

const knownFormat = (timeZone: string): Intl.DateTimeFormat => {
  const format = formats.get(timeZone) ?? formatOf(timeZone);
  formats.set(timeZone, format);
  return format;
};

export const isTimeZone = (name: string): boolean => {
  // An offset such as +01:00 is taken by newer engines only, and has no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    knownFormat(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

export interface LocalTime {
  /** YYYY-MM-DD */
  readonly date: string;
  /** HH:MM */
  readonly time: string;
}

/** Throws RangeError for a time zone that is none. */
export const localTime = (instant: string, timeZone: string): LocalTime => {
  const [date = '', time = ''] = knownFormat(timeZone).format(Date.parse(instant)).split(' ');
  return { date, time: time.slice(0, 5) };
};

/** The day in the time zone, YYYY-MM-DD. */
export const dateIn = (timeZone: string, instant: string): string => localTime(instant, timeZone).date;

/**
 * The instant of a local time; null when its texts are no date and time. A time that the clocks skip in spring becomes
 * one that is as much later. Of two equal times in autumn it is the first one.
 */
export const instantIn = (timeZone: string, { date, time }: LocalTime): string | null => {
  const wanted = parseInstant(`${date}T${time}Z`);
  if (wanted === null) return null;
  const utc = Date.parse(wanted);
  const offsetAt = (milliseconds: number): number => {
    const shown = localTime(instantOf(milliseconds), timeZone);
    return Date.parse(`${shown.date}T${shown.time}Z`) - Math.floor(milliseconds / MINUTE) * MINUTE;
  };
  // The offsets of the day before and after enclose every change of this day.
  const [before, after] = [offsetAt(utc - 24 * 60 * MINUTE), offsetAt(utc + 24 * 60 * MINUTE)];
  const fitting = [before, after].find((offset) => offsetAt(utc - offset) === offset);
  return instantOf(utc - (fitting ?? before));
};
