/**
 * A SQLite file that is moved aside when it is damaged, while other threads and processes have it open; another one takes
 * its name. SQLite opens the write-ahead log by the name of the file, so no connection may be opened meanwhile: it would
 * pair one file with the log of the other. That is what the lock is for, an empty SQLite file beside it. A connection that
 * is open already stays on the damaged file and changes nothing under the name: SQLite notices that its file has moved.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { StoreUnavailableError } from '../../foundation/basics/store-unavailable.js';
import { OPENING_WAIT_MS } from './locks.js';
import { SqliteDatabase } from './sqlite.js';

/** Damaged files that are kept for an examination. */
const MAX_KEPT = 3;
/** The lock's `user_version` once the file was opened as what it should be: before, it may belong to another program. */
const OWN = 1;

const DAMAGED = /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|IOERR_CORRUPTFS)/;
/** A table or column that must be there under its name, or a header of no known format: what describes the content is damaged. */
const INCOMPLETE =
  /^(no such (table|index|column): |no query solution|duplicate column name: |table \S+ has no column named |unsupported file format)/;

interface ErrorParts {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}

/** A check of the whole file has found a fault. */
export class DamagedFileError extends StoreUnavailableError {}

/** Whether SQLite found content that is not what was written. `error`: the driver's, or one that it caused. */
export const isDamage = (error: unknown): boolean => {
  if (error instanceof DamagedFileError) return true;
  const { code, cause } = partsOf(error);
  return DAMAGED.test(String(code)) || (cause !== undefined && isDamage(cause));
};

/** The same, or it misses a table or index, where all of them are known to be there. */
export const isDamageOrLack = (error: unknown): boolean =>
  isDamage(error) || INCOMPLETE.test(String(partsOf(error).message));

/** Not by class: the driver keeps one for a process, even where it is loaded twice. */
const partsOf = (error: unknown): ErrorParts => (typeof error === 'object' && error !== null ? error : {});

/** Tells apart the files that have had one name. Null: there is no file. */
export const identityOf = (path: string): string | null => {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.dev}:${found.ino}` : null;
};

/** The read models share one lock with the files beside them. */
const lockOf = (path: string): string => `${path.replace(/-(results|snapshots)$/, '')}-lock`;

const whileLocked = <T>(path: string, waitMs: number, work: (lock: Database.Database) => T): T => {
  const lock = openLock(lockOf(path), waitMs);
  try {
    return lock.transaction(() => work(lock)).exclusive();
  } finally {
    lock.close();
  }
};

/** A lock that is damaged is no lock any more: another one takes its name. */
const openLock = (path: string, waitMs: number): Database.Database => {
  const identity = identityOf(path);
  const lock = new SqliteDatabase(path, { timeout: waitMs });
  try {
    versionOf(lock);
    lock.prepare('SELECT 1 FROM sqlite_schema').get();
    return lock;
  } catch (error) {
    lock.close();
    if (!isDamageOrLack(error) || identity === null) throw error;
    if (identityOf(path) === identity) rmSync(path);
    return openLock(path, waitMs);
  }
};

const versionOf = (lock: Database.Database): unknown => lock.pragma('user_version', { simple: true });

/**
 * Runs `open` while the file is not moved, and makes what is missing. From then on the file may be replaced. `waitMs`: for
 * another one that opens or replaces it.
 */
export const openToWrite = <T>(path: string, open: () => T, waitMs = OPENING_WAIT_MS): T =>
  whileLocked(path, waitMs, (lock) => {
    const opened = open();
    if (versionOf(lock) !== OWN) lock.pragma(`user_version = ${OWN}`);
    return opened;
  });

/** Runs `open` while the file is not moved. Makes nothing. */
export const openToRead = <T>(path: string, open: () => T, waitMs = OPENING_WAIT_MS): T =>
  existsSync(lockOf(path)) ? whileLocked(path, waitMs, open) : open();

/**
 * Renames the file to `PATH.damaged-TIME` and runs `make`, which makes another one. Of those files the last `kept` stay. Returns the
 * new name. Null: another file has the name already, or the file may belong to another program. `waitMs`: as of `openToWrite`.
 */
export const replaceFile = (
  path: string,
  {
    damaged,
    make,
    waitMs,
    kept = MAX_KEPT,
  }: {
    readonly damaged: string | null;
    readonly make: () => void;
    readonly waitMs: number;
    readonly kept?: number;
  },
): string | null =>
  whileLocked(path, waitMs, (lock) => {
    if (identityOf(path) !== damaged || versionOf(lock) !== OWN) return null;
    const aside = `${path}.damaged-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`;
    renameSync(path, aside);
    if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${aside}-wal`);
    rmSync(`${path}-shm`, { force: true });
    make();
    // Only now: the new file must not get the number of the damaged one.
    removeOldest(path, kept);
    return aside;
  });

const removeOldest = (path: string, kept: number): void => {
  const folder = dirname(path);
  const prefix = `${basename(path)}.damaged-`;
  const found = readdirSync(folder).filter((name) => name.startsWith(prefix) && !name.endsWith('-wal'));
  for (const name of found.toSorted().slice(0, Math.max(0, found.length - kept))) {
    for (const file of [name, `${name}-wal`]) rmSync(join(folder, file), { force: true });
  }
};
