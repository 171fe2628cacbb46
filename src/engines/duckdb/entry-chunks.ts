/**
 * Copies the selected rows of packed columns into the engine's columns: numbers as blocks, texts one by one, projects
 * from their dictionary.
 */
import { DuckDBDataChunk, TIMESTAMP, UBIGINT, UUID, VARCHAR } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { SelectedEntries } from '../../foundation/log-store/entry-keys.js';
import type { PackedColumns } from '../../foundation/log-store/packed-entries.js';

const COLUMNS = [UUID, TIMESTAMP, VARCHAR, VARCHAR, VARCHAR, TIMESTAMP, UBIGINT];
const RECEIVED_AT = 5;
const MAX_ROWS = duckdb.vector_size();

/** Returns complete chunks, except for `setReceivedAt`. */
export const chunksOf = (entries: SelectedEntries): DuckDBDataChunk[] => {
  const chunks: DuckDBDataChunk[] = [];
  for (let from = 0; from < entries.rows.length; from += MAX_ROWS) {
    chunks.push(chunkOf(entries, entries.rows.slice(from, from + MAX_ROWS)));
  }
  return chunks;
};

/** Each entry gets a microsecond of its own. Returns that after the last one. `first`: microseconds since 1970. */
export const setReceivedAt = ({ chunk, rowCount }: DuckDBDataChunk, first: bigint): bigint => {
  const { buffer, byteLength } = BigInt64Array.from({ length: rowCount }, (_, row) => first + BigInt(row));
  duckdb.copy_data_to_vector(duckdb.data_chunk_get_vector(chunk, RECEIVED_AT), 0, buffer, 0, byteLength);
  return first + BigInt(rowCount);
};

const chunkOf = ({ columns, keys }: SelectedEntries, rows: readonly number[]): DuckDBDataChunk => {
  const chunk = DuckDBDataChunk.create(COLUMNS, rows.length);
  const vector = (column: number): duckdb.Vector => duckdb.data_chunk_get_vector(chunk.chunk, column);
  const copy = (
    column: number,
    { buffer, byteLength }: Uint32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>,
  ) => duckdb.copy_data_to_vector(vector(column), 0, buffer, 0, byteLength);
  copy(0, storedIds(columns.ids, rows));
  copy(
    1,
    BigInt64Array.from(rows, (row) => columns.timestamps[row] ?? 0n),
  );
  setTexts(vector(2), rows, columns.messages, columns.messageEnds);
  setTexts(vector(3), rows, columns.metadata, columns.metadataEnds);
  setProjects(vector(4), rows, columns);
  copy(
    6,
    Uint32Array.from(
      { length: 2 * rows.length },
      (_, half) => keys[2 * (rows[half >> 1] ?? 0) + (half & 1)] ?? 0,
    ),
  );
  return chunk;
};

/** A UUID is stored as a signed number of 128 bits, least significant word first, its first bit turned over for the order. */
const storedIds = (ids: Uint8Array, rows: readonly number[]): Uint32Array<ArrayBuffer> => {
  const view = new DataView(ids.buffer, ids.byteOffset, ids.byteLength);
  const words = new Uint32Array(4 * rows.length);
  for (const [at, row] of rows.entries()) {
    for (let word = 0; word < 4; word++) words[4 * at + word] = view.getUint32(16 * row + 4 * (3 - word));
    words[4 * at + 3] = (words[4 * at + 3] ?? 0) ^ 0x80000000;
  }
  return words;
};

const setTexts = (
  vector: duckdb.Vector,
  rows: readonly number[],
  texts: Uint8Array,
  ends: Uint32Array,
): void => {
  for (const [at, row] of rows.entries()) {
    const from = row === 0 ? 0 : ends[row - 1];
    duckdb.vector_assign_string_element_len(vector, at, texts.subarray(from, ends[row]));
  }
};

const setProjects = (
  vector: duckdb.Vector,
  rows: readonly number[],
  { projects, projectOf }: PackedColumns,
): void => {
  const bytes = projects.map((project) => (project === null ? null : Buffer.from(project)));
  // One bit a row, set where there is a value.
  const valid = new Uint8Array(8 * Math.ceil(rows.length / 64)).fill(0xff);
  for (const [at, row] of rows.entries()) {
    const text = bytes[projectOf[row] ?? 0];
    if (text) duckdb.vector_assign_string_element_len(vector, at, text);
    else valid[at >> 3] = (valid[at >> 3] ?? 0) & ~(1 << (at & 7));
  }
  if (!projects.includes(null)) return;
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, valid.buffer, 0, valid.byteLength);
};
