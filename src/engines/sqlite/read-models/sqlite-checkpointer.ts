/** The owner's side of the checkpointing thread. When the thread dies, `onLost` makes the writer checkpoint itself again. */
import { Worker } from 'node:worker_threads';
import { threadEnd, threadUrl } from '../../../foundation/basics/threads.js';

export class SqliteCheckpointer {
  readonly #worker: Worker;
  #closing = false;

  constructor(path: string, onLost: () => void) {
    this.#worker = new Worker(threadUrl('./sqlite-checkpointer.worker.js', import.meta.url), {
      workerData: { path },
    });
    this.#worker.on('error', () => undefined);
    this.#worker.on('exit', () => {
      if (!this.#closing) onLost();
    });
    this.#worker.unref();
  }

  async close(): Promise<void> {
    this.#closing = true;
    const ended = threadEnd(this.#worker);
    this.#worker.ref();
    this.#worker.postMessage('close');
    await ended;
  }
}
