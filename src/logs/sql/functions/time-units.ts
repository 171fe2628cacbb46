/** Units of time and time zones of the dialect, and terms that compute with them. */
import type { Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import { apply, literal } from '../terms.js';
import { isZoneName } from '../texts/time-texts.js';
import type { Span } from '../tree.js';
import type { Value } from '../values/values.js';

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Microseconds of the units with a fixed length. */
export const UNIT_MICROSECONDS: Readonly<Record<string, number>> = {
  microsecond: 1,
  millisecond: 1_000,
  second: 1_000_000,
  minute: 60_000_000,
  hour: 3_600_000_000,
  day: 86_400_000_000,
};

/** Units shorter than a day. */
export const UNITS_BELOW_DAY: ReadonlySet<string> = new Set(
  Object.keys(UNIT_MICROSECONDS).filter((unit) => unit !== 'day'),
);

/** Units that can both be truncated and have their boundaries counted. */
export const CALENDAR_UNITS: readonly string[] = [
  ...Object.keys(UNIT_MICROSECONDS),
  'month',
  'quarter',
  'year',
];

const TRUNCATED: readonly string[] = [...CALENDAR_UNITS, 'isoyear'];

/** Days from Monday to the first day of this unit; null: the unit is not a week. */
export const weekShift = (unit: string): number | null => {
  if (unit === 'week') return -1;
  if (unit === 'isoweek') return 0;
  const weekday = WEEKDAYS.indexOf(/^week\((\w+)\)$/.exec(unit)?.[1] ?? '');
  return weekday === -1 ? null : weekday - 1;
};

const unknownUnit = (unit: string, span: Span, known: readonly string[]): never =>
  refuse(span, `${unit.toUpperCase()} is no unit here; there are ${known.join(', ').toUpperCase()}`);

/** The start of the unit that contains a timestamp. */
export const truncated = (at: Term, unit: string, span: Span): Term => {
  if (TRUNCATED.includes(unit)) return apply('start-of', literal(unit), at);
  const shift = weekShift(unit);
  if (shift === null) return unknownUnit(unit, span, [...TRUNCATED, 'week', 'isoweek']);
  return shift === 0 ? apply('start-of', literal('week'), at) : apply('start-of-week', literal(shift), at);
};

const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** An amount of a unit as an interval; NULL when it is too large for an engine. */
export const intervalOf = (amount: Term, unit: string, span: Span): Term => {
  const name = unit.endsWith('s') ? unit.slice(0, -1) : unit;
  const microseconds = UNIT_MICROSECONDS[name];
  const months = MONTHS[name];
  if (name === 'day' || name === 'week')
    return apply('interval-of-days', amount, literal(name === 'week' ? 7 : 1));
  if (microseconds !== undefined) return apply('interval-of-microseconds', amount, literal(microseconds));
  if (months !== undefined) return apply('interval-of-months', amount, literal(months));
  return unknownUnit(unit, span, [...Object.keys(UNIT_MICROSECONDS), 'week', ...Object.keys(MONTHS)]);
};

export type Zone =
  | { readonly kind: 'utc' }
  | { readonly kind: 'offset'; readonly minutes: number }
  | { readonly kind: 'named'; readonly name: string };

/** The time zone of a literal: an IANA name or an offset such as +05:30. */
export const zoneOf = ({ literal, span }: Value): Zone => {
  if (typeof literal !== 'string')
    return refuse(span, 'the time zone has to be written as a text in the query');
  const offset = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(literal);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
    if (minutes > 14 * 60) return refuse(span, 'a time zone is at most 14 hours from UTC');
    return { kind: 'offset', minutes: offset[1] === '-' ? -minutes : minutes };
  }
  if (/^(?:utc|gmt|z|etc\/utc)$/i.test(literal)) return { kind: 'utc' };
  if (!isZoneName(literal)) return refuse(span, `there is no time zone ${JSON.stringify(literal)}`);
  return { kind: 'named', name: literal };
};

/** The local time in the zone at a timestamp. */
export const localTime = (at: Term, zone: Zone): Term => {
  switch (zone.kind) {
    case 'utc':
      return at;
    case 'offset':
      return apply('later', at, apply('interval-of-minutes', literal(zone.minutes)));
    case 'named':
      return apply('local-time', at, literal(zone.name));
  }
};

/** The timestamp of a local time in the zone. */
export const fromLocalTime = (local: Term, zone: Zone): Term => {
  switch (zone.kind) {
    case 'utc':
      return local;
    case 'offset':
      return apply('earlier', local, apply('interval-of-minutes', literal(zone.minutes)));
    case 'named':
      return apply('timestamp-of-local', local, literal(zone.name));
  }
};
