/**
 * Waiting for the lock of another connection. SQLite's own waiting stops the thread. So it is used where no client is served yet, and
 * a thread of a server tries again instead. (With better-sqlite3 12 the process would also abort when it ends meanwhile.)
 */
import { setTimeout as pause } from 'node:timers/promises';
import type Database from 'better-sqlite3';

/** How long SQLite waits where no client is served yet, milliseconds. */
export const OPENING_WAIT_MS = 30_000;
/** The same in a thread of a server. */
export const NO_WAIT_MS = 0;
/** How long a write is tried again for which a client may wait, who waits longer. */
export const WRITE_WITHIN_MS = 4_000;

/** For the readers of a log that is emptied. */
const EMPTY_WITHIN_MS = 5_000;
const AGAIN_AFTER_MS = 10;

const LOCKED = /^SQLITE_(BUSY|LOCKED)/;

/** Whether another connection holds a lock. `error`: the driver's, or one that it caused. */
const isLocked = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  return ('code' in error && LOCKED.test(String(error.code))) || ('cause' in error && isLocked(error.cause));
};

/** Runs `work` again while another connection holds a lock, for so many milliseconds. Throws its last error. */
export const whenUnlocked = async <T>(work: () => T | Promise<T>, patienceMs: number): Promise<T> => {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || performance.now() > until) throw error;
    }
    await pause(AGAIN_AFTER_MS);
  }
};

/** Runs `work` with SQLite's own waiting. The thread stands still meanwhile, so no client may wait for it. */
export const standingStill = <T>(db: Database.Database, waitMs: number, work: () => T): T => {
  const before = db.pragma('busy_timeout', { simple: true });
  db.pragma(`busy_timeout = ${waitMs}`);
  try {
    return work();
  } finally {
    db.pragma(`busy_timeout = ${before}`);
  }
};

/** Empties the write-ahead log, which may hold what was erased. The thread stands still for its readers. */
export const emptyLog = (db: Database.Database): void => {
  standingStill(db, EMPTY_WITHIN_MS, () => db.pragma('wal_checkpoint(TRUNCATE)'));
};
