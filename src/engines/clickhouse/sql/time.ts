/** How ClickHouse spells the operations of times, dates and intervals. */
import { type EngineSql, integerLiteral, sql } from '../../../foundation/log-store/engine-sql.js';
import { YEARS } from '../../../foundation/log-store/printing.js';
import type { Operation } from '../../../foundation/log-store/query-operations.js';
import { once, textLiteral, withoutBlanks } from './clickhouse-sql.js';
import { isoText } from './json.js';
import { itemsOf, listOf } from './lists.js';
import { type Printed, printed, refuse, type Spelling } from './printed.js';

const micros = (at: EngineSql): EngineSql => sql`toUnixTimestamp64Micro(${at})`;
const fromMicros = (count: EngineSql): EngineSql => sql`fromUnixTimestamp64Micro(toInt64(${count}), 'UTC')`;
const asMoment = (at: EngineSql): EngineSql => sql`toDateTime64(${at}, 6, 'UTC')`;

/** A date counts as its midnight. */
const moment = ({ sql: at, type }: Printed): EngineSql => (type.kind === 'date' ? asMoment(at) : at);

const DAY = 86_400_000_000;
/** 1950-01-01, in microseconds since 1970. */
const ORIGIN = fromMicros(integerLiteral(-631_152_000_000_000));

const numberIn = ({ literal }: Printed): number =>
  typeof literal === 'number' ? literal : refuse('a size that is not written in the query');

const textIn = ({ literal }: Printed): string =>
  typeof literal === 'string' ? literal : refuse('a unit that is not written in the query');

const interval = (unit: 'microsecond' | 'month', text: EngineSql): Printed => ({
  sql: text,
  type: { kind: 'interval', unit },
});

const unitOf = ({ type }: Printed): 'microsecond' | 'month' =>
  type.kind === 'interval' ? type.unit : 'microsecond';

/** An amount of so many; NULL beyond a limit. */
const amount = (value: EngineSql, most: number, size: number): EngineSql =>
  sql`if(${value} BETWEEN ${integerLiteral(-most)} AND ${integerLiteral(most)}, toInt64(${value}) * ${integerLiteral(size)}, NULL)`;

const moved =
  (sign: EngineSql) =>
  (at: Printed, by: Printed): Printed =>
    printed(
      'timestamp',
      unitOf(by) === 'month'
        ? sql`addMonths(${moment(at)}, ${sign}(${by.sql}))`
        : sql`addMicroseconds(${moment(at)}, ${sign}(${by.sql}))`,
    );

const daysAway =
  (sign: EngineSql) =>
  (date: Printed, days: Printed): Printed =>
    printed('date', sql`addDays(${date.sql}, ${sign}(${amount(days.sql, 3_999_999, 1)}))`);

/** Of whole seconds: before 1970, ClickHouse itself would round a fraction up before it truncates. */
const truncated = (unit: string, time: EngineSql): EngineSql => {
  if (unit === 'microsecond') return time;
  const at = unit === 'millisecond' ? time : fromMicros(sql`floor(${micros(time)}, -6)`);
  if (unit === 'isoyear') return asMoment(sql`date_trunc('week', makeDate32(toISOYear(${at}), 1, 4))`);
  return asMoment(sql`date_trunc(${textLiteral(unit)}, ${at})`);
};

const startOfWeek = (shift: Printed, at: Printed): Printed => {
  const days = integerLiteral(numberIn(shift));
  return printed(
    'timestamp',
    sql`addDays(${truncated('week', sql`addDays(${at.sql}, -(${days}))`)}, ${days})`,
  );
};

/**
 * Text in the form of a time of the years 1 to 9999, which ClickHouse then reads. It would also take `12:30`, `2026` and `17.03.2026`, and
 * count on from `25:00`.
 */
const TIME_FORM = textLiteral(
  String.raw`^\s*${YEARS}-\d{1,2}-\d{1,2}([T ]([01]?\d|2[0-3]):[0-5]?\d(:[0-5]?\d(\.\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$`,
);

/** A time with the name of its zone. ClickHouse reads one only where the name stands apart, so in the text of a query alone. */
const ZONED = /^(.*\d) ([A-Za-z][A-Za-z0-9_+\-/]*)$/;

const timestampOfText = (text: Printed): Printed => {
  const zoned = typeof text.literal === 'string' ? ZONED.exec(text.literal) : null;
  if (zoned !== null) {
    const [, time = '', zone = ''] = zoned;
    const read = sql`parseDateTime64BestEffortOrNull(${textLiteral(time)}, 6, ${textLiteral(zone)})`;
    return printed('timestamp', sql`toTimeZone(${read}, 'UTC')`);
  }
  const read = sql`parseDateTime64BestEffortOrNull(${withoutBlanks(text.sql)}, 6, 'UTC')`;
  return printed('timestamp', sql`if(match(${text.sql}, ${TIME_FORM}), ${read}, NULL)`);
};

