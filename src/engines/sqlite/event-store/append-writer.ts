/**
 * The near side of the writer thread (group-commit.ts is the far side): gathers appends into one message while the thread is
 * busy with the one before, and gives each its answer. A thread that dies fails what it had not answered, since it is not
 * known what became of it, and the next append starts another.
 */
import { Worker } from 'node:worker_threads';
import { AppendSize, checkAppend } from '../../../foundation/event-store/append-checks.js';
import {
  type AppendResult,
  type EventMetadata,
  type EventStore,
  EventStoreUnavailableError,
  type NewEvent,
  NO_STREAM,
} from '../../../foundation/event-store/event-store.js';
import { type Damage, StoreDamagedError } from '../../../foundation/integrity/damage.js';
import {
  ANSWER_LENGTH,
  type AnswersMessage,
  type AppendsMessage,
  CLOSE,
  STATUS,
  type WriterThreadData,
} from './append-writer.messages.js';
import { fileDamage } from './file-damage.js';

interface Append {
  readonly stream: string;
  readonly expected: number;
  readonly events: readonly NewEvent[];
}

interface Pending {
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
}

export interface AppendWriterOptions extends WriterThreadData {
  readonly maxAppendBytes: number;
  /** The built code of append-writer.worker.ts. */
  readonly threadUrl: URL;
  /** Called when a group has been answered, before its appends are. */
  readonly onCommit: () => void;
}

export class AppendWriter {
  readonly #options: AppendWriterOptions;
  #worker: Worker | null = null;
  /** What the next message will hold, and who waits for it. */
  #gathering: AppendsMessage = [];
  #gatheringFor: Pending[] = [];
  /** Who waits for the thread, which has one message at a time. */
  #sent: readonly Pending[] = [];
  #idle: (() => void) | null = null;
  /** Whether the last that was asked of the thread came to nothing. */
  #failing = false;
  /** Why nothing is appended any more. */
  #refusal: EventStoreUnavailableError | StoreDamagedError | null = null;

  constructor(options: AppendWriterOptions) {
    this.#options = options;
  }

  /** Starts the thread before the first append, which else starts it. */
  start(): void {
    this.#worker ??= this.#startThread();
    this.#worker.unref();
  }

  /** As the port promises it: the store hands it out as its own. */
  readonly append: EventStore['append'] = (stream, expected, events) =>
    this.#gather((message) => {
      if (this.#refusal) throw this.#refusal;
      checkAppend(stream, events);
      encodeAppend(message, { stream, expected, events }, new AppendSize(this.#options.maxAppendBytes));
    });

  /** Costs nothing while appends succeed; after one that failed, a trial is written, which says how it is now. */
  async takesAppends(): Promise<boolean> {
    if (this.#refusal) return false;
    if (!this.#failing) return true;
    return this.#gather(encodeTrial).then(
      () => true,
      () => false,
    );
  }

  /** From now on nothing is appended: what an append has to find is damaged. */
  refuse(damage: Damage): void {
    this.#refusal ??= new StoreDamagedError(damage);
  }

  #gather(encode: (message: AppendsMessage) => void): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      encode(this.#gathering);
      this.#gatheringFor.push({ resolve, reject });
      // At the end of the tick; a busy thread is sent the rest with its answer. A message costs both sides more than an
      // append does, and what arrives in many small ones is written no earlier.
      if (this.#gatheringFor.length === 1) queueMicrotask(() => this.#send());
    });
  }

  /** Resolves when everything sent has been answered and the thread has ended. */
  async close(): Promise<void> {
    this.#refusal = new EventStoreUnavailableError('the event store is closed');
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

  #send(): void {
    if (this.#sent.length > 0 || this.#gatheringFor.length === 0) return;
    const message = this.#gathering;
    const waiting = this.#gatheringFor;
    this.#gathering = [];
    this.#gatheringFor = [];
    try {
      this.#worker ??= this.#startThread();
      this.#worker.postMessage(message);
      this.#worker.ref();
      this.#sent = waiting;
    } catch (error) {
      this.#failing = true;
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

  #answer({ answers, failure, isDamaged }: AnswersMessage): void {
    const answered = this.#sent;
    this.#sent = [];
    this.#failing = failure !== null;
    this.#send();
    if (this.#sent.length === 0) this.#worker?.unref();
    this.#options.onCommit();
    for (const [index, { resolve, reject }] of answered.entries()) {
      const result = decodeAnswer(answers, index * ANSWER_LENGTH);
      if (result) resolve(result);
      else
        reject(
          isDamaged
            ? new StoreDamagedError(fileDamage('what an append has to read', failure))
            : unavailable(failure ?? 'the append failed'),
        );
    }
    this.#sayIdle();
  }

  #threadEnded(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const abandoned = this.#sent;
    this.#sent = [];
    this.#failing = true;
    this.#send();
    for (const { reject } of abandoned) reject(unavailable('the writer thread ended', cause));
    this.#sayIdle();
  }

  #sayIdle(): void {
    if (this.#gatheringFor.length + this.#sent.length === 0) this.#idle?.();
  }
}

/** Adds an append to the message; one that has no JSON throws and leaves the message as it was. */
const encodeAppend = (
  message: AppendsMessage,
  { stream, expected, events }: Append,
  size: AppendSize,
): void => {
  const before = message.length;
  try {
    message.push(stream, expected, events.length);
    for (const event of events) {
      const { id, type, metadata, recordedAt = 0 } = event;
      const data = JSON.stringify(event.data);
      size.add(event, data);
      message.push(id, type, data, encodeMetadata(metadata), recordedAt);
    }
    size.check();
  } catch (error) {
    message.length = before;
    throw error;
  }
};

/** As the StoredMetadata of schema.ts. */
const encodeMetadata = ({
  schema,
  actor,
  correlationId,
  keyId,
  causationId,
  accountId,
}: EventMetadata): string => {
  if (accountId !== undefined)
    return JSON.stringify([schema, actor, correlationId, keyId ?? null, causationId ?? null, accountId]);
  if (causationId !== undefined)
    return JSON.stringify([schema, actor, correlationId, keyId ?? null, causationId]);
  return JSON.stringify(
    keyId === undefined ? [schema, actor, correlationId] : [schema, actor, correlationId, keyId],
  );
};

/** Adds what is written like an append and is none: an append of no events. */
const encodeTrial = (message: AppendsMessage): void => {
  message.push('', NO_STREAM, 0);
};

/** Null: the append failed. */
const decodeAnswer = (answers: readonly number[], index: number): AppendResult | null => {
  const [status, revision = NO_STREAM, position = 0] = answers.slice(index, index + ANSWER_LENGTH);
  switch (status) {
    case STATUS.APPENDED:
      return { ok: true, revision, position, duplicate: false };
    case STATUS.DUPLICATE:
      return { ok: true, revision, position, duplicate: true };
    case STATUS.CONFLICT:
      return { ok: false, actual: revision };
    default:
      return null;
  }
};

const unavailable = (message: string, cause?: unknown): EventStoreUnavailableError => {
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return new EventStoreUnavailableError(`the event store did not append: ${reason}`, { cause });
};
