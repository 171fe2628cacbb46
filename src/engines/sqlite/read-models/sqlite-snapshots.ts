/** Snapshots in SQLite. A thread writes them: thousands of requests may stand beside one, each in a page of its own. */
import { Worker } from 'node:worker_threads';
import { RequestThread } from '../../../foundation/basics/request-thread.js';
import { threadUrl } from '../../../foundation/basics/threads.js';
import { ReadModelUnavailableError } from '../../../foundation/read-models/read-model-store.js';
import type { StateSnapshots } from '../../../foundation/read-models/state-snapshots.js';
import { whenUnlocked } from '../locks.js';
import { type SaveSnapshot, SqliteSnapshotsFile } from './sqlite-snapshots-file.js';

const READ_WITHIN_MS = 5_000;

export class SqliteSnapshots implements StateSnapshots {
  readonly #file: SqliteSnapshotsFile;
  readonly #thread: RequestThread<SaveSnapshot, number | null>;
  #closed = false;

  constructor(path: string, { startsThreads }: { readonly startsThreads: boolean }) {
    this.#file = new SqliteSnapshotsFile(path);
    this.#thread = new RequestThread(
      () => new Worker(threadUrl('sqlite-snapshots.worker.js', import.meta.url), { workerData: { path } }),
    );
    if (startsThreads) void this.#thread.start();
  }

  readonly load: StateSnapshots['load'] = async (key) => {
    this.#refuseIfClosed();
    return whenUnlocked(() => this.#file.load(key), READ_WITHIN_MS);
  };

  readonly find: StateSnapshots['find'] = async (key, lineage, keys) => {
    this.#refuseIfClosed();
    return whenUnlocked(() => this.#file.find(key, lineage, keys), READ_WITHIN_MS);
  };

  readonly save: StateSnapshots['save'] = async (key, snapshot, { lineage, used }) => {
    this.#refuseIfClosed();
    const saved = await this.#thread.request({ ...key, ...snapshot, lineage, used: used.flat() });
    // The thread may have another file under this name than this connection.
    if (saved === null) this.#file.close();
    return saved;
  };

  async close(): Promise<void> {
    this.#closed = true;
    this.#file.close();
    await this.#thread.close();
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new ReadModelUnavailableError('the snapshots were closed');
  }
}
