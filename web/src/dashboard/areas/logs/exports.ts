/** The rows of a result as the text of a file. */

import { csvLine } from '../../../../../src/logs/downloads/csv-line.js';
import type { LogRow } from './log-query.js';

/** The names of all columns, in the order of their first appearance. */
export const columnNames = (rows: readonly LogRow[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

export const toNdjson = (rows: readonly LogRow[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

export const toCsv = (rows: readonly LogRow[]): string => {
  const columns = columnNames(rows);
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))].map(csvLine).join('');
};
