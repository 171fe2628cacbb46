/**
 * Rows as the bytes of a file, without holding up the requests of others: a file of 32 MB is more than a second's work. Each slice of
 * the rows is a row group of Parquet, which takes some 20 ms; then the event loop has a turn.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonRecord } from '../../foundation/log-store/sources.js';
import type { ResultColumn } from '../sql/compile.js';
import type { RowEncoder } from './row-encoder.js';
import { type RowFormat, rowEncoder } from './row-format.js';

const MAX_SLICE_ROWS = 1_000;
/** Of the rows as JSON. A row that is larger is a slice of its own. */
const MAX_SLICE_BYTES = 524_288;

/** The whole file. Columns of Parquet with a value that their type cannot hold are text. */
export async function* fileParts(
  columns: readonly ResultColumn[],
  rows: readonly JsonRecord[],
  format: RowFormat,
): AsyncGenerator<Buffer> {
  const encoder = await rowEncoder(format, await columnsOfFile(columns, rows, format));
  yield* encodedRows(encoder, rows);
  yield encoder.end();
}

/** The bytes of more rows of a file. */
export async function* encodedRows(encoder: RowEncoder, rows: readonly JsonRecord[]): AsyncGenerator<Buffer> {
  for (const slice of slicesOf(rows)) {
    yield encoder.rows(slice);
    await nextTurn();
  }
}

const columnsOfFile = async (
  columns: readonly ResultColumn[],
  rows: readonly JsonRecord[],
  format: RowFormat,
): Promise<readonly ResultColumn[]> => {
  if (format !== 'parquet') return columns;
  const { fittingColumns } = await import('./parquet-rows.js');
  let fitting = columns;
  for (const slice of slicesOf(rows)) {
    fitting = fittingColumns(fitting, slice);
    await nextTurn();
  }
  return fitting;
};

function* slicesOf(rows: readonly JsonRecord[]): Generator<readonly JsonRecord[]> {
  let slice: JsonRecord[] = [];
  let bytes = 0;
  for (const row of rows) {
    const more = JSON.stringify(row).length;
    if (slice.length > 0 && (slice.length >= MAX_SLICE_ROWS || bytes + more > MAX_SLICE_BYTES)) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(row);
    bytes += more;
  }
  if (slice.length > 0) yield slice;
}
