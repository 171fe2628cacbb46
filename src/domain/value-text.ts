/** Attempts, singles and averages as text. The values are those of attempts.ts. */
import { DNS, NOT_TAKEN, TIME_NOT_KNOWN, type ValueFormat } from './attempts.js';
import { decodeMulti } from './scoring.js';

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
