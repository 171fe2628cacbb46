/** A result as the text of a file. */

import type { Row } from './requests.js';

/** Names of all columns, in the order in which rows bring them. */
export const columnsOf = (rows: readonly Row[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

export const ndjsonOf = (rows: readonly Row[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** RFC 4180. Records and arrays are JSON text. */
export const csvOf = (rows: readonly Row[]): string => {
  const columns = columnsOf(rows);
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))];
  return lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('');
};

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? harmless(value) : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Logs hold what strangers send: a text that a spreadsheet would take for a formula is marked as text. */
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
