/** Snapshots in SQLite. A thread writes them: thousands of requests may stand beside one, each in a page of its own. */
import { Worker } from 'node:worker_threads';
import { RequestThread } from '../../../foundation/basics/request-thread.js';
import { threadUrl } from '../../../foundation/basics/threads.js';
import type { Damage, ScrubStep } from '../../../foundation/integrity/damage.js';
import { ReadModelUnavailableError } from '../../../foundation/read-models/read-model-store.js';
import type { StateSnapshots } from '../../../foundation/read-models/state-snapshots.js';
import { whenUnlocked } from '../locks.js';
import { type SaveSnapshot, SqliteSnapshotsFile } from './sqlite-snapshots-file.js';

const READ_WITHIN_MS = 5_000;

export interface SqliteSnapshotsOptions {
  readonly startsThreads: boolean;
  /** Called with what is damaged, and counts as gone. */
  readonly onDamage: (damage: Damage) => void;
}

/** Asks the thread to remove a damaged lineage. */
export interface DropLineage {
  readonly dropped: number;
}

/** The lineage that was stored, or null; and what the thread has found damaged. */
export interface Saved {
  readonly lineage: number | null;
  readonly damages: readonly Damage[];
}

export class SqliteSnapshots implements StateSnapshots {
  readonly #file: SqliteSnapshotsFile;
  readonly #thread: RequestThread<SaveSnapshot | DropLineage, Saved>;
  readonly #onDamage: (damage: Damage) => void;
  #closed = false;

  constructor(path: string, { startsThreads, onDamage }: SqliteSnapshotsOptions) {
    this.#onDamage = onDamage;
    this.#file = new SqliteSnapshotsFile(path, onDamage);
    this.#thread = new RequestThread(
      () => new Worker(threadUrl('sqlite-snapshots.worker.js', import.meta.url), { workerData: { path } }),
    );
    if (startsThreads) void this.#thread.start();
  }

  readonly load: StateSnapshots['load'] = async (key) => {
    this.#refuseIfClosed();
    const found = await whenUnlocked(() => this.#file.load(key), READ_WITHIN_MS);
    this.#dropDamaged();
    return found;
  };

  readonly find: StateSnapshots['find'] = async (key, lineage, keys) => {
    this.#refuseIfClosed();
    const found = await whenUnlocked(() => this.#file.find(key, lineage, keys), READ_WITHIN_MS);
    this.#dropDamaged();
    return found;
  };

  readonly save: StateSnapshots['save'] = async (key, snapshot, { lineage, used }) => {
    this.#refuseIfClosed();
    const saved = await this.#thread.request({ ...key, ...snapshot, lineage, used: used.flat() });
    // The thread may have another file under this name than this connection.
    if (saved.lineage === null) this.#file.close();
    for (const damage of saved.damages) this.#onDamage(damage);
    return saved.lineage;
  };

  /** Names damaged lineages. `repairs`: removes them, too. */
  async *scrub({ repairs }: { readonly repairs: boolean }): AsyncGenerator<ScrubStep, void, undefined> {
    for await (const step of this.#file.scrub()) {
      if (repairs) this.#dropDamaged();
      yield step;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#file.close();
    await this.#thread.close();
  }

  /** When the thread cannot, the lineage stays gone for this process, and the next one that meets it tries again. */
  #dropDamaged(): void {
    for (const dropped of this.#file.takeDamaged()) this.#thread.request({ dropped }).catch(() => undefined);
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new ReadModelUnavailableError('the snapshots were closed');
  }
}
