/**
 * The embedded log store: one DuckDB file, owned by a child process that is restarted when it dies. Appends without an
 * answer are retried, which is safe because ids are deduplicated. The memory of pending appends is bounded.
 */
import { constants, copyFile, rm } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../foundation/basics/error-message.js';
import { SharedBudget } from '../../foundation/basics/shared-budget.js';
import { CatalogueCache } from '../../foundation/log-store/catalogue-cache.js';
import type { FieldCatalogue } from '../../foundation/log-store/field-catalogue.js';
import type { StoredFields } from '../../foundation/log-store/field-owners.js';
import {
  type LogRows,
  type LogStore,
  LogStoreBusyError,
  LogStoreUnavailableError,
  LogsDamagedError,
  type RunOptions,
} from '../../foundation/log-store/log-store.js';
import { QueryQueue } from '../../foundation/log-store/queries/query-queue.js';
import { BUILT_IN_SOURCES, type LogSource } from '../../foundation/log-store/sources.js';
import { backupFolder } from './backup.js';
import { type CallChannel, CallFailedError, ChannelClosedError } from './call-channel.js';
import { ChannelLogStore } from './channel-log-store.js';
import { EngineProcess } from './engine-process.js';
import type { AppendAnswer, EngineOptions } from './messages.js';
import { queryEngineOf } from './query-engine.js';

export interface DuckDbLogStoreOptions {
  readonly path: string;
  /** Memory of the engine in MB. Default: a quarter of the machine's, at least 256, at most 2,048. */
  readonly memoryMb?: number;
  /** Queries that run at a time. Default 4. */
  readonly readers?: number;
  /** Queries that may wait in the queue. Default 1,024. When it is full, the tenant with the most makes room. */
  readonly maxWaiting?: number;
  /** Bytes of appends that are not on disk yet, which tenants share. Default 128 MB. */
  readonly maxPendingBytes?: number;
  /** Recent ids in memory, about 20 bytes each. Default 8 million; older ids are looked up in the tables. */
  readonly recentIds?: number;
  /** Called when the engine finds the file damaged while it serves. */
  readonly onDamaged?: (error: LogsDamagedError) => void;
  /** Projects whose fields are known by name; those of tied tokens beyond it. Default 20,000. */
  readonly maxProjects?: number;
}

const MB = 1024 * 1024;
/** Queries that run at a time, with those that the engine does not stop. Each has a thread. */
const MAX_RUNNING = 48;
const MAX_ATTEMPTS = 5;