/** Of a text that the store or the query itself wrote as a time. */
const storedTimestamp = (text: Printed): Printed =>
  printed('timestamp', sql`parseDateTime64BestEffortOrNull(${text.sql}, 6, 'UTC')`);

const timestampOfParts = (...parts: readonly Printed[]): Printed => {
  const digits = (part: number, most: number) =>
    sql`leftPad(toString(${parts[part]?.sql ?? sql`0`}), ${integerLiteral(most)}, '0')`;
  const text = sql`concat(${digits(0, 4)}, '-', ${digits(1, 2)}, '-', ${digits(2, 2)}, ' ', ${digits(3, 2)}, ':', ${digits(4, 2)}, ':', ${digits(5, 2)})`;
  return printed('timestamp', sql`parseDateTime64BestEffortOrNull(${text}, 6, 'UTC')`);
};

/** A month counts as 28 days, so the limit of a series holds for every month. */
const stepsBetween = (from: Printed, to: Printed, step: Printed): Printed => {
  const size = integerLiteral(unitOf(step) === 'month' ? 28 * DAY : 1);
  const distance = sql`(${micros(moment(to))} - ${micros(moment(from))})`;
  return printed('number', sql`(${distance} / nullIf(${step.sql} * ${size}, 0))`);
};

const timeBucket = (width: Printed, at: Printed, origin?: Printed): Printed => {
  const from = origin === undefined ? ORIGIN : moment(origin);
  const positive = sql`if(${width.sql} > 0, ${width.sql}, NULL)`;
  const start = unitOf(width) === 'month' ? truncated('month', from) : from;
  const bucket = once([positive, moment(at), start], (n, t, o) =>
    unitOf(width) === 'month'
      ? sql`addMonths(${o}, intDivOrZero(dateDiff('month', ${o}, ${t}) - positiveModulo(dateDiff('month', ${o}, ${t}), ${n}), ${n}) * ${n})`
      : sql`addMicroseconds(${t}, -positiveModulo(${micros(t)} - ${micros(o)}, ${n}))`,
  );
  return printed('timestamp', bucket);
};

const MOST_STEPS = integerLiteral(10_001);

/** From the first to the last, both included. No longer than what the dialect allows, whatever the query asks. */
const series = (from: Printed, to: Printed, step: Printed): Printed => {
  const isOfTimes = step.type.kind === 'interval';
  const [a, b] = isOfTimes ? [moment(from), moment(to)] : [from.sql, to.sql];
  const args = sql`[tuple(${a}, ${b}, ${step.sql})]`;
  const [start, end, by] = [sql`tupleElement(v, 1)`, sql`tupleElement(v, 2)`, sql`tupleElement(v, 3)`];
  const isThere = sql`isNotNull(${start}) AND isNotNull(${end}) AND isNotNull(${by}) AND ${by} != 0`;
  const steps = (distance: EngineSql) =>
    sql`range(toUInt64(ifNull(least(greatest(floor(${distance}) + 1, 0), ${MOST_STEPS}), 0)))`;
  const list = (distance: EngineSql, at: EngineSql) =>
    sql`arrayMap(i -> toNullable(${at}), ${steps(distance)})`;
  const values = !isOfTimes
    ? list(sql`(${end} - ${start}) / nullIf(${by}, 0)`, sql`toInt64(${start} + i * ${by})`)
    : unitOf(step) === 'month'
      ? // Months are of different lengths: of those that could be within, the ones that are.
        sql`arrayFilter(t -> if(${by} > 0, t <= ${end}, t >= ${end}), ${list(
          sql`(${micros(end)} - ${micros(start)}) / nullIf(${by} * ${integerLiteral(28 * DAY)}, 0)`,
          sql`addMonths(${start}, toInt64(i) * ${by})`,
        )})`
      : list(
          sql`(${micros(end)} - ${micros(start)}) / nullIf(${by}, 0)`,
          sql`addMicroseconds(${start}, toInt64(i) * ${by})`,
        );
  return listOf(
    { kind: isOfTimes ? 'timestamp' : 'integer' },
    sql`arrayMap(v -> ${values}, arrayFilter(v -> ${isThere}, ${args}))`,
  );
};

const timestampsAsJson = (list: Printed): Printed => {
  if (itemsOf(list).kind === 'null') return printed('json', sql`'[]'`);
  const items = sql`arrayMap(j -> ifNull(concat('"', ${isoText(sql`j`)}, '"'), 'null'), b)`;
  return printed(
    'json',
    sql`arrayMap(b -> toNullable(concat('[', arrayStringConcat(${items}, ','), ']')), ${list.sql})[1]`,
  );
};

/** From 0001-01-01 to 9999-12-31, in units of so many microseconds. */
const within = (size: EngineSql): EngineSql =>
  sql`intDiv(-62135596800000000, ${size}) AND intDiv(253402300799999999, ${size})`;

