/**
 * Tells a database that cannot be used (locked, full, damaged, not to be opened) from a mistake in the code: only the
 * first becomes a ReadModelUnavailableError, which callers answer with "try again". Errors are told by SQLite's code,
 * not by their class: the driver keeps one class for all who load it in a process.
 */
import { ReadModelUnavailableError } from './read-model-store.js';

const UNAVAILABLE =
  /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|CORRUPT|NOTADB|READONLY|PROTOCOL|PERM|AUTH|NOMEM|NOLFS)/;

/** Runs `work`, and reports an unusable database as ReadModelUnavailableError. */
export const guarded = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw unavailable(error);
  }
};

/** The error to throw in place of this one. */
export const unavailable = (error: unknown): unknown => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return error;
  if (!UNAVAILABLE.test(String(error.code))) return error;
  const reason = 'message' in error ? error.message : error.code;
  return new ReadModelUnavailableError(`the read models cannot be used: ${reason}`, { cause: error });
};
