/**
 * The SQLite file of the read models: its path in the URL, and how it is opened. A file of another program, or of another
 * store of Podium, is refused and not changed.
 */
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { makeFolder } from '../../../foundation/basics/folders.js';
import { ReadModelUnavailableError } from '../../../foundation/read-models/read-model-store.js';
import { isForeignDatabase } from '../database-file.js';
import { NO_WAIT_MS } from '../locks.js';
import { DamagedFileError, identityOf, openToRead, openToWrite, replaceFile } from '../replaceable-file.js';
import { SqliteDatabase } from '../sqlite.js';
import { unavailable } from './sqlite-errors.js';
import { createGenerations, numberGenerationsAnew } from './sqlite-generations.js';
import { createLeases } from './sqlite-leases.js';

/** 16 MB of WAL between checkpoints: a page that many commits change is copied once. */
export const CHECKPOINT_PAGES = 4_096;

export interface ReadModelFile {
  readonly db: Database.Database;
  readonly path: string;
  /** Of the file behind the connection, which may have lost its name since. */
  readonly identity: string | null;
}

/**
 * `readOnly`: makes nothing, and the file must exist. `waitMs`: for locks of others while it is opened; later uses of the
 * connection do not wait. Throws ReadModelUnavailableError.
 */
export const openReadModelFile = (path: string, readOnly: boolean, waitMs: number): ReadModelFile => {
  try {
    if (!readOnly) makeFolder(dirname(path));
    const open = (): ReadModelFile => {
      const db = readOnly ? openForReading(path, waitMs) : openForWriting(path, waitMs);
      db.pragma(`busy_timeout = ${NO_WAIT_MS}`);
      return { db, path, identity: identityOf(path) };
    };
    return readOnly ? openToRead(path, open, waitMs) : openToWrite(path, open, waitMs);
  } catch (error) {
    throw unavailable(error, path);
  }
};

/** Another connection to the same file. Throws ReadModelUnavailableError when it was replaced. */
export const openAnother = (
  { path, identity }: Pick<ReadModelFile, 'path' | 'identity'>,
  options: Database.Options,
): Database.Database =>
  openToRead(
    path,
    () => {
      if (identityOf(path) !== identity) throw new ReadModelUnavailableError(`${path} was replaced`);
      return openWithLog(path, { ...options, fileMustExist: true });
    },
    options.timeout,
  );

/** Moves a damaged file aside and makes an empty one. Returns its new name; null: the file is another one by now. */
export const replaceReadModelFile = (
  path: string,
  identity: string | null,
  waitMs: number,
): string | null => {
  const make = (): void => {
    const db = openForWriting(path, waitMs);
    // No thread that still writes to the damaged file may meet one of its numbers here.
    numberGenerationsAnew(db);
    db.close();
  };
  try {
    return replaceFile(path, { damaged: identity, make, waitMs });
  } catch (error) {
    throw unavailable(error, path);
  }
};

/** SQLite opens the write-ahead log with the first read. */
const openWithLog = (path: string, options: Database.Options): Database.Database => {
  const db = new SqliteDatabase(path, options);
  try {
    db.pragma('schema_version');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

const openForReading = (path: string, waitMs: number): Database.Database =>
  openWithLog(path, { readonly: true, fileMustExist: true, timeout: waitMs });

const openForWriting = (path: string, waitMs: number): Database.Database => {
  const db = openWithLog(path, { timeout: waitMs });
  try {
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
  } catch (error) {
    db.close();
    throw error;
  }
};

const refuseForeignFile = (db: Database.Database, path: string): void => {
  if (isForeignDatabase(db, 'generations'))
    // Where the file was one of ours before, it is damaged.
    throw new ReadModelUnavailableError(`${path} holds something else than read models of Podium`, {
      cause: new DamagedFileError('its tables are others'),
    });
};

/** The path in `sqlite:PATH`. */
export const sqlitePath = (url: string): string => {
  const [, path] = /^sqlite:(.+)$/.exec(url) ?? [];
  if (path === undefined) throw new ReadModelUnavailableError(`${url} is not sqlite:PATH`);
  return path;
};
