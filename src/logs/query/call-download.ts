/** The result of a call as a file. The rows are those of the JSON reply, so limits, redaction and tenants are the same. */
import { Readable } from 'node:stream';
import type { JsonRecord } from '../../foundation/log-store/sources.js';
import { type RowFormat, rowEncoder } from '../downloads/row-format.js';
import type { ResultColumn } from '../sql/compile.js';
import type { EndpointReply } from './endpoint-call.js';

/** Rows that are encoded without a pause. */
const ROWS_AT_ONCE = 1_000;

export const downloadOf = (answer: EndpointReply, format: RowFormat): Readable =>
  Readable.from(parts(answer, format), { objectMode: false });

async function* parts({ reply, columns }: EndpointReply, format: RowFormat): AsyncGenerator<Buffer> {
  const { result: rows }: { readonly result: readonly JsonRecord[] } = JSON.parse(reply.body.toString());
  const encoder = await rowEncoder(format, await columnsOfFile(columns, rows, format));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    yield encoder.rows(rows.slice(from, from + ROWS_AT_ONCE));
  yield encoder.end();
}

const columnsOfFile = async (
  columns: readonly ResultColumn[],
  rows: readonly JsonRecord[],
  format: RowFormat,
): Promise<readonly ResultColumn[]> => {
  if (format !== 'parquet') return columns;
  const { fittingColumns } = await import('../downloads/parquet-rows.js');
  return fittingColumns(columns, rows);
};
