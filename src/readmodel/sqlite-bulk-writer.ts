/**
 * The near side of the thread that writes large commits. It is started with the first of them, and gone when the
 * store is closed.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadUrl } from '../threads.js';
import type { ProjectionBatch } from './read-model-store.js';
import { type BulkAnswer, encodeBatch } from './sqlite-bulk-messages.js';
import { unavailable } from './sqlite-errors.js';

interface Pending {
  readonly resolve: (outcome: 'committed' | 'superseded') => void;
  readonly reject: (reason: unknown) => void;
}

export class SqliteBulkWriter {
  readonly #path: string;
  #worker: Worker | null = null;
  /** In the order of sending. */
  #pending: Pending[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  commit(batches: readonly ProjectionBatch[]): Promise<'committed' | 'superseded'> {
    const message = batches.map(encodeBatch);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(message);
    return new Promise((resolve, reject) => this.#pending.push({ resolve, reject }));
  }

  /** Finishes what is under way. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const ended = once(worker, 'exit');
    // Idle it holds no process; but whoever closes waits for its end.
    worker.ref();
    worker.postMessage('close');
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(threadUrl('./sqlite-bulk.worker.js', import.meta.url), {
      workerData: { path: this.#path },
    });
    let cause: unknown = new Error('the thread that writes read models ended');
    worker.on('message', (answer: BulkAnswer) => this.#settle(answer));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#worker = null;
      for (const { reject } of this.#pending.splice(0)) reject(cause);
    });
    return worker;
  }

  #settle(answer: BulkAnswer): void {
    const pending = this.#pending.shift();
    if (this.#pending.length === 0) this.#worker?.unref();
    if ('failure' in answer) pending?.reject(unavailable(answer.failure));
    else pending?.resolve(answer.outcome);
  }
}
