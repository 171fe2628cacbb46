/** Units of time and time zones of the dialect, and engine SQL that computes with them. */
import { type EngineSql, integerLiteral, sql, textLiteral } from '../engine-sql.js';
import { refuse } from '../query-problem.js';
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

/** Units for which the engine can both truncate and count boundaries. */
export const CALENDAR_UNITS: Readonly<Record<string, EngineSql>> = {
  microsecond: sql`'microsecond'`,
  millisecond: sql`'millisecond'`,
  second: sql`'second'`,
  minute: sql`'minute'`,
  hour: sql`'hour'`,
  day: sql`'day'`,
  month: sql`'month'`,
  quarter: sql`'quarter'`,
  year: sql`'year'`,
};

const TRUNCATED: Readonly<Record<string, EngineSql>> = { ...CALENDAR_UNITS, isoyear: sql`'isoyear'` };

/** Days from Monday, the engine's first day of a week, to the first day of this unit; null: the unit is not a week. */
export const weekShift = (unit: string): number | null => {
  if (unit === 'week') return -1;
  if (unit === 'isoweek') return 0;
  const weekday = WEEKDAYS.indexOf(/^week\((\w+)\)$/.exec(unit)?.[1] ?? '');
  return weekday === -1 ? null : weekday - 1;
};

const unknownUnit = (unit: string, span: Span, known: readonly string[]): never =>
  refuse(span, `${unit.toUpperCase()} is no unit here; there are ${known.join(', ').toUpperCase()}`);

/** The start of the unit that contains a timestamp. */
export const truncated = (at: EngineSql, unit: string, span: Span): EngineSql => {
  const plain = TRUNCATED[unit];
  if (plain !== undefined) return sql`date_trunc(${plain}, ${at})`;
  const shift = weekShift(unit);
  if (shift === null) return unknownUnit(unit, span, [...Object.keys(TRUNCATED), 'week', 'isoweek']);
  if (shift === 0) return sql`date_trunc('week', ${at})`;
  const days = integerLiteral(shift);
  return sql`(date_trunc('week', ${at} - to_days(${days})) + to_days(${days}))`;
};

const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** An amount of a unit as an interval of the engine; NULL when it is too large for the engine. */
export const intervalOf = (amount: EngineSql, unit: string, span: Span): EngineSql => {
  const name = unit.endsWith('s') ? unit.slice(0, -1) : unit;
  const microseconds = UNIT_MICROSECONDS[name];
  if (name === 'day' || name === 'week') {
    const days = integerLiteral(name === 'week' ? 7 : 1);
    return sql`to_days(${inRange(sql`${amount} * ${days}`, amount, 4_000_000)})`;
  }
  if (microseconds !== undefined) {
    const most = Math.floor(3.2e17 / microseconds);
    const bounded = sql`CASE WHEN ${amount} BETWEEN ${integerLiteral(-safe(most))} AND ${integerLiteral(safe(most))} THEN ${amount} END`;
    return sql`to_microseconds(CAST((${bounded}) AS BIGINT) * ${integerLiteral(microseconds)})`;
  }
  const months = MONTHS[name];
  if (months === undefined)
    return unknownUnit(unit, span, [...Object.keys(UNIT_MICROSECONDS), 'week', ...Object.keys(MONTHS)]);
  return sql`to_months(${inRange(sql`${amount} * ${integerLiteral(months)}`, amount, 120_000)})`;
};

const safe = (value: number): number => Math.min(value, Number.MAX_SAFE_INTEGER);

const inRange = (value: EngineSql, amount: EngineSql, most: number): EngineSql =>
  sql`CAST(CASE WHEN ${amount} BETWEEN ${integerLiteral(-most)} AND ${integerLiteral(most)} THEN ${value} END AS INTEGER)`;

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
export const localTime = (at: EngineSql, zone: Zone): EngineSql => {
  switch (zone.kind) {
    case 'utc':
      return at;
    case 'offset':
      return sql`(${at} + to_minutes(${integerLiteral(zone.minutes)}))`;
    case 'named':
      return sql`timezone(${textLiteral(zone.name)}, timezone('UTC', ${at}))`;
  }
};

/** The timestamp of a local time in the zone. */
export const fromLocalTime = (local: EngineSql, zone: Zone): EngineSql => {
  switch (zone.kind) {
    case 'utc':
      return local;
    case 'offset':
      return sql`(${local} - to_minutes(${integerLiteral(zone.minutes)}))`;
    case 'named':
      return sql`timezone('UTC', timezone(${textLiteral(zone.name)}, ${local}))`;
  }
};
