/**
 * The near side of the thread that writes large commits, and does whatever else would hold up this one for long. It is
 * started with the first order, and gone when the store is closed.
 */
import { Worker } from 'node:worker_threads';
import { threadEnd, threadUrl } from '../../../foundation/basics/threads.js';
import type { ProjectionBatch } from '../../../foundation/read-models/read-model-store.js';
import { type BulkAnswer, type BulkRequest, encodeBatch } from './sqlite-bulk.messages.js';
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
  /** What waits for the commits under way. */
  #whenIdle: (() => void)[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  commit(batches: readonly ProjectionBatch[]): Promise<'committed' | 'superseded'> {
    return this.#send({ batches: batches.map(encodeBatch) });
  }

  /** Carries out a statement that takes long. */
  async run(statement: string): Promise<void> {
    await this.#send({ statement });
  }

  /**
   * Does the work when no commit is under way: at once, or before the sender of the last one hears of it. The file has
   * one writer at a time, and waiting for its lock would hold up this thread.
   */
  runWhenIdle<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      if (this.#pending.length === 0) run();
      else this.#whenIdle.push(run);
    });
  }

  /** Finishes what is under way. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const ended = threadEnd(worker);
    // Idle it holds no process; but whoever closes waits for its end.
    worker.ref();
    worker.postMessage('close');
    await ended;
  }

  #send(request: BulkRequest): Promise<'committed' | 'superseded'> {
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(request);
    return new Promise((resolve, reject) => this.#pending.push({ resolve, reject }));
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
      this.#runIdleWork();
    });
    return worker;
  }

  #settle(answer: BulkAnswer): void {
    const pending = this.#pending.shift();
    if (this.#pending.length === 0) {
      this.#worker?.unref();
      this.#runIdleWork();
    }
    if ('failure' in answer) pending?.reject(unavailable(answer.failure));
    else pending?.resolve(answer.outcome);
  }

  #runIdleWork(): void {
    for (const run of this.#whenIdle.splice(0)) run();
  }
}
