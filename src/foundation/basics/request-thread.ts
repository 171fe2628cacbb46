/**
 * A worker thread that answers requests. It is started for the first one, several may wait for it at a time, and when
 * it dies those that wait fail and the next one starts another.
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
   * Rejects with the RejectedError that the thread threw, StoreUnavailableError where a store was away there, or an Error
   * with the message of what else went wrong.
   * `transfer`: memory of the request that is handed over instead of being copied.
   */
  request(request: Request, transfer: readonly Transferable[] = []): Promise<Value> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#post({ id, request }, transfer);
      // Idle it holds no process; whoever waits for an answer gets it.
      this.#worker?.ref();
    });
  }

  /** For what has no answer. */
  notify(request: Request, transfer: readonly Transferable[] = []): void {
    this.#post({ id: null, request }, transfer);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #post(message: ThreadRequest<Request>, transfer: readonly Transferable[]): void {
    this.#worker ??= this.#started();
    this.#worker.postMessage(message, transfer);
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
