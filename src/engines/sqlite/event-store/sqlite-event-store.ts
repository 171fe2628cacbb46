/**
 * The embedded event store: one SQLite file in WAL mode with synchronous=FULL. A writer thread commits what has
 * gathered as one group; reads and subscriptions run on the caller's thread with a connection that cannot write.
 * Several processes may use one file; they meet at its lock, and each append keeps its expected revision.
 */
import { setMaxListeners } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import { BroadcastChannel, Worker } from 'node:worker_threads';
import { joinSignals } from '../../../foundation/basics/joined-signal.js';
import { threadUrl } from '../../../foundation/basics/threads.js';
import type {
  EventBatch,
  EventStore,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  SubscribeOptions,
} from '../../../foundation/event-store/event-store.js';
import type { Installation, StoreIdentity } from '../../../foundation/event-store/installation.js';
import type { OldEvents } from '../../../foundation/event-store/old-events.js';
import type { Damage, ScrubStep, Verifiable } from '../../../foundation/integrity/damage.js';
import type { DamageListener } from '../../../foundation/integrity/damage-log.js';
import { isSmall } from '../database-file.js';
import { AppendWriter } from './append-writer.js';
import { commitChannel } from './append-writer.messages.js';
import { checkEventFile, type FileCheck } from './file-check.js';
import { writeComparison } from './old-events.js';
import { EventReader } from './reader.js';
import { openForReading, prepareFile, readFile, writeInstallation } from './schema.js';

export interface SqliteEventStoreOptions {
  /** Makes and changes nothing: it has no writer thread, is woken by the commits of other threads, and refuses appends. */
  readonly readOnly?: boolean;
  /** Of one append (append-checks.ts). Default: none. */
  readonly maxAppendBytes?: number;
  /** Starts the writer thread now, and checks all pages of a small file first. Default: with the first append. */
  readonly startsThreads?: boolean;
  /** Checks first whether streams can be trusted: a large file while it is used. Default: it is not checked. */
  readonly checksFile?: boolean;
  /** Called with each damage before it is thrown. */
  readonly onDamage?: DamageListener;
  /** Other code for the writer thread: tests let it die. */
  readonly writerUrl?: URL;
}

export class SqliteEventStore implements EventStore, OldEvents, Verifiable {
  readonly store = 'events';
  readonly storeId: string;
  /** The writer's own. Throws TypeError when the store was opened read-only. */
  readonly append: EventStore['append'];
  readonly #path: string;
  readonly #onDamage: DamageListener;
  readonly #reader: EventReader;
  readonly #writer: AppendWriter | null;
  readonly #channel: BroadcastChannel | null;
  readonly #closing = new AbortController();

  /** Makes the file when there is none, unless it is opened to read. Throws when it is not an event store or cannot be opened. */
  constructor(path: string, options: SqliteEventStoreOptions = {}) {
    this.#path = path;
    setMaxListeners(0, this.#closing.signal);
    this.storeId = options.readOnly ? readFile(path) : prepareFile(path);
    this.#onDamage = options.onDamage ?? (() => undefined);
    this.#reader = new EventReader(path, this.#onDamage);
    this.#writer = options.readOnly ? null : this.#startWriter(options);
    this.append = this.#writer?.append ?? refuseAppend;
    this.#channel = options.readOnly ? this.#listenToCommits() : null;
    if (options.checksFile) this.#checkFile(options.startsThreads ?? false);
  }

  async identity(): Promise<StoreIdentity> {
    return this.#reader.identity();
  }

  async assign(installation: Installation): Promise<void> {
    writeInstallation(this.#path, installation);
  }

  async readStream(stream: string, options?: ReadStreamOptions): Promise<readonly RecordedEvent[] | null> {
    return this.#reader.readStream(stream, options);
  }

  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent> {
    return this.#reader.readAll(options);
  }

  async head(): Promise<Position> {
    return this.#reader.head();
  }

  async chainAt(position: Position): Promise<number | null> {
    return this.#reader.chainAt(position);
  }

  async takesAppends(): Promise<boolean> {
    return this.#writer?.takesAppends() ?? false;
  }

  async uncomparedUpTo(): Promise<Position | null> {
    return this.#reader.uncomparedUpTo();
  }

  async markCompared(differences: readonly Damage[]): Promise<void> {
    writeComparison(this.#path, differences);
    for (const difference of differences) this.#onDamage(difference);
  }

  async *subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch, void, undefined> {
    const { signal, release } = joinSignals(options.signal, this.#closing.signal);
    try {
      yield* this.#reader.subscribe({ ...options, signal });
    } finally {
      release();
    }
  }

  scrub(): AsyncIterable<ScrubStep> {
    return this.#reader.scrub();
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
    this.#channel?.close();
    await this.#writer?.close();
    this.#reader.close();
  }

  /** Before the first append, where the file is small. */
  #checkFile(wholly: boolean): void {
    if (isSmall(this.#path)) {
      this.#heed(checkEventFile(this.#path, { wholly }));
      return;
    }
    const thread = new Worker(threadUrl('./file-check.worker.js', import.meta.url), {
      workerData: { path: this.#path },
    });
    thread.unref();
    thread.on('message', (check: FileCheck) => this.#heed(check));
    // Damage is met by what reads it, too.
    thread.on('error', () => undefined);
    this.#closing.signal.addEventListener('abort', () => void thread.terminate());
  }

  #heed({ damage, isTrusted }: FileCheck): void {
    if (damage === null) return;
    this.#onDamage(damage);
    if (isTrusted) return;
    this.#reader.refuseStreams(damage);
    this.#writer?.refuse(damage);
  }

  #startWriter(options: SqliteEventStoreOptions): AppendWriter {
    const { writerUrl, maxAppendBytes = Number.POSITIVE_INFINITY, startsThreads = false } = options;
    const writer = new AppendWriter({
      maxAppendBytes,
      path: this.#path,
      storeId: this.storeId,
      threadUrl: writerUrl ?? threadUrl('./append-writer.worker.js', import.meta.url),
      onCommit: this.#reader.announce,
    });
    if (startsThreads) writer.start();
    return writer;
  }

  #listenToCommits(): BroadcastChannel {
    const channel = new BroadcastChannel(commitChannel(this.storeId));
    channel.onmessage = this.#reader.announce;
    channel.unref();
    return channel;
  }
}

const refuseAppend = async (): Promise<never> => {
  throw new TypeError('this event store was opened read-only');
};
