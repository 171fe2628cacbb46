/**
 * The errors of read models in SQLite. The driver's errors about an unusable file become ReadModelUnavailableError, after which the
 * caller may retry.
 */

import { isUnusableFile } from '../../../foundation/basics/store-unavailable.js';
import { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import { ReadModelUnavailableError } from '../../../foundation/read-models/read-model-store.js';
import type { SqliteTable } from './sqlite-tables.js';

/** Runs `work`, and reports an unusable database as ReadModelUnavailableError. */
export const guarded = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw unavailable(error);
  }
};

/** Returns the error to throw in place of this one. `file`: the path of a file that cannot be opened. */
export const unavailable = (error: unknown, file?: string): unknown => {
  if (!isUnusableFile(error)) return error;
  const reason = error instanceof Object && 'message' in error ? error.message : error;
  const where = file === undefined ? '' : ` in ${file}`;
  return new ReadModelUnavailableError(`the read models${where} cannot be used: ${reason}`, { cause: error });
};

/** `part`: an index or a document of the table. */
export const damagedPart = (
  { generation, collection }: SqliteTable,
  part: string,
  reason: string,
  extent: DamagedGenerationError['extent'],
): DamagedGenerationError =>
  new DamagedGenerationError({ generation, place: `collection ${collection.name}, ${part}`, reason, extent });
