/** The writer thread: opens the event file and serves the appends of the near side (append-writer.ts). */
import { BroadcastChannel, parentPort, workerData } from 'node:worker_threads';
import { NO_WAIT_MS } from '../locks.js';
import { commitChannel, type WriterThreadData } from './append-writer.messages.js';
import { GroupCommit, serveAppends } from './group-commit.js';
import { openForWriting } from './schema.js';
import { stampEvents } from './stamping.js';

if (!parentPort) throw new Error('append-writer.worker.js runs as a worker thread');

const { path, storeId }: WriterThreadData = workerData;
const database = openForWriting(path);
database.pragma(`busy_timeout = ${NO_WAIT_MS}`);
serveAppends(parentPort, new GroupCommit(database), new BroadcastChannel(commitChannel(storeId)));
void stampEvents(database);
