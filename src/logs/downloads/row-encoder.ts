/** Turns rows into the bytes of a file, part by part, so that no file has to fit in memory. */
import type { JsonRecord } from '../../foundation/log-store/sources.js';

export interface RowEncoder {
  /** Returns the bytes of these rows; of the first ones, with what stands before them. */
  rows(rows: readonly JsonRecord[]): Buffer;
  /** Returns the bytes after the last row. */
  end(): Buffer;
}
