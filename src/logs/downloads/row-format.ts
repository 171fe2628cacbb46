/** The formats in which rows leave as a file. */
import type { ResultColumn } from '../sql/compile.js';
import { csvEncoder } from './csv-rows.js';
import type { RowEncoder } from './row-encoder.js';

export const ROW_FORMATS = ['csv', 'ndjson', 'parquet'] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

export const CONTENT_TYPES: Readonly<Record<RowFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};

/** Returns the Content-Disposition of a file to save. `name`: letters, digits and `. _ -`. */
export const attachment = (name: string, format: RowFormat): string =>
  `attachment; filename="${name}.${format}"`;

/** `columns`: those of all rows, in their order. Rows that miss one have a null. */
export const rowEncoder = async (
  format: RowFormat,
  columns: readonly ResultColumn[],
): Promise<RowEncoder> => {
  switch (format) {
    case 'csv':
      return csvEncoder(columns.map(({ name }) => name));
    case 'ndjson':
      return NDJSON;
    case 'parquet':
      return (await import('./parquet-rows.js')).parquetEncoder(columns);
    default:
      return format satisfies never;
  }
};

const NDJSON: RowEncoder = {
  rows: (rows) => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
  end: () => Buffer.alloc(0),
};
