/**
 * A writer thread with faults on demand: an append to a stream called `die` ends the thread before anything is
 * written, one to `die-after` when it was written but not answered, and one to `full` finds no room on the disk. After
 * one to `lose` nothing can be written, until so many messages have failed as its number of events.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { CLOSE } from '../../dist/engines/sqlite/event-store/append-writer.messages.js';
import { GroupCommit } from '../../dist/engines/sqlite/event-store/group-commit.js';
import { openForWriting } from '../../dist/engines/sqlite/event-store/schema.js';

const database = openForWriting(workerData.path);
const group = new GroupCommit(database);
let failures = 0;
const room = (pages) => database.pragma(`max_page_count = ${pages}`);

parentPort.on('message', async (message) => {
  if (message === CLOSE) {
    group.close();
    parentPort.close();
    return;
  }
  if (message.includes('die')) process.exit(1);
  if (message.includes('lose')) failures = message[2];
  database.pragma(`query_only = ${failures > 0 ? 1 : 0}`);
  failures = Math.max(0, failures - 1);
  if (message.includes('full')) room(database.pragma('page_count', { simple: true }));
  const answers = await group.commit([message]);
  room(2 ** 30);
  if (message.includes('die-after')) process.exit(1);
  parentPort.postMessage(answers);
});