export class DuckDbLogStore extends ChannelLogStore {
  readonly #options: EngineOptions;
  readonly #onDamaged: (error: LogsDamagedError) => void;
  readonly #pending: SharedBudget;
  readonly #queue: QueryQueue;
  readonly #catalogues = new CatalogueCache(
    async (project) => (await this.call({ kind: 'fields', project })) as StoredFields,
  );
  #sources = BUILT_IN_SOURCES;
  #engine: Promise<EngineProcess>;
  #pid: number;
  readonly #pendingCalls = new Set<Promise<unknown>>();
  readonly #before: { close(): Promise<void> }[] = [];
  #backups: Promise<void> = Promise.resolve();
  #closed = false;

  private constructor(options: DuckDbLogStoreOptions, engineOptions: EngineOptions, process: EngineProcess) {
    super();
    this.#options = engineOptions;
    this.#onDamaged = options.onDamaged ?? (() => undefined);
    this.#pending = new SharedBudget(options.maxPendingBytes ?? 128 * MB);
    this.#pid = process.pid;
    this.#engine = Promise.resolve(process);
    this.#watch(process);
    this.#queue = new QueryQueue({
      engine: async () => queryEngineOf(await this.#running()),
      readers: engineOptions.readers,
      maxRunning: engineOptions.maxRunning,
      maxWaiting: options.maxWaiting ?? 1_024,
    });
  }

  /** Opens the file, or makes it. Throws LogStoreUnavailableError with a one-line message. */
  static async open(options: DuckDbLogStoreOptions): Promise<DuckDbLogStore> {
    const engineOptions: EngineOptions = {
      path: options.path,
      memoryMb: options.memoryMb ?? defaultMemoryMb(),
      threads: availableParallelism(),
      readers: options.readers ?? 4,
      maxRunning: MAX_RUNNING,
      recentIds: options.recentIds ?? 8_000_000,
      maxProjects: options.maxProjects ?? 20_000,
    };
    const store = new DuckDbLogStore(options, engineOptions, await EngineProcess.start(engineOptions));
    await store.#readSources();
    return store;
  }

  /** Id of the process that owns the file now. */
  get pid(): number {
    return this.#pid;
  }

  protected override async appendBytes(bytes: Uint8Array, tenant: string): Promise<AppendAnswer> {
    const giveBack = this.#pending.take(tenant, bytes.length);
    if (giveBack === null) throw new LogStoreBusyError();
    try {
      const answer = await super.appendBytes(bytes, tenant);
      for (const project of answer.learned) this.#catalogues.forget(project);
      return answer;
    } finally {
      giveBack();
    }
  }

  /** The rows of projects without entries go with the entries. */
  override async removeBefore(...given: Parameters<LogStore['removeBefore']>): Promise<number> {
    const removed = await super.removeBefore(...given);
    if (removed > 0) this.#catalogues.forgetAll();
    return removed;
  }

  override async sources(): Promise<readonly LogSource[]> {
    return this.#sources;
  }

  override async addSource(source: LogSource): Promise<void> {
    await super.addSource(source);
    await this.#readSources();
  }

  async #readSources(): Promise<void> {
    this.#sources = await super.sources();
    this.#catalogues.setSources(this.#sources);
  }

  catalogue(project: string | null): Promise<FieldCatalogue> {
    return this.#catalogues.get(project);
  }

  async runSql(sql: string, options: RunOptions): Promise<LogRows> {
    this.#refuseWhenClosed();
    return this.#noting(this.#queue.run(sql, options));
  }

  /** Backups run one after the other: there is one backup folder. */
  backup(path: string): Promise<void> {
    const made = this.#backups.then(() => this.#backUp(path));
    this.#backups = made.catch(() => undefined);
    return made;
  }

  async #backUp(path: string): Promise<void> {
    const folder = backupFolder(this.#options.path);
    const copy = join(folder, 'copy.duckdb');
    await this.call({ kind: 'backup', to: copy });
    try {
      await moved(copy, path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** `user` uses this store; `close` closes it first. */
  closeFirst(user: { close(): Promise<void> }): void {
    this.#before.push(user);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    for (const user of this.#before) await user.close();
    await this.#backups;
    this.#closed = true;
    await Promise.allSettled(this.#pendingCalls);
    await this.#queue.idle();
    const engine = await this.#engine.catch(() => null);
    if (!engine) return;
    await engine.channel.call({ kind: 'close' }).catch(() => undefined);
    await engine.ended;
  }

  /** Retries on the next process when one dies. So every such call must be safe to repeat. */
  protected async request(send: (channel: CallChannel) => Promise<unknown>): Promise<unknown> {
    this.#refuseWhenClosed();
    const work = this.#noting(this.#attempts(send));
    this.#pendingCalls.add(work);
    try {
      return await work;
    } finally {
      this.#pendingCalls.delete(work);
    }
  }

  async #noting<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof LogsDamagedError) this.#onDamaged(error);
      throw error;
    }
  }

  async #attempts(send: (channel: CallChannel) => Promise<unknown>): Promise<unknown> {
    let cause: unknown;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        return await send((await this.#running()).channel);
      } catch (error) {
        if (error instanceof CallFailedError) {
          const isDamaged = error.failure.trouble === 'damaged';
          throw new (isDamaged ? LogsDamagedError : LogStoreUnavailableError)(error.message, {
            cause: error,
          });
        }
        if (!(error instanceof ChannelClosedError)) throw error;
        cause = error;
      }
    }
    throw new LogStoreUnavailableError('the process of the log store ends again and again', { cause });
  }

  async #running(): Promise<EngineProcess> {
    const current = this.#engine;
    const engine = await current.catch(() => null);
    if (engine && !engine.channel.isClosed) return engine;
    if (engine) {
      // Its channel is closed. The process must end, so that it releases the file.
      engine.kill();
      await engine.ended;
    }
    if (this.#engine === current) this.#engine = this.#restart();
    return this.#engine;
  }

  /** Starts another process when this one ends. */
  #watch(engine: EngineProcess): void {
    engine.ended.then(() => {
      if (!this.#closed) this.#running().catch(() => undefined);
    });
  }

  async #restart(): Promise<EngineProcess> {
    const process = await EngineProcess.start(this.#options);
    this.#pid = process.pid;
    this.#watch(process);
    return process;
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new LogStoreUnavailableError('the log store is closed');
  }
}

/** Copies the file, also to another disk. Throws LogStoreUnavailableError. */
const moved = async (from: string, to: string): Promise<void> => {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } catch (error) {
    const why = messageOf(error);
    throw new LogStoreUnavailableError(`the copy cannot be put at ${to}: ${why}`, { cause: error });
  }
};

const defaultMemoryMb = (): number => {
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const quarter = Math.floor(Math.min(totalmem(), constrained) / 4 / MB);
  return Math.min(Math.max(quarter, 256), 2_048);
};
