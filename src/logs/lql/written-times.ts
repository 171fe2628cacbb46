/**
 * Converts times as LQL writes them, part by part, to microseconds. A part in braces is a pair. The lower bound uses the
 * first value of every pair, the upper bound the second. So a single pair may run downwards (`{2025..2026}-{12..01}`) if
 * the whole range does not.
 */
import type { Span } from '../sql/tree.js';
import { LqlFault } from './lql-fault.js';
import type { Instant } from './lql-tree.js';

/** Digits, or a pair of digits in braces. Without braces both values are the same. */
export interface WrittenPart {
  readonly low: string;
  readonly high: string;
  readonly span: Span;
}

export interface WrittenClock {
  readonly hour: WrittenPart;
  readonly minute: WrittenPart;
  readonly second: WrittenPart | null;
  readonly fraction: WrittenPart | null;
  /** Null: UTC. */
  readonly zone: WrittenZone | null;
}

export interface WrittenZone {
  readonly sign: 1 | -1;
  readonly hours: WrittenPart;
  readonly minutes: WrittenPart;
}

export interface WrittenDate {
  readonly kind: 'date';
  readonly year: WrittenPart;
  readonly month: WrittenPart;
  readonly day: WrittenPart;
  readonly clock: WrittenClock | null;
  readonly span: Span;
}

export interface WrittenUnix {
  readonly kind: 'unix';
  readonly digits: WrittenPart;
  readonly span: Span;
}

export type WrittenTime = WrittenDate | WrittenUnix;

export interface Bounds {
  readonly low: Instant;
  /** Same as `low` without braces. */
  readonly high: Instant;
}

/** Microseconds in one unit of a Unix time, by its number of digits. */
const UNIX_UNITS: Readonly<Record<number, number>> = { 10: 1_000_000, 13: 1_000, 16: 1 };

/** Years 1000 to 9999. */
const EARLIEST = Date.UTC(1000, 0, 1) * 1_000;
const LATEST = Date.UTC(10_000, 0, 1) * 1_000;

/** Throws LqlFault. */
export const boundsOf = (written: WrittenTime): Bounds => {
  const low = instantOf(written, 'low');
  const high = hasBraces(written) ? instantOf(written, 'high') : low;
  if (high.microseconds < low.microseconds) {
    throw new LqlFault(written.span.start, 'expected a range that ends after it begins');
  }
  return { low, high };
};

export const hasBraces = (written: WrittenTime): boolean =>
  partsOf(written).some(({ low, high }) => low !== high);

const partsOf = (written: WrittenTime): readonly WrittenPart[] => {
  if (written.kind === 'unix') return [written.digits];
  const { year, month, day, clock } = written;
  const parts = [year, month, day, clock?.hour, clock?.minute, clock?.second, clock?.fraction];
  return parts.filter((part) => part !== undefined && part !== null);
};

type Side = 'low' | 'high';

const instantOf = (written: WrittenTime, side: Side): Instant => {
  const { span } = written;
  const microseconds = written.kind === 'unix' ? unixMoment(written.digits, side) : moment(written, side);
  if (microseconds < EARLIEST || microseconds >= LATEST) {
    throw new LqlFault(span.start, 'expected a time in the years 1000 to 9999');
  }
  const precision = written.kind === 'date' && written.clock === null ? 'day' : 'moment';
  return { kind: 'instant', microseconds, precision, span };
};

const unixMoment = (digits: WrittenPart, side: Side): number => {
  const unit = UNIX_UNITS[digits[side].length];
  if (unit === undefined) {
    throw new LqlFault(digits.span.start, 'expected a date, or a Unix time of 10, 13 or 16 digits');
  }
  return Number(digits[side]) * unit;
};

const moment = ({ year, month, day, clock }: WrittenDate, side: Side): number => {
  const of = (part: WrittenPart, rule: PartRule): number => numberOf(part, side, rule);
  const years = of(year, { name: 'a year', digits: 4, least: 0, most: 9_999 });
  const months = of(month, { name: 'a month', digits: 2, least: 1, most: 12 });
  const days = of(day, { name: 'a day', digits: 2, least: 1, most: daysIn(years, months) });
  const date = new Date(0);
  date.setUTCFullYear(years, months - 1, days);
  if (clock === null) return date.getTime() * 1_000;
  const hours = of(clock.hour, { name: 'an hour', digits: 2, least: 0, most: 23 });
  const minutes = of(clock.minute, { name: 'a minute', digits: 2, least: 0, most: 59 });
  const seconds = clock.second ? of(clock.second, { name: 'a second', digits: 2, least: 0, most: 59 }) : 0;
  date.setUTCHours(hours, minutes - offsetMinutes(clock.zone), seconds);
  return date.getTime() * 1_000 + (clock.fraction ? fractionOf(clock.fraction, side) : 0);
};

interface PartRule {
  readonly name: string;
  readonly digits: number;
  readonly least: number;
  readonly most: number;
}

const numberOf = (part: WrittenPart, side: Side, { name, digits, least, most }: PartRule): number => {
  const text = part[side];
  const value = Number(text);
  if (text.length === digits && value >= least && value <= most) return value;
  const padded = (bound: number): string => String(bound).padStart(digits, '0');
  throw new LqlFault(part.span.start, `expected ${name} from ${padded(least)} to ${padded(most)}`);
};

/** Returns microseconds from the one to six digits after the point. */
const fractionOf = (part: WrittenPart, side: Side): number => {
  if (part[side].length > 6) {
    throw new LqlFault(part.span.start, 'expected at most six digits of a second');
  }
  return Number(part[side].padEnd(6, '0'));
};

/** How far the zone of a time is ahead of UTC. */
export const zoneMinutes = (written: WrittenTime): number =>
  written.kind === 'date' ? offsetMinutes(written.clock?.zone ?? null) : 0;

const offsetMinutes = (zone: WrittenZone | null): number => {
  if (zone === null) return 0;
  const hours = numberOf(zone.hours, 'low', { name: 'hours of a zone', digits: 2, least: 0, most: 23 });
  const minutes = numberOf(zone.minutes, 'low', { name: 'minutes of a zone', digits: 2, least: 0, most: 59 });
  return zone.sign * (hours * 60 + minutes);
};

const daysIn = (year: number, month: number): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
};
