/**
 * The owner's side of the thread that writes large commits and runs other long statements. It starts with the first
 * request and ends when the store is closed.
 */
import { Worker } from 'node:worker_threads';
import { threadEnd, threadUrl } from '../../../foundation/basics/threads.js';
import type { ProjectionBatch } from '../../../foundation/read-models/read-model-store.js';
import { type BulkAnswer, type BulkRequest, encodeBatch } from './sqlite-bulk.messages.js';
import { unavailable } from './sqlite-errors.js';
import type { ReadModelFile } from './sqlite-read-model-file.js';

/** From this many documents on, a commit or table is written by the other thread. Only rebuilds reach it. */
export const BULK = 5_000;

interface Pending {
  readonly resolve: (outcome: 'committed' | 'superseded') => void;
  readonly reject: (reason: unknown) => void;
}

export class SqliteBulkWriter {
  readonly #file: Pick<ReadModelFile, 'path' | 'identity'>;
  #worker: Worker | null = null;
  /** The requests under way, in their order. */
  readonly pending: Pending[] = [];
  /** Work that waits for the commits under way. */
  #whenIdle: (() => void)[] = [];

  constructor({ path, identity }: ReadModelFile) {
    this.#file = { path, identity };
  }

  commit(batches: readonly ProjectionBatch[]): Promise<'committed' | 'superseded'> {
    return this.#send({ batches: batches.map(encodeBatch) });
  }

  /** Runs a statement that takes long. */
  async run(statement: string): Promise<void> {
    await this.#send({ statement });
  }

  /**
   * Runs the work when no commit is under way: at once, or right after the last commit, before its caller continues. The
   * file has one writer at a time, and a wait for its lock would block this thread.
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
      if (this.pending.length === 0) run();
      else this.#whenIdle.push(run);
    });
  }

  /** Finishes the requests under way. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const ended = threadEnd(worker);
    // An idle thread does not keep the process alive, but the caller of close waits for its end.
    worker.ref();
    worker.postMessage('close');
    await ended;
  }

  #send(request: BulkRequest): Promise<'committed' | 'superseded'> {
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(request);
    return new Promise((resolve, reject) => this.pending.push({ resolve, reject }));
  }

  #start(): Worker {
    const worker = new Worker(threadUrl('./sqlite-bulk.worker.js', import.meta.url), {
      workerData: this.#file,
    });
    let cause: unknown = new Error('the thread that writes read models ended');
    worker.on('message', (answer: BulkAnswer) => this.#settle(answer));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#worker = null;
      for (const { reject } of this.pending.splice(0)) reject(cause);
      this.#runIdleWork();
    });
    return worker;
  }

  #settle(answer: BulkAnswer): void {
    const pending = this.pending.shift();
    if (this.pending.length === 0) {
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