type Of<Prefix extends string> = Extract<Operation, Prefix>;

type TimeOperation = Of<
  | 'timestamp-as-text'
  | 'text-as-timestamp'
  | 'stored-as-timestamp'
  | 'stored-as-date'
  | 'date-as-timestamp'
  | 'timestamp-as-date'
  | 'timestamp-as-json'
  | 'timestamps-as-json'
  | 'series'
  | 'later'
  | 'earlier'
  | 'time-between'
  | 'days-later'
  | 'days-earlier'
  | 'days-between'
  | 'start-of'
  | 'start-of-week'
  | 'boundaries-between'
  | 'units-between'
  | 'local-time'
  | 'timestamp-of-local'
  | 'interval-of-days'
  | 'interval-of-microseconds'
  | 'interval-of-months'
  | 'interval-of-minutes'
  | 'timestamp-of-units'
  | 'units-of-timestamp'
  | 'timestamp-of-parts'
  | 'steps-between'
  | 'time-bucket'
  | 'last-day'
  | 'days-since-1970'
  | 'date-of-days'
>;

export const TIME_SPELLINGS: Readonly<Record<TimeOperation, Spelling>> = {
  // With a fraction of three or six digits, or none.
  'timestamp-as-text': (at) =>
    printed('string', sql`concat(replaceRegexpOne(toString(${at.sql}), '(\\.000)?000$', ''), '+00')`),
  'text-as-timestamp': timestampOfText,
  'stored-as-timestamp': storedTimestamp,
  'stored-as-date': (text) => printed('date', sql`toDate32(${storedTimestamp(text).sql})`),
  'date-as-timestamp': (date) => printed('timestamp', asMoment(date.sql)),
  'timestamp-as-date': (at) => printed('date', sql`toDate32(${at.sql})`),
  'timestamp-as-json': (at) => printed('json', sql`concat('"', ${isoText(at.sql)}, '"')`),
  'timestamps-as-json': timestampsAsJson,
  series,
  later: moved(sql``),
  earlier: moved(sql`-`),
  'time-between': (to, from) =>
    interval('microsecond', sql`(${micros(moment(to))} - ${micros(moment(from))})`),
  'days-later': daysAway(sql``),
  'days-earlier': daysAway(sql`-`),
  'days-between': (from, to) => printed('integer', sql`dateDiff('day', ${from.sql}, ${to.sql})`),
  'start-of': (unit, at) => printed('timestamp', truncated(textIn(unit), moment(at))),
  'start-of-week': startOfWeek,
  'boundaries-between': (unit, from, to) =>
    printed('integer', sql`dateDiff(${textLiteral(textIn(unit))}, ${moment(from)}, ${moment(to)})`),
  'units-between': (to, from, size) =>
    printed('integer', sql`intDiv(${micros(moment(to))} - ${micros(moment(from))}, ${size.sql})`),
  'local-time': (at, zone) =>
    printed('timestamp', sql`toDateTime64OrNull(toString(toTimeZone(${at.sql}, ${zone.sql})), 6, 'UTC')`),
  'timestamp-of-local': (local, zone) =>
    printed('timestamp', sql`toTimeZone(toDateTime64OrNull(toString(${local.sql}), 6, ${zone.sql}), 'UTC')`),
  'interval-of-days': (count, days) =>
    interval('microsecond', amount(count.sql, 4_000_000, numberIn(days) * DAY)),
  'interval-of-microseconds': (count, size) => {
    const each = numberIn(size);
    return interval(
      'microsecond',
      amount(count.sql, Math.min(Math.floor(3.2e17 / each), Number.MAX_SAFE_INTEGER), each),
    );
  },
  'interval-of-months': (count, months) => interval('month', amount(count.sql, 120_000, numberIn(months))),
  'interval-of-minutes': (minutes) => interval('microsecond', integerLiteral(numberIn(minutes) * 60_000_000)),
  'timestamp-of-units': (units, size) =>
    printed(
      'timestamp',
      sql`if(${units.sql} BETWEEN ${within(size.sql)}, ${fromMicros(sql`${units.sql} * ${size.sql}`)}, NULL)`,
    ),
  'units-of-timestamp': (at, size) =>
    printed(
      'integer',
      sql`intDiv(${micros(moment(at))} - positiveModulo(${micros(moment(at))}, ${size.sql}), ${size.sql})`,
    ),
  'timestamp-of-parts': timestampOfParts,
  'steps-between': stepsBetween,
  'time-bucket': timeBucket,
  'last-day': (day) => printed('date', sql`addDays(addMonths(date_trunc('month', ${day.sql}), 1), -1)`),
  'days-since-1970': (day) => printed('integer', sql`toInt64(toInt32(${day.sql}))`),
  'date-of-days': (days) =>
    printed(
      'date',
      sql`addDays(toDate32('1970-01-01'), if(${days.sql} BETWEEN -719162 AND 2932896, ${days.sql}, NULL))`,
    ),
};
