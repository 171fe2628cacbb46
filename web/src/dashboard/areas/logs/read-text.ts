import type { Amount } from '../../../../../src/logs/query/estimate-views.js';
import { numberText } from '../../parts/number-text.js';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `642 kB`. Powers of 1,000; up to 3 digits, because the bytes are an estimate. */
const bytesText = (bytes: number): string => {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const value = bytes / 1_000 ** power;
  return `${numberText(Number(value.toPrecision(3)))} ${UNITS[power]}`;
};

/** `1,204 rows` */
export const rowsText = (count: number): string => `${numberText(count)} row${count === 1 ? '' : 's'}`;

/** `1,204 entries (642 kB)`: what a query reads. */
export const readText = ({ entries, bytes }: Amount): string =>
  `${numberText(entries)} ${entries === 1 ? 'entry' : 'entries'} (${bytesText(bytes)})`;
