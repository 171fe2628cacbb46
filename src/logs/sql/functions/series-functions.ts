/**
 * Series of numbers and times. A query joins its counts with a series, so buckets without entries have a row too. A series
 * beyond the limit fails the query. As NULL it would join with nothing, and the author would not see why.
 */
import { OWN_ERROR } from '../../../foundation/log-store/checked-query.js';
import { type EngineSql, integerLiteral, sql, textLiteral } from '../engine-sql.js';
import { type Call, day, type Functions, has, listOf, moment, of, simple, whole } from './call.js';
import { intervalAt } from './time-functions.js';

const MAX_ELEMENTS = integerLiteral(10_000);
const TOO_LONG = textLiteral(`${OWN_ERROR}a series has at most 10,000 elements`);

/** The series if its count is within the limit; otherwise an error. */
const bounded = (count: EngineSql, series: EngineSql): EngineSql =>
  sql`CASE WHEN ${count} >= ${MAX_ELEMENTS} THEN error(${TOO_LONG}) WHEN ${count} < ${MAX_ELEMENTS} THEN ${series} END`;

/** From the first to the last number, both included. The step may be negative. */
const numbers = simple([2, 3], (call) => {
  const [from, to] = [whole(call, 0), whole(call, 1)];
  const step = has(call, 2) ? whole(call, 2) : sql`CAST(1 AS BIGINT)`;
  const count = sql`(CAST(${to} AS DOUBLE) - ${from}) / NULLIF(${step}, 0)`;
  const series = sql`generate_series(${from}, ${to}, ${step})`;
  return listOf('integer', bounded(count, series));
});

const times = (call: Call): EngineSql => {
  const [from, to, step] = [moment(call, 0), moment(call, 1), intervalAt(call, 2)];
  // A month counts as 28 days, so the limit holds for every month.
  const length = sql`abs(date_part('year', ${step}) * 336 + date_part('month', ${step}) * 28 + date_part('day', ${step})) * 86400 + abs(date_part('hour', ${step}) * 3600 + date_part('minute', ${step}) * 60 + date_part('second', ${step}) + date_part('microsecond', ${step}) % 1000000 / 1000000.0)`;
  const way = sql`(CASE WHEN ${step} < to_days(0) THEN -1 ELSE 1 END)`;
  const count = sql`${way} * (epoch(${to}) - epoch(${from})) / NULLIF(${length}, 0)`;
  return bounded(count, sql`generate_series(${from}, ${to}, ${step})`);
};

const dates = simple([2, 3], (call) => {
  if (has(call, 2)) return listOf('date', sql`list_transform(${times(call)}, lambda x: CAST(x AS DATE))`);
  const days = sql`(CAST(${day(call, 1)} AS DATE) - CAST(${day(call, 0)} AS DATE))`;
  const series = sql`generate_series(${moment(call, 0)}, ${moment(call, 1)}, to_days(1))`;
  return listOf('date', bounded(days, sql`list_transform(${series}, lambda x: CAST(x AS DATE))`));
});

/** The start of the bucket that contains a time. Buckets are counted from an origin. Source: BigQuery's TIMESTAMP_BUCKET. */
const bucket = (call: Call): EngineSql => {
  const origin = has(call, 2) ? moment(call, 2) : sql`TIMESTAMP '1950-01-01 00:00:00'`;
  return sql`CASE WHEN ${intervalAt(call, 1)} > to_days(0) THEN time_bucket(${intervalAt(call, 1)}, ${moment(call, 0)}, ${origin}) END`;
};

const timeBucket = simple([2, 3], (call) => of('timestamp', bucket(call)));

export const SERIES_FUNCTIONS: Functions = {
  generate_array: numbers,
  generate_timestamp_array: simple([3, 3], (call) => listOf('timestamp', times(call))),
  generate_date_array: dates,
  timestamp_bucket: timeBucket,
  datetime_bucket: timeBucket,
  date_bucket: simple([2, 3], (call) => of('date', sql`CAST(${bucket(call)} AS DATE)`)),
  last_day: simple([1, 1], (call) => of('date', sql`last_day(${day(call, 0)})`)),
  unix_date: simple([1, 1], (call) =>
    of('integer', sql`CAST(date_diff('day', DATE '1970-01-01', ${day(call, 0)}) AS BIGINT)`),
  ),
  date_from_unix_date: simple([1, 1], (call) => {
    const days = whole(call, 0);
    const at = sql`CAST(DATE '1970-01-01' + CAST(${days} AS INTEGER) AS DATE)`;
    return of('date', sql`CASE WHEN ${days} BETWEEN -719162 AND 2932896 THEN ${at} END`);
  }),
};
