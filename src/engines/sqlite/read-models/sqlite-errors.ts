/** Maps the driver's errors about an unusable file to ReadModelUnavailableError, after which the caller may retry. */

import { isUnusableFile } from '../../../foundation/basics/store-unavailable.js';
import { ReadModelUnavailableError } from '../../../foundation/read-models/read-model-store.js';

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
