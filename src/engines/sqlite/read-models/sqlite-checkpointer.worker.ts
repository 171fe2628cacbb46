/**
 * Checkpoints the WAL into the database file in its own thread. A checkpoint waits for the disk, and readers that wait for
 * a commit must not wait for that. It works beside the writer. Only when the WAL is very long does it block the writer
 * for a moment, so that the WAL restarts.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { isUnusableFile } from '../../../foundation/basics/store-unavailable.js';
import { identityOf, openToRead } from '../replaceable-file.js';
import { SqliteDatabase } from '../sqlite.js';

const port = parentPort;
if (!port) throw new Error('sqlite-checkpointer.worker.js runs as a worker thread');

const POLL_INTERVAL_MS = 200;
/** Pages of 4 KB: from 16 MB on the WAL is copied, and at 256 MB it has to restart. */
const MIN_PAGES_TO_COPY = 4_096;
const MAX_LOG_PAGES = 65_536;
/** A smaller WAL is copied when nothing was added for this many polls. */
const QUIET_POLLS = 10;
/** Readers in old snapshots keep the WAL from restarting; then a later poll retries. */
const BUSY_TIMEOUT_MS = 20;

const { path }: { readonly path: string } = workerData;
const identity = identityOf(path);
const db = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS });

interface LogLength {
  readonly log: number;
  readonly checkpointed: number;
}

const checkpoint = (mode: 'NOOP' | 'PASSIVE' | 'RESTART'): LogLength => {
  const [length] = db.prepare<[], LogLength>(`PRAGMA wal_checkpoint(${mode})`).all();
  return length ?? { log: 0, checkpointed: 0 };
};

let before = 0;
let quiet = 0;

/** Whether the write-ahead log is open: the first read opens it by name, so the file must not be replaced then. */
let hasLog = false;

const openLog = (): void => {
  checkpoint('NOOP');
  hasLog = true;
};

const checkpointIfDue = (): void => {
  if (identity === null || identityOf(path) !== identity) return;
  if (!hasLog) openToRead(path, openLog);
  const { log, checkpointed } = checkpoint('NOOP');
  quiet = log === before ? quiet + 1 : 0;
  before = log;
  const rest = log - checkpointed;
  if (rest >= MIN_PAGES_TO_COPY || (rest > 0 && quiet >= QUIET_POLLS)) checkpoint('PASSIVE');
  if (log >= MAX_LOG_PAGES) checkpoint('RESTART');
};

/** A failed checkpoint, such as on a full disk, is retried at the next poll. The WAL loses nothing meanwhile. */
const poll = (): void => {
  try {
    checkpointIfDue();
  } catch (error) {
    if (!isUnusableFile(error)) throw error;
  }
};

const timer = setInterval(poll, POLL_INTERVAL_MS);
port.on('message', () => {
  clearInterval(timer);
  db.close();
  port.close();
});
