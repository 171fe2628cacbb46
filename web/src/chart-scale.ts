/**
 * The scales of a chart: days on the horizontal axis, values on the vertical one, with ticks at round values and dates.
 * They are pure arithmetic, so the server and the browser draw the same chart.
 */
import { TIME_NOT_KNOWN, type ValueFormat } from '../../src/domain/attempts.js';
import { decodeMulti } from '../../src/domain/scoring.js';
import { dateText, type ResultType, resultText } from './format.js';

interface Tick {
  /** Share of the axis, 0 to 1. */
  readonly at: number;
  readonly text: string;
}

interface Axis {
  /** The share of the axis, 0 to 1, at which a value stands. */
  readonly scale: (value: number) => number;
  readonly ticks: readonly Tick[];
}

/** The value that a chart draws for a result: centiseconds, moves or points. Null when there is none to draw. */
export const plottedValue = (value: number, format: ValueFormat, type: ResultType): number | null => {
  if (value <= 0) return null;
  switch (format) {
    case 'time':
      return value === TIME_NOT_KNOWN ? null : value;
    case 'number':
      return type === 'average' ? value / 100 : value;
    case 'multi': {
      const multi = decodeMulti(value);
      return multi && multi.solved - multi.missed;
    }
    default:
      return format satisfies never;
  }
};

const MAX_VALUE_TICKS = 4;
/** Centiseconds, from fractions of a second to an hour. */
const TIME_STEPS = [
  5, 10, 20, 50, 100, 200, 500, 1_000, 1_500, 3_000, 6_000, 12_000, 30_000, 60_000, 120_000, 360_000,
];
const COUNT_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

const stepFor = (range: number, steps: readonly number[]): number => {
  const fitting = steps.find((step) => range / step <= MAX_VALUE_TICKS);
  return fitting ?? Math.ceil(range / MAX_VALUE_TICKS);
};

const axisText = (value: number, format: ValueFormat, step: number): string => {
  if (format !== 'time') return String(value);
  if (value === 0) return '0';
  return step % 100 === 0 ? resultText(value, 'time').replace(/\.00$/, '') : resultText(value, 'time');
};

/** Needs at least one value. */
export const valueAxis = (values: readonly number[], format: ValueFormat): Axis => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = stepFor(most - least, format === 'time' ? TIME_STEPS : COUNT_STEPS);
  const from = Math.floor(least / step) * step;
  const to = Math.max(Math.ceil(most / step) * step, from + step);
  const scale = (value: number): number => (value - from) / (to - from);
  const count = Math.round((to - from) / step);
  const named = Array.from({ length: count + 1 }, (_, index) => from + index * step);
  return { scale, ticks: named.map((value) => ({ at: scale(value), text: axisText(value, format, step) })) };
};

const DAY_MS = 86_400_000;
const MAX_YEAR_TICKS = 5;
/** Fewer than years, because `Sep 2026` is twice as wide on a phone. */
const MAX_MONTH_TICKS = 3;
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240];

/** Days from 1970 to a date YYYY-MM-DD. */
export const dayNumber = (date: string): number => Date.parse(date) / DAY_MS;

/** Months since the year 0. */
const monthOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
const firstOf = (month: number): string =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;

/** Needs at least one date. The axis scales days since 1970. */
export const dateAxis = (dates: readonly string[]): Axis => {
  const sorted = [...dates].sort();
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  const [from, to] = [dayNumber(first), dayNumber(last)];
  const scale = (day: number): number => (to === from ? 0.5 : (day - from) / (to - from));
  const months = monthOf(last) - monthOf(first);
  const step =
    MONTH_STEPS.find((one) => months / one <= (one % 12 === 0 ? MAX_YEAR_TICKS : MAX_MONTH_TICKS)) ?? 480;
  const start = Math.ceil((monthOf(first) + (first.endsWith('-01') ? 0 : 1)) / step) * step;
  const named: string[] = [];
  for (let month = start; month <= monthOf(last); month += step) named.push(firstOf(month));
  const text = (date: string): string =>
    step % 12 === 0 ? date.slice(0, 4) : dateText(date).replace(/^\d+ /, '');
  if (named.length > 1)
    return { scale, ticks: named.map((date) => ({ at: scale(dayNumber(date)), text: text(date) })) };
  const ends = first === last ? [first] : [first, last];
  return { scale, ticks: ends.map((date) => ({ at: scale(dayNumber(date)), text: dateText(date) })) };
};
