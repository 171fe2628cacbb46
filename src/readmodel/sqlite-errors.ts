/**
 * Tells a database that cannot be used (locked, full, damaged, not to be opened) from a mistake in the code: only the
 * first becomes a ReadModelUnavailableError, which callers answer with "try again".
 */
import Database from 'better-sqlite3';
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
export const unavailable = (error: unknown): unknown =>
  error instanceof Database.SqliteError && UNAVAILABLE.test(error.code)
    ? new ReadModelUnavailableError(`the read models cannot be used: ${error.message}`, { cause: error })
    : error;
