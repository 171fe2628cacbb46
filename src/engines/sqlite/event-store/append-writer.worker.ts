/**
 * The writer thread: takes every append that has arrived while the last group was being written, commits them as one
 * group, answers them in one message, and tells the readers in other threads that there is something new.
 */
import { BroadcastChannel, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { GroupCommit } from './group-commit.js';
import { type AppendsMessage, CLOSE, commitChannel } from './messages.js';
import { openForWriting } from './schema.js';

export interface WriterThreadData {
  readonly path: string;
  readonly storeId: string;
}

const port = parentPort;
if (!port) throw new Error('append-writer.worker.js runs as a worker thread');

const { path, storeId }: WriterThreadData = workerData;
const group = new GroupCommit(openForWriting(path));
const readers = new BroadcastChannel(commitChannel(storeId));

port.on('message', (first: AppendsMessage | typeof CLOSE) => {
  const messages: AppendsMessage[] = [];
  let closing = false;
  let message: AppendsMessage | typeof CLOSE | undefined = first;
  while (message !== undefined) {
    if (message === CLOSE) closing = true;
    else messages.push(message);
    message = receiveMessageOnPort(port)?.message;
  }
  if (messages.length > 0) {
    port.postMessage(group.commit(messages));
    readers.postMessage(null);
  }
  if (closing) {
    group.close();
    readers.close();
    port.close();
  }
});
