/**
 * The SQLite file of the read models: its path in the URL, and how it is opened. A file of another program, or of another
 * store of Podium, is refused and not changed.
 */
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { makeFolder } from '../../../foundation/basics/folders.js';
import { ReadModelUnavailableError } from '../../../foundation/read-models/read-model-store.js';
import { isForeignDatabase } from '../database-file.js';
import { SqliteDatabase } from '../sqlite.js';
import { unavailable } from './sqlite-errors.js';
import { createGenerations } from './sqlite-generations.js';
import { createLeases } from './sqlite-leases.js';

/** 16 MB of WAL between checkpoints: a page that many commits change is copied once. */
export const CHECKPOINT_PAGES = 4_096;

/** `readOnly`: makes nothing, and the file must exist. Throws ReadModelUnavailableError. */
export const openReadModelFile = (path: string, readOnly: boolean): Database.Database => {
  try {
    return readOnly ? openForReading(path) : openForWriting(path);
  } catch (error) {
    throw unavailable(error, path);
  }
};

const openForReading = (path: string): Database.Database =>
  new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: 5_000 });

const openForWriting = (path: string): Database.Database => {
  makeFolder(dirname(path));
  const db = new SqliteDatabase(path, { timeout: 30_000 });
  refuseForeignFile(db, path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.pragma('cache_size = -65536');
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  db.transaction(() => {
    createGenerations(db);
    createLeases(db);
  }).immediate();
  return db;
};

const refuseForeignFile = (db: Database.Database, path: string): void => {
  if (isForeignDatabase(db, 'generations')) {
    db.close();
    throw new ReadModelUnavailableError(`${path} holds something else than read models of Podium`);
  }
};

/** The path in `sqlite:PATH`. */
export const sqlitePath = (url: string): string => {
  const [, path] = /^sqlite:(.+)$/.exec(url) ?? [];
  if (path === undefined) throw new ReadModelUnavailableError(`${url} is not sqlite:PATH`);
  return path;
};
