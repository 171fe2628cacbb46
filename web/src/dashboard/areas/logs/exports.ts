/** A result as the text of a file. */

import type { LogRow } from './log-query.js';

/** Names of all columns, in the order in which rows bring them. */
export const columnNames = (rows: readonly LogRow[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

export const toNdjson = (rows: readonly LogRow[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** RFC 4180. Records and arrays are JSON text. */
export const toCsv = (rows: readonly LogRow[]): string => {
  const columns = columnNames(rows);
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))];
  return lines.map((line) => `${line.map(toCsvCell).join(',')}\r\n`).join('');
};

const toCsvCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? harmless(value) : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Logs hold what strangers send: a text that a spreadsheet would take for a formula is marked as text. */
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
