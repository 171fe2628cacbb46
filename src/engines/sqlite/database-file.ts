/** What all who keep a SQLite file ask of it: whether it is theirs, and whether it can be used now. */
import type Database from 'better-sqlite3';

const UNUSABLE =
  /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|CORRUPT|NOTADB|READONLY|PROTOCOL|PERM|AUTH|NOMEM|NOLFS)/;

/**
 * Tells a file that cannot be used now (full, locked, damaged, not to be opened) from a mistake in the code. By SQLite's code,
 * not by the error's class: the driver keeps one class for all who load it in a process.
 */
export const isUnusableFile = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && UNUSABLE.test(String(error.code));

/** Whether the file has tables, but not this one, which the store has from its first moment on: it is somebody else's. */
export const holdsOthers = (database: Database.Database, own: string): boolean => {
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
  return tables.length > 0 && !tables.includes(own);
};
