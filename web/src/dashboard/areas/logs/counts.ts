/** Counts of rows over time: from the rows of a result, or by a query that counts all rows. */
import type { LogQuery, LogRow, TimeRange } from './log-query.js';
import { isFilter } from './lql-table.js';
import { momentOf } from './time-text.js';

export interface Bucket {
  /** Milliseconds since 1970, UTC. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly count: number;
}

/** Milliseconds since 1970; an open end is null. */
export interface Bounds {
  readonly from: number | null;
  readonly to: number | null;
}

const UNBOUNDED: Bounds = { from: null, to: null };

export interface Counts {
  readonly unit: ChartUnit;
  /** Consecutive, including empty ones. */
  readonly buckets: readonly Bucket[];
}

/** The unit of counting. */
type TimeUnit = 'second' | 'minute' | 'hour' | 'day';
/** The unit of the chart: over many years, it shows months or years instead of days. */
export type ChartUnit = TimeUnit | 'month' | 'year';

const UNITS: readonly { readonly unit: TimeUnit; readonly length: number }[] = [
  { unit: 'second', length: 1_000 },
  { unit: 'minute', length: 60_000 },
  { unit: 'hour', length: 3_600_000 },
  { unit: 'day', length: 86_400_000 },
];
const MAX_BUCKETS = 180;

const lengthOf = (unit: TimeUnit): number => UNITS.find((one) => one.unit === unit)?.length ?? 1_000;

/** The finest unit with less than MAX_BUCKETS bars. `from`, `to`: milliseconds. */
export const unitFor = (from: number, to: number): TimeUnit =>
  UNITS.find(({ length }) => (to - from) / length < MAX_BUCKETS)?.unit ?? 'day';

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** True for a time as the API writes it. */
export const isTime = (value: unknown): boolean => typeof value === 'string' && TIME.test(value);

/** The time column: `timestamp` if it has times, else the first column with times. Null when there is none. */
export const timeColumn = (rows: readonly LogRow[]): string | null => {
  const [first = {}] = rows;
  const hasTime = (name: string): boolean => isTime(first[name]);
  return hasTime('timestamp') ? 'timestamp' : (Object.keys(first).find(hasTime) ?? null);
};

/** The largest number of bars that a chart can show. */
const MAX_CHART_BUCKETS = 1_000;

const spread = (times: ReadonlyMap<number, number>, unit: TimeUnit, bounds = UNBOUNDED): Counts => {
  const length = lengthOf(unit);
  const startOf = (time: number | null): readonly number[] =>
    time === null ? [] : [Math.floor(time / length) * length];
  const starts = [...times.keys(), ...startOf(bounds.from), ...startOf(bounds.to)];
  const first = starts.reduce((least, start) => Math.min(least, start), Number.POSITIVE_INFINITY);
  const last = starts.reduce((most, start) => Math.max(most, start), Number.NEGATIVE_INFINITY);
  if ((last - first) / length >= MAX_CHART_BUCKETS) return byCalendar(times, first, last);
  const buckets: Bucket[] = [];
  for (let start = first; start <= last; start += length)
    buckets.push({ start, end: start + length, count: times.get(start) ?? 0 });
  return { unit, buckets };
};

/** For ranges of centuries, which one entry with a wrong clock is enough to cause. */
const byCalendar = (times: ReadonlyMap<number, number>, first: number, last: number): Counts => {
  const monthOf = (time: number): number =>
    new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth();
  const unit = monthOf(last) - monthOf(first) < MAX_CHART_BUCKETS ? 'month' : 'year';
  const step = unit === 'month' ? 1 : 12;
  const indexOf = (time: number): number => Math.floor(monthOf(time) / step);
  const counted = new Map<number, number>();
  for (const [time, count] of times) counted.set(indexOf(time), (counted.get(indexOf(time)) ?? 0) + count);
  const buckets: Bucket[] = [];
  for (let index = indexOf(first); index <= indexOf(last); index += 1)
    buckets.push({
      start: startOfMonth(index * step),
      end: startOfMonth((index + 1) * step),
      count: counted.get(index) ?? 0,
    });
  return { unit, buckets };
};

/** `month`: months since the year 0. Date.UTC would take years before 100 as years of the 20th century. */
const startOfMonth = (month: number): number =>
  new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1);

/** Counts the rows of a result. Null when no row has a time. */
export const countRows = (rows: readonly LogRow[]): Counts | null => {
  const column = timeColumn(rows);
  if (column === null) return null;
  const times = rows.map((row) => momentOf(row[column])).filter((time) => !Number.isNaN(time));
  if (times.length === 0) return null;
  const unit = unitFor(
    times.reduce((least, time) => Math.min(least, time)),
    times.reduce((most, time) => Math.max(most, time)),
  );
  const length = lengthOf(unit);
  const counted = new Map<number, number>();
  for (const time of times) {
    const start = Math.floor(time / length) * length;
    counted.set(start, (counted.get(start) ?? 0) + 1);
  }
  return spread(counted, unit);
};

/** The rows of a counting query as counts, with empty buckets up to the bounds. Null when there are none. */
export const parseCounts = (rows: readonly LogRow[], unit: TimeUnit, bounds = UNBOUNDED): Counts | null => {
  const counted = new Map<number, number>();
  for (const { timestamp, count } of rows) counted.set(momentOf(timestamp), Number(count));
  return counted.size === 0 ? null : spread(counted, unit, bounds);
};

export const boundsOf = (range: TimeRange): Bounds => {
  if (range.kind !== 'between') return UNBOUNDED;
  const at = (text: string): number | null => (Number.isNaN(momentOf(text)) ? null : momentOf(text));
  const from = at(range.from);
  // A range that was chosen in the chart begins a microsecond before its first bucket; the bucket before that has none of its entries.
  return { from: from === null ? null : from + 1, to: at(range.to) };
};

export const unitForRange = (range: TimeRange): TimeUnit => {
  if (range.kind !== 'between') return 'day';
  const [from, to] = [momentOf(range.from), range.to === '' ? Date.now() : momentOf(range.to)];
  return Number.isNaN(from) || Number.isNaN(to) ? 'day' : unitFor(from, to);
};

/** A query that counts all rows of `asked` by time. Null when that query counts already, or reads no table. */
export const countingQuery = (
  asked: LogQuery,
  { reads, unit }: { readonly reads: string | null; readonly unit: TimeUnit },
): LogQuery | null => {
  switch (asked.language) {
    case 'stored':
      return reads === null ? null : { ...asked, language: 'sql', query: countOf(reads, unit) };
    case 'sql':
      return { ...asked, query: countOf(`(${asked.query.trim().replace(/;$/, '')}\n) as asked`, unit) };
    case 'lql': {
      if (!isFilter(asked.query)) return null;
      return { ...asked, query: `${asked.query} c:count(*) c:group_by(t::${unit})` };
    }
    default:
      return asked.language satisfies never;
  }
};

const countOf = (from: string, unit: TimeUnit): string =>
  `select timestamp_trunc(timestamp, ${unit}) as timestamp, count(*) as count from ${from} group by 1 order by 1`;
