/** What the cells of a CSV say. Each function throws FaultError at the cell, and names its column. */
import { isDate } from '../../../domain/ids.js';
import { isCountry } from '../../../domain/regions.js';
import { fail } from './contest-file.js';
import type { CsvCell } from './csv-table.js';

export const needed = (cell: CsvCell, column: string): string =>
  cell.text === '' ? fail(cell, `${column} is empty`) : cell.text;

export const oneOf = <T extends string>(cell: CsvCell, column: string, allowed: readonly T[]): T =>
  allowed.find((known) => known === cell.text) ??
  fail(cell, `${column} is “${cell.text}”; it may be ${allowed.join(', ')}`);

export const integer = (cell: CsvCell, column: string): number =>
  /^-?\d{1,16}$/.test(cell.text)
    ? Number(cell.text)
    : fail(cell, `${column} is “${cell.text}”; it must be a whole number`);

/** Null for an empty cell. */
export const optional = <T>(cell: CsvCell, read: (cell: CsvCell) => T): T | null =>
  cell.text === '' ? null : read(cell);

export const date = (cell: CsvCell, column: string): string =>
  isDate(cell.text) ? cell.text : fail(cell, `${column} is “${cell.text}”; a date looks like 2023-07-29`);

export const country = (cell: CsvCell, column: string): string =>
  isCountry(cell.text)
    ? cell.text
    : fail(cell, `${column} is “${cell.text}”, which is no ISO 3166-1 country code`);
