/** One file of read models, open: the connection that writes, and what works over it or opens connections of its own. */
import { Worker } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { RequestThread } from '../../../foundation/basics/request-thread.js';
import { threadUrl } from '../../../foundation/basics/threads.js';
import { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import { ProjectionSchemas } from '../../../foundation/read-models/projection-schemas.js';
import type {
  Generation,
  ProjectionSchema,
  ReadView,
} from '../../../foundation/read-models/read-model-store.js';
import { standingStill } from '../locks.js';
import type { AuditAnswer } from './sqlite-audit.messages.js';
import { SqliteBulkWriter } from './sqlite-bulk-writer.js';
import { SqliteCheckpointer } from './sqlite-checkpointer.js';
import { SqliteCommits } from './sqlite-commits.js';
import { unavailable } from './sqlite-errors.js';
import { SqliteGenerationTables } from './sqlite-generation-tables.js';
import { SqliteGenerations } from './sqlite-generations.js';
import { SqliteLeases } from './sqlite-leases.js';
import {
  CHECKPOINT_PAGES,
  openAnother,
  openReadModelFile,
  type ReadModelFile,
} from './sqlite-read-model-file.js';
import { SqliteTable } from './sqlite-tables.js';
import { SnapshotPool, SqliteReadView, SqliteTableReader } from './sqlite-views.js';

/** No client waits for a write of the projector. */
export const WRITE_WITHIN_MS = 30_000;

export interface OpeningOptions {
  /** For threads and tools that only take snapshots: makes nothing, and the file must exist. */
  readonly readOnly: boolean;
  /** For a server's projector: a thread does the checkpoints, so that no commit waits for them. */
  readonly checkpointThread: boolean;
  /** How long the thread may stand still for the lock of another process while the file is opened. */
  readonly openingWaitMs: number;
  /** Runs work in a transaction of this file, when no large commit is under way. */
  readonly write: <T>(file: OpenReadModels, work: () => T) => Promise<T>;
}

export class OpenReadModels {
  /** Of its file, which may have lost its name since. */
  readonly identity: string | null;
  readonly db: Database.Database;
  readonly readOnly: boolean;
  readonly generations: SqliteGenerations;
  readonly tables: SqliteGenerationTables;
  readonly leases: SqliteLeases;
  readonly snapshots: SnapshotPool;
  readonly bulk: SqliteBulkWriter;
  /** Null: nothing was written yet. */
  commits: SqliteCommits | null = null;
  /** Of the writing connection, by the number of the generation. */
  readonly views = new Map<number, ReadView>();
  readonly #file: ReadModelFile;
  readonly #schemas = new ProjectionSchemas();
  readonly #audits: RequestThread<'audit', AuditAnswer>;
  readonly #checkpointer: SqliteCheckpointer | null;

  /** Throws ReadModelUnavailableError when the file cannot be opened. */
  constructor(path: string, { readOnly, checkpointThread, openingWaitMs, write }: OpeningOptions) {
    const file = openReadModelFile(path, readOnly, openingWaitMs);
    this.readOnly = readOnly;
    this.identity = file.identity;
    this.db = file.db;
    this.#file = file;
    this.generations = new SqliteGenerations(this.db);
    this.leases = new SqliteLeases(this.db);
    this.snapshots = new SnapshotPool(file, this.#schemas.owners);
    this.bulk = new SqliteBulkWriter(file);
    this.#audits = new RequestThread(() => startAudits(file));
    this.tables = new SqliteGenerationTables({
      db: this.db,
      generations: this.generations,
      schemas: this.#schemas,
      bulk: this.bulk,
      write: (work) => write(this, work),
    });
    this.#checkpointer = checkpointThread ? this.#leaveCheckpointsTo(path) : null;
  }

  learn(schemas: readonly ProjectionSchema[]): void {
    for (const schema of schemas) this.#schemas.add(schema);
  }

  async prepare(schemas: readonly ProjectionSchema[]): Promise<void> {
    this.learn(schemas);
    if (!this.readOnly) await this.tables.completeLive(schemas);
  }

  /** A view of a generation, over the writing connection: it sees each commit at once. */
  openView(generation: Generation): ReadView {
    this.#schemas.of(generation);
    const { number } = generation;
    const view = new SqliteReadView({
      position: (projection) => {
        const { live, building } = this.generations.progress(projection);
        return (building?.number === number ? building : live)?.position ?? 0;
      },
      open: (collection) => {
        const table = new SqliteTable(collection, number);
        // A read of a projection asks for it, in the midst of a batch. A large commit may be under way in its thread, and ends by itself.
        const beforeIndex = (index: string): void => {
          standingStill(this.db, WRITE_WITHIN_MS, () => this.db.exec(table.createIndex(index)));
        };
        return new SqliteTableReader(this.db, table, { isSnapshot: false, beforeIndex });
      },
    });
    this.views.set(number, view);
    return view;
  }

  /** Another connection to the file. Throws ReadModelUnavailableError when it was replaced. */
  connect(options: Database.Options): Database.Database {
    return openAnother(this.#file, options);
  }

  /** Compares all tallies, in a thread of its own. Returns what does not fit. */
  async audit(): Promise<readonly DamagedGenerationError[]> {
    const answer = await this.#audits.request('audit');
    if ('failure' in answer) throw unavailable(answer.failure);
    return answer.damages.map((damage) => new DamagedGenerationError(damage));
  }

  async close(): Promise<void> {
    await this.#audits.close();
    await this.tables.close();
    await this.bulk.close();
    await this.#checkpointer?.close();
    this.snapshots.close();
    if (this.db.open) this.db.close();
  }

  #leaveCheckpointsTo(path: string): SqliteCheckpointer {
    this.db.pragma('wal_autocheckpoint = 0');
    return new SqliteCheckpointer(path, () => {
      if (this.db.open) this.db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    });
  }
}

const startAudits = ({ path, identity }: ReadModelFile): Worker =>
  new Worker(threadUrl('./sqlite-audit.worker.js', import.meta.url), { workerData: { path, identity } });
