/** Rows over time: how they are counted from a result, and the query that counts all of them where a result is cut. */
import type { Asked, TimeRange } from './asked.js';

export interface Bucket {
  /** Milliseconds since 1970, UTC. */
  readonly start: number;
  readonly count: number;
}

export interface Counts {
  readonly unit: TimeUnit;
  /** One after the other, empty ones among them. */
  readonly buckets: readonly Bucket[];
}

export type TimeUnit = 'second' | 'minute' | 'hour' | 'day';
type Row = Readonly<Record<string, unknown>>;

const UNITS: readonly { readonly unit: TimeUnit; readonly length: number }[] = [
  { unit: 'second', length: 1_000 },
  { unit: 'minute', length: 60_000 },
  { unit: 'hour', length: 3_600_000 },
  { unit: 'day', length: 86_400_000 },
];
const MOST_BUCKETS = 180;

const lengthOf = (unit: TimeUnit): number => UNITS.find((one) => one.unit === unit)?.length ?? 1_000;

/** The finest unit that does not take more bars than a chart has room for. */
export const unitFor = (from: number, to: number): TimeUnit =>
  UNITS.find(({ length }) => (to - from) / length < MOST_BUCKETS)?.unit ?? 'day';

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** As the API writes times. */
export const isTime = (value: unknown): boolean => typeof value === 'string' && TIME.test(value);

/** The column that says when: `timestamp` where it is one, else the first whose values are times. Null: there is none. */
export const timeColumn = (rows: readonly Row[]): string | null => {
  const [first = {}] = rows;
  const hasTime = (name: string): boolean => isTime(first[name]);
  return hasTime('timestamp') ? 'timestamp' : (Object.keys(first).find(hasTime) ?? null);
};

const spread = (times: ReadonlyMap<number, number>, unit: TimeUnit): Counts => {
  const length = lengthOf(unit);
  const starts = [...times.keys()];
  const first = starts.reduce((least, start) => Math.min(least, start), Number.POSITIVE_INFINITY);
  const last = starts.reduce((most, start) => Math.max(most, start), Number.NEGATIVE_INFINITY);
  const buckets: Bucket[] = [];
  for (let start = first; start <= last; start += length)
    buckets.push({ start, count: times.get(start) ?? 0 });
  return { unit, buckets };
};

/** Null where no row has a time. */
export const countsOf = (rows: readonly Row[]): Counts | null => {
  const column = timeColumn(rows);
  if (column === null) return null;
  const times = rows.map((row) => Date.parse(String(row[column]))).filter((time) => !Number.isNaN(time));
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

/** Rows of a counting query as counts. */
export const countsIn = (rows: readonly Row[], unit: TimeUnit): Counts | null => {
  const counted = new Map<number, number>();
  for (const { timestamp, count } of rows) counted.set(Date.parse(String(timestamp)), Number(count));
  return counted.size === 0 ? null : spread(counted, unit);
};

export const unitOfRange = (range: TimeRange): TimeUnit => {
  if (range.kind !== 'between') return 'day';
  const [from, to] = [Date.parse(range.from), range.to === '' ? Date.now() : Date.parse(range.to)];
  return Number.isNaN(from) || Number.isNaN(to) ? 'day' : unitFor(from, to);
};

/** The same question, counted by time over all that it finds; null where it counts already or reads no table. */
export const countingQuery = (
  asked: Asked,
  { reads, unit }: { readonly reads: string | null; readonly unit: TimeUnit },
): Asked | null => {
  switch (asked.language) {
    case 'stored':
      return reads === null ? null : { ...asked, language: 'sql', query: countOf(reads, unit) };
    case 'sql':
      return { ...asked, query: countOf(`(${asked.query.trim().replace(/;$/, '')}\n) as asked`, unit) };
    case 'lql': {
      if (/(?:^|\s)[sc]:/.test(asked.query)) return null;
      return { ...asked, query: `${asked.query} c:count(*) c:group_by(t::${unit})` };
    }
    default:
      return asked.language satisfies never;
  }
};

const countOf = (from: string, unit: TimeUnit): string =>
  `select timestamp_trunc(timestamp, ${unit}) as timestamp, count(*) as count from ${from} group by 1 order by 1`;
