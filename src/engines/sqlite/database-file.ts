/** What all who keep a SQLite file ask of it: whether it is theirs. */
import type Database from 'better-sqlite3';

/** Whether the file has tables, but not this one, which the store has from its first moment on: it is somebody else's. */
export const isForeignDatabase = (database: Database.Database, own: string): boolean => {
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
  return tables.length > 0 && !tables.includes(own);
};
