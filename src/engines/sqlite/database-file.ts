/** The check that every SQLite store makes before it uses a file. */
import type Database from 'better-sqlite3';

/** Whether the file belongs to another program: it has tables, but not `own`, which the store makes first. */
export const isForeignDatabase = (database: Database.Database, own: string): boolean => {
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
  return tables.length > 0 && !tables.includes(own);
};
