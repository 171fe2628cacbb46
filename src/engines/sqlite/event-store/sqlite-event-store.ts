/**
 * The embedded event store: one SQLite file in WAL mode with synchronous=FULL. A writer thread commits what has
 * gathered as one group; reads and subscriptions run on the caller's thread with a connection that cannot write.
 * Several processes may use one file; they meet at its lock, and each append keeps its expected revision.
 */
import { rename, rm } from 'node:fs/promises';
import { BroadcastChannel } from 'node:worker_threads';
import { messageOf } from '../../../foundation/basics/error-message.js';
import { threadUrl } from '../../../foundation/basics/threads.js';
import { checkAppend } from '../../../foundation/event-store/append-check.js';
import {
  type AppendResult,
  type EventBatch,
  type EventStore,
  EventStoreUnavailableError,
  type ExpectedRevision,
  type NewEvent,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from '../../../foundation/event-store/event-store.js';
import { AppendWriter } from './append-writer.js';
import { commitChannel } from './messages.js';
import { type Chunk, EventReader, type Range } from './reader.js';
import { openForReading, prepareFile } from './schema.js';
import { Wakeups } from './wakeups.js';

export interface SqliteEventStoreOptions {
  /** Reads and subscribes without a writer thread, woken by the commits of other threads; appends are refused. */
  readonly readOnly?: boolean;
  /** Of one append (append-size.ts). Default: none. */
  readonly maxAppendBytes?: number;
  /** Starts the writer thread now. Default: with the first append. */
  readonly startsThreads?: boolean;
  /** Other code for the writer thread: tests let it die. */
  readonly writerUrl?: URL;
}

const DEFAULT_BATCH = 1_000;
const READ_ALL_CHUNK = 500;

export class SqliteEventStore implements EventStore {
  readonly storeId: string;
  readonly #path: string;
  readonly #reader: EventReader;
  readonly #writer: AppendWriter | null;
  readonly #channel: BroadcastChannel | null;
  readonly #wakeups: Wakeups;
  readonly #closing = new AbortController();
  #lastHead: Position = 0;

  /** Makes the file when there is none. Throws when it is not an event store or cannot be opened. */
  constructor(path: string, options: SqliteEventStoreOptions = {}) {
    this.#path = path;
    this.storeId = prepareFile(path);
    this.#reader = new EventReader(path);
    this.#wakeups = new Wakeups(() => this.#headHasMoved());
    this.#writer = options.readOnly ? null : this.#startWriter(options);
    this.#channel = options.readOnly ? this.#listenToCommits() : null;
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    if (!this.#writer) throw new TypeError('this event store was opened read-only');
    if (this.#closing.signal.aborted) throw new EventStoreUnavailableError('the event store is closed');
    checkAppend(stream, events);
    return this.#writer.append(stream, expected, events);
  }

  async readStream(stream: string, options?: ReadStreamOptions): Promise<readonly RecordedEvent[] | null> {
    return reading(() => this.#reader.readStream(stream, options));
  }

  async *readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent, void, undefined> {
    const { after, direction = 'forwards', filter, limit = Number.POSITIVE_INFINITY } = options;
    const head = await this.head();
    let left = limit;
    let rest: Range | null =
      direction === 'forwards'
        ? { above: after ?? 0, upTo: head }
        : { above: 0, upTo: Math.min(after === undefined ? head : after - 1, head) };
    while (rest && left > 0) {
      const range: Range = rest;
      const most = Math.min(left, READ_ALL_CHUNK);
      const chunk: Chunk = reading(() => this.#reader.readRange(range, direction, most, filter));
      yield* chunk.events;
      left -= chunk.events.length;
      rest = chunk.rest;
      if (rest) await nextTurn();
    }
  }

  async head(): Promise<Position> {
    return reading(() => this.#reader.head());
  }

  async takesAppends(): Promise<boolean> {
    return this.#writer !== null && !this.#closing.signal.aborted && this.#writer.takesAppends();
  }

  async *subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch, void, undefined> {
    const { filter, batchSize = DEFAULT_BATCH } = options;
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    let position = options.after;
    let saidCaughtUp = false;
    while (!signal.aborted) {
      const seen = this.#wakeups.announced;
      const batch = reading(() => this.#batch(position, batchSize, filter));
      const moved = batch.position > position;
      position = batch.position;
      if (moved || (batch.caughtUp && !saidCaughtUp)) yield batch;
      saidCaughtUp ||= batch.caughtUp;
      await (batch.caughtUp ? this.#wakeups.wait(seen, signal) : nextTurn());
    }
  }

  /**
   * Copies the store as of one moment into a file that is complete when it appears under its name, while appends go
   * on. An older file of that name is replaced.
   */
  async backup(path: string): Promise<void> {
    const partial = `${path}.partial`;
    const source = openForReading(this.#path);
    try {
      // A transaction holds the moment: without one, each commit would begin the copy again.
      source.exec('BEGIN; SELECT max(position) FROM events');
      await source.backup(partial);
      await rename(partial, path);
    } finally {
      source.close();
      await rm(partial, { force: true });
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wakeups.announce();
    this.#channel?.close();
    await this.#writer?.close();
    this.#reader.close();
  }

  #batch(after: Position, batchSize: number, filter: SubscribeOptions['filter']): EventBatch {
    const head = this.#reader.head();
    if (head <= after) return { events: [], position: after, caughtUp: true };
    const { events, rest } = this.#reader.readRange(
      { above: after, upTo: head },
      'forwards',
      batchSize,
      filter,
    );
    return { events, position: rest?.above ?? head, caughtUp: rest === null };
  }

  #headHasMoved(): boolean {
    const head = this.#reader.head();
    if (head === this.#lastHead) return false;
    this.#lastHead = head;
    return true;
  }

  #startWriter(options: SqliteEventStoreOptions): AppendWriter {
    const { writerUrl, maxAppendBytes = Number.POSITIVE_INFINITY, startsThreads = false } = options;
    const writer = new AppendWriter({
      maxAppendBytes,
      path: this.#path,
      storeId: this.storeId,
      threadUrl: writerUrl ?? threadUrl('./append-writer.worker.js', import.meta.url),
      onCommit: () => this.#wakeups.announce(),
    });
    if (startsThreads) writer.start();
    return writer;
  }

  #listenToCommits(): BroadcastChannel {
    const channel = new BroadcastChannel(commitChannel(this.storeId));
    channel.onmessage = () => this.#wakeups.announce();
    channel.unref();
    return channel;
  }
}

/** Lets the thread's other work in between chunks. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const reading = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    const reason = messageOf(error);
    throw new EventStoreUnavailableError(`the event store cannot be read: ${reason}`, { cause: error });
  }
};
