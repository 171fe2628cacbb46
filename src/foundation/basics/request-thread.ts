/**
 * A worker thread that answers requests. `start` or the first request starts it, and several requests may wait at a time. A
 * server starts it early, because no thread starts when the process has used up its file handles. When the thread dies, the waiting requests fail and the next request starts another thread.
 */
import type { Transferable, Worker } from 'node:worker_threads';
import { RejectedError } from '../../domain/rejections.js';
import type { ThreadAnswer, ThreadRequest } from './request-thread.messages.js';
import { StoreUnavailableError } from './store-unavailable.js';

interface PendingRequest<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

export class RequestThread<Request, Value> {
  readonly #start: () => Worker;
  #worker: Worker | null = null;
  #lastId = 0;
  readonly #pending = new Map<number, PendingRequest<Value>>();

  constructor(start: () => Worker) {
    this.#start = start;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /**
   * Rejects with the thread's RejectedError, with StoreUnavailableError when a store was unavailable there, or with an
   * Error that has the message of any other failure. `transfer`: buffers of the request that are moved, not copied.
   */
  request(request: Request, transfer: readonly Transferable[] = []): Promise<Value> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#post({ id, request }, transfer);
      // An idle thread does not keep the process alive; a pending request does.
      this.#worker?.ref();
    });
  }

  /** Sends a request that has no answer. */
  notify(request: Request, transfer: readonly Transferable[] = []): void {
    this.#post({ id: null, request }, transfer);
  }

  /** Resolves when the thread has loaded its code, or has failed to. */
  async start(): Promise<void> {
    const worker = this.#running();
    await new Promise<void>((resolve) => {
      worker.once('message', () => resolve()).once('exit', () => resolve());
      worker.ref();
    });
    if (this.#pending.size === 0) worker.unref();
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #post(message: ThreadRequest<Request>, transfer: readonly Transferable[]): void {
    this.#running().postMessage(message, transfer);
  }

  #running(): Worker {
    this.#worker ??= this.#started();
    return this.#worker;
  }

  #started(): Worker {
    const worker = this.#start();
    worker.unref();
    worker.on('message', (answer: ThreadAnswer<Value>) => this.#answered(answer));
    worker.on('error', (error) => this.#ended(worker, error));
    worker.on('exit', () => this.#ended(worker, new Error('the thread has ended')));
    return worker;
  }

  #answered(answer: ThreadAnswer<Value>): void {
    if (answer.kind === 'ready') return;
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (this.#pending.size === 0) this.#worker?.unref();
    switch (answer.kind) {
      case 'value':
        pending?.resolve(answer.value);
        break;
      case 'rejected':
        pending?.reject(new RejectedError(answer.rejection));
        break;
      case 'unavailable':
        pending?.reject(new StoreUnavailableError(answer.message));
        break;
      case 'failed':
        pending?.reject(new Error(answer.message));
        break;
      default:
        answer satisfies never;
    }
  }

  #ended(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
