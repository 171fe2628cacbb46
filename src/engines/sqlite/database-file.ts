/** The checks that a SQLite store makes before it uses a file. */
import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { messageOf } from '../../foundation/basics/error-message.js';
import { isDamage } from './replaceable-file.js';
import { SqliteDatabase } from './sqlite.js';

/** Whether the file belongs to another program: it has tables, but not `own`, which the store makes first. */
export const isForeignDatabase = (database: Database.Database, own: string): boolean => {
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
  return tables.length > 0 && !tables.includes(own);
};

/** Up to this size a whole file is checked at the start, which takes half a second at most. */
const MAX_CHECKED_BYTES = 64 * 1024 * 1024;

export const isSmall = (path: string): boolean => statSync(path).size <= MAX_CHECKED_BYTES;

/** The first fault of pages and indexes. Null: there is none, or the file is too large to look for one at the start. */
export const faultIn = (path: string): string | null => (isSmall(path) ? faultOfWhole(path) : null);

/** The first fault of pages and indexes, which takes seconds for a gigabyte. */
export const faultOfWhole = (path: string): string | null => {
  const db = new SqliteDatabase(path, { readonly: true, timeout: 5_000 });
  try {
    const answer = db.pragma('integrity_check(1)', { simple: true });
    return answer === 'ok' ? null : String(answer);
  } catch (error) {
    if (isDamage(error)) return messageOf(error);
    throw error;
  } finally {
    db.close();
  }
};
