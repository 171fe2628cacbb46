/** Functions of timestamps, dates and zones. A datetime is a timestamp in UTC. */
import { TIME_PARTS, type TimePart } from '../../../foundation/log-store/query-operations.js';
import type { Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import { apply, chain, choose, literal, NOW, not, timeOfText, timePart, timeText } from '../terms.js';
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
import { parsingFormats, timeFormat } from './time-format.js';
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
    UNITS_BELOW_DAY.has(unit)
      ? apply('earlier', at, apply('time-between', local, start))
      : fromLocalTime(start, zone),
  );
});

const dateOf = (at: Term): Term => apply('timestamp-as-date', at);

const spanAt = (call: Call, at: number): Span => call.expressions[at]?.span ?? call.span;

const dateTrunc = simple([2, 2], (call) => {
  const value = argument(call, 0);
  const at = truncated(moment(call, 0), word(call, 1), spanAt(call, 1));
  return value.type.kind === 'date' ? of('date', dateOf(at)) : of('timestamp', at);
});

export const intervalAt = (call: Call, at: number): Term => {
  const value = argument(call, at);
  if (value.type.kind !== 'interval')
    return refuse(value.span, `${call.name} takes an interval here, such as INTERVAL 1 HOUR`);
  return value.term;
};

/** A time some interval away. */
const away = (operation: 'later' | 'earlier') =>
  simple([2, 2], (call) => of('timestamp', apply(operation, moment(call, 0), intervalAt(call, 1))));

const dateAway = (operation: 'later' | 'earlier') =>
  simple([2, 2], (call) => of('date', dateOf(apply(operation, day(call, 0), intervalAt(call, 1)))));

/** Whole units between two timestamps, rounded towards zero. */
const timestampDiff = (call: Call): Shape => {
  const microseconds = UNIT_MICROSECONDS[word(call, 2)];
  if (microseconds === undefined)
    return refuse(
      spanAt(call, 2),
      `${call.name} counts in ${Object.keys(UNIT_MICROSECONDS).join(', ').toUpperCase()}`,
    );
  return of('integer', apply('units-between', moment(call, 0), moment(call, 1), literal(microseconds)));
};

/** Number of unit boundaries between two timestamps. */
const boundaryDiff = (call: Call): Shape => {
  const unit = word(call, 2);
  const [to, from] = [moment(call, 0), moment(call, 1)];
  const boundaries = (of0: string, start: Term, end: Term) =>
    apply('boundaries-between', literal(of0), start, end);
  if (CALENDAR_UNITS.includes(unit)) return of('integer', boundaries(unit, from, to));
  if (weekShift(unit) === null)
    return refuse(spanAt(call, 2), `${call.name} counts in ${CALENDAR_UNITS.join(', ').toUpperCase()}, WEEK`);
  const [start, end] = [truncated(from, unit, call.span), truncated(to, unit, call.span)];
  return of('integer', apply('divide-integers', boundaries('day', start, end), literal(7)));
};

/** NULL outside the years 1 to 9999, the range of the dialect. */
const fromUnix = (microseconds: number) =>
  simple([1, 1], (call) =>
    of('timestamp', apply('timestamp-of-units', whole(call, 0), literal(microseconds))),
  );

/** From microseconds to larger units, rounded towards the past. */
const toUnix = (microseconds: number) =>
  simple([1, 1], (call) =>
    of('integer', apply('units-of-timestamp', moment(call, 0), literal(microseconds))),
  );

