/** The rows of a result as the text of a file. */

import { withFormulaMark } from '../../../../../src/domain/formula-mark.js';
import type { LogRow } from './log-query.js';

/** The names of all columns, in the order of their first appearance. */
export const columnNames = (rows: readonly LogRow[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

export const toNdjson = (rows: readonly LogRow[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** CSV by RFC 4180. Records and arrays are JSON texts. */
export const toCsv = (rows: readonly LogRow[]): string => {
  const columns = columnNames(rows);
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))];
  return lines.map((line) => `${line.map(toCsvCell).join(',')}\r\n`).join('');
};

/** Any client can write into logs, so a text must not run as a formula of a spreadsheet. */
const toCsvCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? withFormulaMark(value) : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
