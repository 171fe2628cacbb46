/** Results, dates, counts and shell words as text. The values are those of src/domain/attempts.ts. */
import { DNS, NOT_TAKEN, TIME_NOT_KNOWN, type ValueFormat } from '../../src/domain/attempts.js';
import { decodeMulti } from '../../src/domain/scoring.js';

/** Centiseconds as `9.87`, `1:02.34`, `1:02:03.45`. */
const timeText = (centiseconds: number): string => {
  const hundredths = String(centiseconds % 100).padStart(2, '0');
  const whole = Math.floor(centiseconds / 100);
  const seconds = whole % 60;
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  const padded = (value: number): string => String(value).padStart(2, '0');
  if (hours > 0) return `${hours}:${padded(minutes)}:${padded(seconds)}.${hundredths}`;
  return minutes > 0 ? `${minutes}:${padded(seconds)}.${hundredths}` : `${seconds}.${hundredths}`;
};

/** `11/12 45:32`: a multi result has whole seconds. */
const multiText = (value: number): string => {
  const multi = decodeMulti(value);
  if (!multi) return '';
  const { solved, missed, centiseconds } = multi;
  return `${solved}/${solved + missed} ${timeText(centiseconds).replace(/\.\d\d$/, '')}`;
};

/** The text of an attempt or a single. Empty when no attempt was taken. */
export const resultText = (value: number, format: ValueFormat): string => {
  if (value === NOT_TAKEN) return '';
  if (value === DNS) return 'DNS';
  if (value < 0) return 'DNF';
  switch (format) {
    case 'time':
      return value === TIME_NOT_KNOWN ? 'Solved' : timeText(value);
    case 'number':
      return String(value);
    case 'multi':
      return multiText(value);
    default:
      return format satisfies never;
  }
};

/** The text of an average. In number events its value is 100 times the mean. */
export const averageText = (value: number, format: ValueFormat): string =>
  format === 'number' && value > 0 ? (value / 100).toFixed(2) : resultText(value, format);

/** The two values of a result by which it can be ranked. */
export type ResultType = 'single' | 'average';

export const RESULT_TYPE_NAMES: Readonly<Record<ResultType, string>> = {
  single: 'Single',
  average: 'Average',
};

export const valueText = (type: ResultType, value: number, format: ValueFormat): string =>
  type === 'single' ? resultText(value, format) : averageText(value, format);

/** Within single quotes a shell reads every character as it is, except the quote itself. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** `1 result`, `2 results`. */
export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The indexes of the best and the worst of five attempts, which do not count for the average. Empty for other counts. */
export const droppedIndexes = (attempts: readonly number[]): ReadonlySet<number> => {
  if (attempts.length !== 5 || attempts.includes(NOT_TAKEN)) return new Set();
  const cost = (value: number): number => (value < 0 ? Number.POSITIVE_INFINITY : value);
  let [best, worst] = [0, 0];
  attempts.forEach((value, index) => {
    if (cost(value) < cost(attempts[best] ?? 0)) best = index;
    if (cost(value) >= cost(attempts[worst] ?? 0)) worst = index;
  });
  return new Set([best, worst]);
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2023-07-28` as `28 Jul 2023`. It ignores the locale, so the server and every browser write the same. */
export const dateText = (date: string): string => {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? month} ${year}`;
};

export const dateRangeText = (start: string, end: string): string => {
  if (start === end) return dateText(start);
  const [day, month, year] = dateText(start).split(' ');
  const [, endMonth, endYear] = dateText(end).split(' ');
  if (year !== endYear) return `${dateText(start)} – ${dateText(end)}`;
  return month === endMonth ? `${day} – ${dateText(end)}` : `${day} ${month} – ${dateText(end)}`;
};
