/**
 * The near side of the writer thread: gathers the appends of a tick into one message and gives each its answer. A
 * thread that dies fails what it had not answered, since nobody knows what became of it, and the next append starts
 * another.
 */
import { Worker } from 'node:worker_threads';
import {
  type AppendResult,
  EventStoreUnavailableError,
  type ExpectedRevision,
  type NewEvent,
} from '../event-store.js';
import {
  ANSWER_LENGTH,
  type AnswersMessage,
  type AppendsMessage,
  CLOSE,
  decodeAnswer,
  encodeAppend,
} from './messages.js';
import type { WriterThreadData } from './writer-thread.js';

interface Pending {
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
}

export interface AppendWriterOptions extends WriterThreadData {
  /** The built code of writer-thread.ts. */
  readonly threadUrl: URL;
  /** Called when a group has been answered, before its appends are. */
  readonly onCommit: () => void;
}

export class AppendWriter {
  readonly #options: AppendWriterOptions;
  #worker: Worker | null = null;
  /** Appends of this tick, and who waits for them. */
  #gathering: AppendsMessage = [];
  #gatheringFor: Pending[] = [];
  /** Who waits for the thread, in the order of sending. */
  #sent: Pending[] = [];
  #idle: (() => void) | null = null;

  constructor(options: AppendWriterOptions) {
    this.#options = options;
  }

  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      encodeAppend(this.#gathering, stream, expected, events);
      if (this.#gatheringFor.length === 0) this.#scheduleSending();
      this.#gatheringFor.push({ resolve, reject });
    });
  }

  /** Resolves when everything sent has been answered and the thread has ended. */
  async close(): Promise<void> {
    if (this.#gatheringFor.length + this.#sent.length > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = null;
    worker.ref();
    await new Promise<void>((resolve) => {
      worker.removeAllListeners('exit');
      worker.once('exit', () => resolve());
      worker.postMessage(CLOSE);
    });
  }

  /** At once when the thread has nothing to do; while it is busy there is time to gather more. */
  #scheduleSending(): void {
    if (this.#sent.length === 0) queueMicrotask(() => this.#send());
    else setImmediate(() => this.#send());
  }

  #send(): void {
    const message = this.#gathering;
    const waiting = this.#gatheringFor;
    this.#gathering = [];
    this.#gatheringFor = [];
    try {
      this.#worker ??= this.#startThread();
      this.#worker.postMessage(message);
      this.#worker.ref();
      this.#sent = this.#sent.length === 0 ? waiting : this.#sent.concat(waiting);
    } catch (error) {
      for (const { reject } of waiting) reject(unavailable('the writer thread cannot be started', error));
    }
  }

  #startThread(): Worker {
    const { path, storeId, threadUrl } = this.#options;
    const workerData: WriterThreadData = { path, storeId };
    const worker = new Worker(threadUrl, { workerData });
    let cause: unknown;
    worker.on('message', (message: AnswersMessage) => this.#answer(message));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => this.#threadEnded(worker, cause));
    return worker;
  }

  #answer({ answers, failure }: AnswersMessage): void {
    const count = answers.length / ANSWER_LENGTH;
    const answered = this.#sent.slice(0, count);
    this.#sent = this.#sent.slice(count);
    if (this.#sent.length === 0) this.#worker?.unref();
    this.#options.onCommit();
    for (const [index, { resolve, reject }] of answered.entries()) {
      const result = decodeAnswer(answers, index * ANSWER_LENGTH);
      if (result) resolve(result);
      else reject(unavailable(failure ?? 'the append failed'));
    }
    this.#sayIdle();
  }

  #threadEnded(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const abandoned = this.#sent;
    this.#sent = [];
    for (const { reject } of abandoned) reject(unavailable('the writer thread ended', cause));
    this.#sayIdle();
  }

  #sayIdle(): void {
    if (this.#gatheringFor.length + this.#sent.length === 0) this.#idle?.();
  }
}

const unavailable = (message: string, cause?: unknown): EventStoreUnavailableError => {
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return new EventStoreUnavailableError(`the event store did not append: ${reason}`, { cause });
};