/** A time from year, month, day and so on; NULL when there is no such time. */
const fromParts = (call: Call): Term => {
  const part = (at: number) => (has(call, at) ? whole(call, at) : literal(0));
  return apply('timestamp-of-parts', ...[0, 1, 2, 3, 4, 5].map(part));
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

const date = (call: Call): Shape =>
  of('date', dateOf(has(call, 2) ? fromParts(call) : localTime(moment(call, 0), zoneAt(call, 1))));

const ENDS_WITH_ZONE = literal('[0-9]([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)$|[A-Za-z]/[A-Za-z]');
const IS_DAY = literal('^[0-9]+-[0-9]+-[0-9]+$');

/** A text has its own zone, or takes the zone of the second argument. */
const timestamp = (call: Call): Shape => {
  const zone = zoneAt(call, 1);
  const { type } = argument(call, 0);
  if (type.kind === 'string' && zone.kind !== 'utc') {
    const written = text(call, 0);
    const own = chain('and', [
      apply('matches', written, ENDS_WITH_ZONE),
      not(apply('matches', written, IS_DAY)),
    ]);
    const at = moment(call, 0);
    return of('timestamp', choose([[own, at]], fromLocalTime(at, zone)));
  }
  return of('timestamp', fromLocalTime(moment(call, 0), zone));
};

const format = simple([2, 3], (call) => {
  const zone = zoneAt(call, 2);
  const utc = moment(call, 1);
  const written = literalText(call, 0, 'the format');
  const times = { local: localTime(utc, zone), utc, zoneName: zoneName(zone) };
  return of('string', timeText({ ...times, format: timeFormat(written, argument(call, 0).span) }));
});

const ENDS_WITH_Z = literal('[Zz]$');
const ENDS_WITH_COLON = literal('([+-][0-9]{2}):([0-9]{2})$');

/** Writes the offset at the end of a text as every engine reads it: from `Z` and `+02:00` to `+0000` and `+0200`. */
const withPlainOffset = (written: Term): Term =>
  apply(
    'replace-matched',
    apply('replace-matched', written, ENDS_WITH_Z, literal('+0000')),
    ENDS_WITH_COLON,
    literal('\\1\\2'),
  );

const parse = (kind: 'timestamp' | 'date') =>
  simple([2, 3], (call) => {
    const { formats, prefix, endsWithOffset, beyondMicroseconds } = parsingFormats(
      literalText(call, 0, 'the format'),
      argument(call, 0).span,
    );
    const given = prefix === '' ? text(call, 1) : chain('||', [literal(prefix), text(call, 1)]);
    const offset = endsWithOffset ? withPlainOffset(given) : given;
    const written =
      beyondMicroseconds === null
        ? offset
        : apply('replace-matched', offset, literal(beyondMicroseconds), literal('\\1\\2'));
    const read = formats.map((pattern) => timeOfText(written, pattern));
    const at = read.reduce((one, other) => apply('coalesce', one, other));
    const zone = zoneAt(call, 2);
    return kind === 'date' ? of('date', dateOf(at)) : of('timestamp', fromLocalTime(at, zone));
  });

const isTimePart = (part: string): part is TimePart => TIME_PARTS.some((known) => known === part);

/** EXTRACT(part FROM at AT TIME ZONE zone). */
export const extracted = (
  at: Term,
  { part, zone, span }: { part: string; zone: Zone; span: Span },
): Shape => {
  const local = localTime(at, zone);
  if (part === 'date') return of('date', dateOf(local));
  if (!isTimePart(part))
    return refuse(
      span,
      `${part.toUpperCase()} cannot be extracted; there are DATE, ${TIME_PARTS.join(', ').toUpperCase()}`,
    );
  return of('integer', timePart(part, local));
};

const isTime = ({ type }: Value): boolean => type.kind === 'timestamp' || type.kind === 'date';

/** A date some days later or earlier; NULL when there is no such date. */
const daysAway = (date: Value, days: Value, operator: '+' | '-'): Shape =>
  of('date', apply(operator === '+' ? 'days-later' : 'days-earlier', date.term, days.term));

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
  return of('timestamp', apply(operator === '+' ? 'later' : 'earlier', at, right.term));
};

export const TIME_FUNCTIONS: Functions = {
  current_timestamp: simple([0, 0], () => of('timestamp', NOW)),
  current_datetime: simple([0, 1], (call) => of('timestamp', localTime(NOW, zoneAt(call, 0)))),
  current_date: simple([0, 1], (call) => of('date', dateOf(localTime(NOW, zoneAt(call, 0))))),
  timestamp_trunc: trunc,
  datetime_trunc: trunc,
  date_trunc: dateTrunc,
  timestamp_add: away('later'),
  timestamp_sub: away('earlier'),
  datetime_add: away('later'),
  datetime_sub: away('earlier'),
  date_add: dateAway('later'),
  date_sub: dateAway('earlier'),
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
