/** Formats of times: each element of the dialect as ClickHouse formats it. */
import { type EngineSql, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import {
  type PrintedTimes,
  readFormat,
  type TimeFormatter,
  timePieces,
} from '../../../foundation/log-store/printing.js';
import type { TimeElement, TimePart } from '../../../foundation/log-store/query-operations.js';
import type { TimeFormat } from '../../../foundation/log-store/query-tree.js';
import { once, textLiteral } from './clickhouse-sql.js';
import { type Printed, printed, refuse } from './printed.js';

/** ClickHouse does not read a time from these. */
const UNREADABLE: ReadonlySet<TimeElement> = new Set<TimeElement>(['U', 'W', 'n', 't']);

const two = (value: EngineSql, by: EngineSql = sql`'0'`): EngineSql =>
  sql`leftPad(toString(${value}), 2, ${by})`;

const offset = ({ local, utc }: PrintedTimes, between: EngineSql): EngineSql =>
  once([sql`dateDiff('minute', ${utc}, ${local})`], (minutes) => {
    const size = sql`abs(${minutes})`;
    return sql`concat(if(${minutes} < 0, '-', '+'), ${two(sql`intDiv(${size}, 60)`)}, ${between}, ${two(sql`${size} % 60`)})`;
  });

const seconds = (local: EngineSql, characters: EngineSql): EngineSql =>
  sql`substring(formatDateTime(${local}, '%S.%f'), 1, ${characters})`;

/** Days of the year before the first day of week 1, which begins so many days after a Monday. */
const weekOfYear = (at: EngineSql, firstDay: 'sunday' | 'monday'): EngineSql =>
  once([at], (time) => {
    const day = sql`toDayOfWeek(${time})`;
    const since = firstDay === 'sunday' ? sql`${day} % 7` : sql`${day} - 1`;
    return sql`toInt64(intDiv(toDayOfYear(${time}) + 6 - (${since}), 7))`;
  });

const FORMATTER: TimeFormatter = {
  same: {
    A: '%W',
    B: '%M',
    M: '%i',
    R: '%H:%i',
    r: '%I:%i:%S %p',
    T: '%H:%i:%S',
    X: '%H:%i:%S',
  },
  read: { z: '%z', Ez: '%z', e: '%e', E3S: '%S.%f' },
  computed: {
    C: ({ local }) => two(sql`intDiv(toYear(${local}), 100)`),
    c: ({ local }) =>
      sql`concat(formatDateTime(${local}, '%a %b '), ${two(sql`toDayOfMonth(${local})`, sql`' '`)}, formatDateTime(${local}, ' %H:%i:%S %Y'))`,
    e: ({ local }) => two(sql`toDayOfMonth(${local})`, sql`' '`),
    g: ({ local }) => sql`substring(formatDateTime(${local}, '%G'), -2)`,
    k: ({ local }) => two(sql`toHour(${local})`, sql`' '`),
    l: ({ local }) => two(sql`(toHour(${local}) + 11) % 12 + 1`, sql`' '`),
    P: ({ local }) => sql`lower(formatDateTime(${local}, '%p'))`,
    Q: ({ local }) => sql`toString(toQuarter(${local}))`,
    s: ({ utc }) => sql`toString(intDiv(floor(toUnixTimestamp64Micro(${utc}), -6), 1000000))`,
    U: ({ local }) => two(weekOfYear(local, 'sunday')),
    W: ({ local }) => two(weekOfYear(local, 'monday')),
    z: (times) => offset(times, sql`''`),
    Ez: (times) => offset(times, sql`':'`),
    Z: ({ zoneName }) => textLiteral(zoneName),
    // All significant digits.
    'E*S': ({ local }) => sql`replaceRegexpOne(formatDateTime(${local}, '%S.%f'), '\\.?0*$', '')`,
    E0S: ({ local }) => sql`formatDateTime(${local}, '%S')`,
    E1S: ({ local }) => seconds(local, sql`4`),
    E2S: ({ local }) => seconds(local, sql`5`),
    E3S: ({ local }) => seconds(local, sql`6`),
    E4S: ({ local }) => seconds(local, sql`7`),
    E5S: ({ local }) => seconds(local, sql`8`),
  },
  formatted: (local, format) => sql`formatDateTime(${local}, ${textLiteral(format)})`,
};

/** Formats a time. */
export const timeText = (times: PrintedTimes, format: TimeFormat): Printed => {
  const pieces = timePieces(times, format, FORMATTER);
  if (pieces.length === 0) return printed('string', sql`if(isNull(${times.local}), NULL, '')`);
  return printed('string', sql`concat(${joined(pieces, ', ')})`);
};

/** Reads a time from a text. */
export const timeOfText = (text: EngineSql, format: TimeFormat): Printed => {
  for (const part of format)
    if ('element' in part && UNREADABLE.has(part.element))
      return refuse(`%${part.element} of a time that is read from a text`);
  return printed(
    'timestamp',
    sql`parseDateTime64OrNull(${text}, ${textLiteral(readFormat(format, FORMATTER))}, 'UTC')`,
  );
};

const micros = (at: EngineSql): EngineSql => sql`positiveModulo(toUnixTimestamp64Micro(${at}), 1000000)`;

const PARTS: Readonly<Record<TimePart, (at: EngineSql) => EngineSql>> = {
  microsecond: micros,
  millisecond: (at) => sql`intDiv(${micros(at)}, 1000)`,
  second: (at) => sql`toSecond(${at})`,
  minute: (at) => sql`toMinute(${at})`,
  hour: (at) => sql`toHour(${at})`,
  dayofweek: (at) => sql`(toDayOfWeek(${at}) % 7 + 1)`,
  day: (at) => sql`toDayOfMonth(${at})`,
  dayofyear: (at) => sql`toDayOfYear(${at})`,
  week: (at) => weekOfYear(at, 'sunday'),
  'week(monday)': (at) => weekOfYear(at, 'monday'),
  isoweek: (at) => sql`toISOWeek(${at})`,
  month: (at) => sql`toMonth(${at})`,
  quarter: (at) => sql`toQuarter(${at})`,
  year: (at) => sql`toYear(${at})`,
  isoyear: (at) => sql`toISOYear(${at})`,
};

export const timePart = (part: TimePart, at: EngineSql): Printed =>
  printed('integer', sql`toInt64(${PARTS[part](at)})`);
