/** Slices of rows by their size, so that the work on one is bounded. */
import type { JsonRecord } from '../../foundation/log-store/sources.js';
import type { RowEncoder } from './row-encoder.js';

/** `maxCharacters`: of the rows as JSON. A row that is larger is a slice of its own. */
export function* rowSlices(
  rows: readonly JsonRecord[],
  maxCharacters: number,
): Generator<readonly JsonRecord[]> {
  let slice: JsonRecord[] = [];
  let characters = 0;
  for (const row of rows) {
    const more = JSON.stringify(row).length;
    if (slice.length > 0 && characters + more > maxCharacters) {
      yield slice;
      slice = [];
      characters = 0;
    }
    slice.push(row);
    characters += more;
  }
  if (slice.length > 0) yield slice;
}

/** The bytes of the rows, of an encoder that may take one row at a time: a row is written once, and not measured before. A row that is larger is a part of its own. */
export function* encodedParts(
  encoder: RowEncoder,
  rows: readonly JsonRecord[],
  maxBytes: number,
): Generator<Buffer> {
  let part: Buffer[] = [];
  let length = 0;
  for (const row of rows) {
    const bytes = encoder.rows([row]);
    if (part.length > 0 && length + bytes.length > maxBytes) {
      yield Buffer.concat(part);
      part = [];
      length = 0;
    }
    part.push(bytes);
    length += bytes.length;
  }
  if (part.length > 0) yield Buffer.concat(part);
}
