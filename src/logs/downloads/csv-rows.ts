/** Rows as CSV, with the names of the columns in the first line, also when there are no rows. */
import { csvLine } from './csv-line.js';
import type { RowEncoder } from './row-encoder.js';

export const csvEncoder = (names: readonly string[]): RowEncoder => {
  let head = csvLine(names);
  const withHead = (lines: string): Buffer => {
    const text = head + lines;
    head = '';
    return Buffer.from(text);
  };
  return {
    rows: (rows) => withHead(rows.map((row) => csvLine(names.map((name) => row[name]))).join('')),
    end: () => withHead(''),
  };
};
