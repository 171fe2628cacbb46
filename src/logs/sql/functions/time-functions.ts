/** Functions of timestamps, dates and zones. A datetime is a timestamp in UTC. */
import { type EngineSql, integerLiteral, sql } from '../engine-sql.js';
import { refuse } from '../query-problem.js';
import type { Span } from '../tree.js';
import { convert, nameOf } from '../values/convert.js';
import type { Shape, Value } from '../values/values.js';
import {
  argument,
  type Call,
  day,
  type Functions,
  has,
  literalText,
  moment,
  of,
  simple,
  text,
  whole,
  word,
} from './call.js';
import { formatted, parsingFormat } from './time-format.js';
import {
  CALENDAR_UNITS,
  fromLocalTime,
  localTime,
  truncated,
  UNIT_MICROSECONDS,
  UNITS_BELOW_DAY,
  weekShift,
  type Zone,
  zoneOf,
} from './time-units.js';

const NOW: EngineSql = sql`make_timestamp(CAST($now AS BIGINT))`;

const zoneAt = (call: Call, at: number): Zone =>
  has(call, at) ? zoneOf(argument(call, at)) : { kind: 'utc' };

const zoneName = (zone: Zone): string => {
  switch (zone.kind) {
    case 'utc':
      return 'UTC';
    case 'named':
      return zone.name;
    case 'offset': {
      const minutes = Math.abs(zone.minutes);
      const two = (value: number) => `${value}`.padStart(2, '0');
      return `UTC${zone.minutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
    }
  }
};

const trunc = simple([2, 3], (call) => {
  const [zone, unit] = [zoneAt(call, 2), word(call, 1)];
  const at = moment(call, 0);
  const local = localTime(at, zone);
  const start = truncated(local, unit, spanAt(call, 1));
  // When a clock is set back, one hour occurs twice in local time. So units below a day are subtracted from the timestamp.
  return of(
    'timestamp',
    UNITS_BELOW_DAY.has(unit) ? sql`(${at} - (${local} - ${start}))` : fromLocalTime(start, zone),
  );
});

const spanAt = (call: Call, at: number): Span => call.expressions[at]?.span ?? call.span;

const dateTrunc = simple([2, 2], (call) => {
  const value = argument(call, 0);
  const at = truncated(moment(call, 0), word(call, 1), spanAt(call, 1));
  return value.type.kind === 'date' ? of('date', sql`CAST(${at} AS DATE)`) : of('timestamp', at);
});

export const intervalAt = (call: Call, at: number): EngineSql => {
  const value = argument(call, at);
  if (value.type.kind !== 'interval')
    return refuse(value.span, `${call.name} takes an interval here, such as INTERVAL 1 HOUR`);
  return value.sql;
};

const added = simple([2, 2], (call) => of('timestamp', sql`(${moment(call, 0)} + ${intervalAt(call, 1)})`));
const subtracted = simple([2, 2], (call) =>
  of('timestamp', sql`(${moment(call, 0)} - ${intervalAt(call, 1)})`),
);
const dateAdded = simple([2, 2], (call) =>
  of('date', sql`CAST(${day(call, 0)} + ${intervalAt(call, 1)} AS DATE)`),
);
const dateSubtracted = simple([2, 2], (call) =>
  of('date', sql`CAST(${day(call, 0)} - ${intervalAt(call, 1)} AS DATE)`),
);

/** Whole units between two timestamps, rounded towards zero. */
const timestampDiff = (call: Call): Shape => {
  const microseconds = UNIT_MICROSECONDS[word(call, 2)];
  if (microseconds === undefined)
    return refuse(
      spanAt(call, 2),
      `${call.name} counts in ${Object.keys(UNIT_MICROSECONDS).join(', ').toUpperCase()}`,
    );
  const between = sql`(epoch_us(${moment(call, 0)}) - epoch_us(${moment(call, 1)}))`;
  return of('integer', sql`(${between} // ${integerLiteral(microseconds)})`);
};

/** Number of unit boundaries between two timestamps. */
const boundaryDiff = (call: Call): Shape => {
  const unit = word(call, 2);
  const [to, from] = [moment(call, 0), moment(call, 1)];
  const plain = CALENDAR_UNITS[unit];
  if (plain !== undefined) return of('integer', sql`date_diff(${plain}, ${from}, ${to})`);
  if (weekShift(unit) === null)
    return refuse(
      spanAt(call, 2),
      `${call.name} counts in ${Object.keys(CALENDAR_UNITS).join(', ').toUpperCase()}, WEEK`,
    );
  const [start, end] = [truncated(from, unit, call.span), truncated(to, unit, call.span)];
  return of('integer', sql`(date_diff('day', ${start}, ${end}) // 7)`);
};

/** NULL outside the years 1 to 9999, the range of the dialect. */
const fromUnix = (microseconds: number) =>
  simple([1, 1], (call) => {
    const count = whole(call, 0);
    const unit = integerLiteral(microseconds);
    const within = sql`${count} BETWEEN -62135596800000000 // ${unit} AND 253402300799999999 // ${unit}`;
    return of('timestamp', sql`CASE WHEN ${within} THEN make_timestamp(${count} * ${unit}) END`);
  });

/** From microseconds to larger units, rounded towards the past. */
const toUnix = (microseconds: number) =>
  simple([1, 1], (call) => {
    const micros = sql`epoch_us(${moment(call, 0)})`;
    const unit = integerLiteral(microseconds);
    return of('integer', sql`((${micros} - (${micros} % ${unit} + ${unit}) % ${unit}) // ${unit})`);
  });

/** A time from year, month, day and so on; NULL when there is no such time. */
const fromParts = (call: Call): EngineSql => {
  const part = (at: number) => (has(call, at) ? whole(call, at) : sql`0`);
  const two = (at: number) => sql`lpad(CAST(${part(at)} AS VARCHAR), 2, '0')`;
  return sql`TRY_CAST(lpad(CAST(${part(0)} AS VARCHAR), 4, '0') || '-' || ${two(1)} || '-' || ${two(2)} || ' ' || ${two(3)} || ':' || ${two(4)} || ':' || ${two(5)} AS TIMESTAMP)`;
};

const datetime = (call: Call): Shape => {
  if (has(call, 5)) return of('timestamp', fromParts(call));
  if (has(call, 2))
    return refuse(
      call.span,
      'datetime takes a timestamp and a zone, or six numbers from the year to the second',
    );
  return of('timestamp', localTime(moment(call, 0), zoneAt(call, 1)));
};

const date = (call: Call): Shape => {
  if (has(call, 2)) return of('date', sql`CAST(${fromParts(call)} AS DATE)`);
  return of('date', sql`CAST(${localTime(moment(call, 0), zoneAt(call, 1))} AS DATE)`);
};

/** A text has its own zone, or takes the zone of the second argument. */
const timestamp = (call: Call): Shape => {
  const zone = zoneAt(call, 1);
  const { type } = argument(call, 0);
  if (type.kind === 'string' && zone.kind !== 'utc') {
    const written = text(call, 0);
    const own = sql`regexp_matches(${written}, '[0-9]([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)$|[A-Za-z]/[A-Za-z]') AND NOT regexp_matches(${written}, '^[0-9]+-[0-9]+-[0-9]+$')`;
    return of(
      'timestamp',
      sql`CASE WHEN ${own} THEN ${moment(call, 0)} ELSE ${fromLocalTime(moment(call, 0), zone)} END`,
    );
  }
  return of('timestamp', fromLocalTime(moment(call, 0), zone));
};

const format = simple([2, 3], (call) => {
  const zone = zoneAt(call, 2);
  const utc = moment(call, 1);
  const written = literalText(call, 0, 'the format');
  const times = { local: localTime(utc, zone), utc, zoneName: zoneName(zone) };
  return of('string', formatted(times, written, argument(call, 0).span));
});

const parse = (kind: 'timestamp' | 'date') =>
  simple([2, 3], (call) => {
    const pattern = parsingFormat(literalText(call, 0, 'the format'), argument(call, 0).span);
    const local = sql`try_strptime(${text(call, 1)}, ${pattern})`;
    const zone = zoneAt(call, 2);
    const at = sql`CAST(${local} AS TIMESTAMP)`;
    return kind === 'date' ? of('date', sql`CAST(${at} AS DATE)`) : of('timestamp', fromLocalTime(at, zone));
  });

const PARTS: Readonly<Record<string, (local: EngineSql) => EngineSql>> = {
  microsecond: (local) => sql`(microsecond(${local}) % 1000000)`,
  millisecond: (local) => sql`(millisecond(${local}) % 1000)`,
  second: (local) => sql`second(${local})`,
  minute: (local) => sql`minute(${local})`,
  hour: (local) => sql`hour(${local})`,
  dayofweek: (local) => sql`(dayofweek(${local}) + 1)`,
  day: (local) => sql`day(${local})`,
  dayofyear: (local) => sql`dayofyear(${local})`,
  week: (local) => sql`CAST(strftime(${local}, '%U') AS BIGINT)`,
  'week(monday)': (local) => sql`CAST(strftime(${local}, '%W') AS BIGINT)`,
  isoweek: (local) => sql`weekofyear(${local})`,
  month: (local) => sql`month(${local})`,
  quarter: (local) => sql`quarter(${local})`,
  year: (local) => sql`year(${local})`,
  isoyear: (local) => sql`isoyear(${local})`,
};

/** EXTRACT(part FROM at AT TIME ZONE zone). */
export const extracted = (
  at: EngineSql,
  { part, zone, span }: { part: string; zone: Zone; span: Span },
): Shape => {
  const local = localTime(at, zone);
  if (part === 'date') return of('date', sql`CAST(${local} AS DATE)`);
  const print = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined;
  if (print === undefined)
    return refuse(
      span,
      `${part.toUpperCase()} cannot be extracted; there are DATE, ${Object.keys(PARTS).join(', ').toUpperCase()}`,
    );
  return of('integer', sql`CAST(${print(local)} AS BIGINT)`);
};

const isTime = ({ type }: Value): boolean => type.kind === 'timestamp' || type.kind === 'date';

/** A date some days later or earlier; NULL when there is no such date. */
const daysAway = (date: Value, { sql: days }: Value, operator: '+' | '-'): Shape => {
  const sign = operator === '+' ? sql`+` : sql`-`;
  const at = sql`CAST(${date.sql} ${sign} CAST(${days} AS INTEGER) AS DATE)`;
  return of('date', sql`CASE WHEN abs(${days}) < 4000000 THEN ${at} END`);
};

/** `a - b` and `a + b` with an interval or a time. Returns null without one. */
export const timeArithmetic = (call: Call, operator: '+' | '-'): Shape | null => {
  const [left, right] = [argument(call, 0), argument(call, 1)];
  if (left.type.kind === 'interval' && operator === '+')
    return timeArithmetic({ ...call, args: [right, left] }, '+');
  if (left.type.kind === 'date' && right.type.kind === 'integer') return daysAway(left, right, operator);
  if (operator === '-' && isTime(left) && isTime(right))
    return refuse(call.span, 'how far two times are apart is said by timestamp_diff or date_diff');
  if (right.type.kind !== 'interval') return null;
  if (left.type.kind === 'interval')
    return refuse(call.span, 'two intervals cannot be added; add each to a timestamp');
  const kind = left.type.kind;
  if (!['timestamp', 'date', 'string', 'json'].includes(kind))
    return refuse(left.span, `an interval cannot be added to a ${nameOf(left.type)}`);
  const at = convert(left, 'timestamp', left.span);
  return of('timestamp', operator === '+' ? sql`(${at} + ${right.sql})` : sql`(${at} - ${right.sql})`);
};

export const TIME_FUNCTIONS: Functions = {
  current_timestamp: simple([0, 0], () => of('timestamp', NOW)),
  current_datetime: simple([0, 1], (call) => of('timestamp', localTime(NOW, zoneAt(call, 0)))),
  current_date: simple([0, 1], (call) => of('date', sql`CAST(${localTime(NOW, zoneAt(call, 0))} AS DATE)`)),
  timestamp_trunc: trunc,
  datetime_trunc: trunc,
  date_trunc: dateTrunc,
  timestamp_add: added,
  timestamp_sub: subtracted,
  datetime_add: added,
  datetime_sub: subtracted,
  date_add: dateAdded,
  date_sub: dateSubtracted,
  timestamp_diff: simple([3, 3], timestampDiff),
  datetime_diff: simple([3, 3], boundaryDiff),
  date_diff: simple([3, 3], boundaryDiff),
  timestamp_seconds: fromUnix(1_000_000),
  timestamp_millis: fromUnix(1_000),
  timestamp_micros: fromUnix(1),
  unix_seconds: toUnix(1_000_000),
  unix_millis: toUnix(1_000),
  unix_micros: toUnix(1),
  format_timestamp: format,
  format_datetime: format,
  format_date: format,
  parse_timestamp: parse('timestamp'),
  parse_datetime: parse('timestamp'),
  parse_date: parse('date'),
  timestamp: simple([1, 2], timestamp),
  datetime: simple([1, 6], datetime),
  date: simple([1, 3], date),
};
