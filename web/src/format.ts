/** Results, dates, counts and shell words as text. */
import { NOT_TAKEN, type ValueFormat } from '../../src/domain/attempts.js';
import { averageText, resultText } from '../../src/domain/value-text.js';

export { averageText, resultText };

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
