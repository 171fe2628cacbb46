/**
 * Copies what commits have logged into the database file, in a thread of its own: a checkpoint waits for the disk,
 * and whoever waits for a commit to become visible must not wait for that. It works beside the writer; only when the
 * log has grown very long does it stop the writer for a moment, to let the log begin again.
 */

import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { isUnusableFile } from '../../../foundation/basics/store-unavailable.js';
import { SqliteDatabase } from '../sqlite.js';

const port = parentPort;
if (!port) throw new Error('sqlite-checkpointer.worker.js runs as a worker thread');

const POLL_INTERVAL_MS = 200;
/** Pages of 4 KB: 16 MB of log are worth copying, and at 256 MB it has to begin again. */
const MIN_PAGES_TO_COPY = 4_096;
const MAX_LOG_PAGES = 65_536;
/** A little log is copied too once nothing has been added for so many looks. */
const QUIET_POLLS = 10;
/** Readers inside old snapshots keep the log from beginning again: then later. */
const BUSY_TIMEOUT_MS = 20;

const { path }: { readonly path: string } = workerData;
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

const checkpointIfDue = (): void => {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  const { log, checkpointed } = checkpoint('NOOP');
  quiet = log === before ? quiet + 1 : 0;
  before = log;
  const rest = log - checkpointed;
  if (rest >= MIN_PAGES_TO_COPY || (rest > 0 && quiet >= QUIET_POLLS)) checkpoint('PASSIVE');
  if (log >= MAX_LOG_PAGES) checkpoint('RESTART');
};

/** What fails, on a full disk most of all, is tried again at the next look: nothing of the log is lost meanwhile. */
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
