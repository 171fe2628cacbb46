/**
 * Series of numbers and times. A query joins its counts with a series, so buckets without entries have a row too. A series
 * beyond the limit fails the query. As NULL it would join with nothing, and the author would not see why.
 */
import { OWN_ERROR } from '../../../foundation/log-store/checked-query.js';
import type { Term } from '../../../foundation/log-store/query-tree.js';
import { apply, choose, ELEMENT, each, literal } from '../terms.js';
import { type Call, day, type Functions, has, listOf, moment, of, simple, whole } from './call.js';
import { intervalAt } from './time-functions.js';

const MAX_ELEMENTS = literal(10_000);
const TOO_LONG = apply('error', literal(`${OWN_ERROR}a series has at most 10,000 elements`));

/** The series if its count is within the limit; otherwise an error. */
const bounded = (count: Term, series: Term): Term =>
  choose([
    [apply('>=', count, MAX_ELEMENTS), TOO_LONG],
    [apply('<', count, MAX_ELEMENTS), series],
  ]);

/** From the first to the last number, both included. The step may be negative. */
const numbers = simple([2, 3], (call) => {
  const [from, to] = [whole(call, 0), whole(call, 1)];
  const step = has(call, 2) ? whole(call, 2) : literal(1, 'integer');
  const count = apply('divide', apply('subtract', apply('integer-as-number', to), from), step);
  return listOf('integer', bounded(count, apply('series', from, to, step)));
});

const times = (call: Call): Term => {
  const [from, to, step] = [moment(call, 0), moment(call, 1), intervalAt(call, 2)];
  return bounded(apply('steps-between', from, to, step), apply('series', from, to, step));
};

const ONE_DAY = apply('interval-of-days', literal(1), literal(1));

const dates = simple([2, 3], (call) => {
  const listed = (series: Term) => each(series, apply('timestamp-as-date', ELEMENT));
  if (has(call, 2)) return listOf('date', listed(times(call)));
  const days = apply('days-between', day(call, 0), day(call, 1));
  const series = apply('series', moment(call, 0), moment(call, 1), ONE_DAY);
  return listOf('date', bounded(days, listed(series)));
});

/** The start of the bucket that contains a time. Buckets are counted from an origin. Source: BigQuery's TIMESTAMP_BUCKET. */
const bucket = (call: Call): Term => {
  const origin = has(call, 2) ? [moment(call, 2)] : [];
  return apply('time-bucket', intervalAt(call, 1), moment(call, 0), ...origin);
};

const timeBucket = simple([2, 3], (call) => of('timestamp', bucket(call)));

export const SERIES_FUNCTIONS: Functions = {
  generate_array: numbers,
  generate_timestamp_array: simple([3, 3], (call) => listOf('timestamp', times(call))),
  generate_date_array: dates,
  timestamp_bucket: timeBucket,
  datetime_bucket: timeBucket,
  date_bucket: simple([2, 3], (call) => of('date', apply('timestamp-as-date', bucket(call)))),
  last_day: simple([1, 1], (call) => of('date', apply('last-day', day(call, 0)))),
  unix_date: simple([1, 1], (call) => of('integer', apply('days-since-1970', day(call, 0)))),
  date_from_unix_date: simple([1, 1], (call) => of('date', apply('date-of-days', whole(call, 0)))),
};
