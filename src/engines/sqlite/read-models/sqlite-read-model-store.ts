/**
 * Read models in one SQLite file, which any number of processes may open. Rows and checkpoints are written in one
 * transaction, so a checkpoint is never ahead of its rows, even after a crash. WAL with synchronous=NORMAL: a power loss
 * may lose the last commits with their checkpoints, and the projector resumes from there.
 */
import { Worker } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { RequestThread } from '../../../foundation/basics/request-thread.js';
import { threadUrl } from '../../../foundation/basics/threads.js';
import { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import type { GenerationScrubStep } from '../../../foundation/read-models/generation-healing.js';
import { ProjectionSchemas } from '../../../foundation/read-models/projection-schemas.js';
import type {
  ComparedDocument,
  ComparesGenerations,
  Generation,
  Lease,
  LeaseRequest,
  ProjectionBatch,
  ProjectionProgress,
  ProjectionSchema,
  PromotionOutcome,
  ReadModelStore,
  ReadView,
} from '../../../foundation/read-models/read-model-store.js';
import { NO_WAIT_MS, OPENING_WAIT_MS, standingStill, whenUnlocked } from '../locks.js';
import type { AuditAnswer } from './sqlite-audit.messages.js';
import { BULK, SqliteBulkWriter } from './sqlite-bulk-writer.js';
import { SqliteCheckpointer } from './sqlite-checkpointer.js';
import { SqliteCommits } from './sqlite-commits.js';
import { compareGenerations } from './sqlite-comparison.js';
import { guarded, unavailable } from './sqlite-errors.js';
import { SqliteGenerationTables } from './sqlite-generation-tables.js';
import { SqliteGenerations } from './sqlite-generations.js';
import { SqliteLeases } from './sqlite-leases.js';
import {
  CHECKPOINT_PAGES,
  openAnother,
  openReadModelFile,
  type ReadModelFile,
} from './sqlite-read-model-file.js';
import { scrubReadModels } from './sqlite-read-model-scrub.js';
import { SnapshotPool, SqliteReadView } from './sqlite-snapshot-pool.js';
import { SqliteTableReader } from './sqlite-table-reader.js';
import { SqliteTable } from './sqlite-tables.js';

export interface SqliteReadModelOptions {
  /** For threads and tools that only take snapshots: makes nothing, and the file must exist. */
  readonly readOnly?: boolean;
  /** For a server's projector: a thread does the checkpoints, so that no commit waits for them. */
  readonly checkpointThread?: boolean;
  /** How long the thread may stand still for the lock of another process while the file is opened. Default: 30 s. */
  readonly openingWaitMs?: number;
}

/** No client waits for a commit of the projector. */
const COMMIT_WITHIN_MS = 30_000;

export class SqliteReadModelStore implements Omit<ReadModelStore, 'resultCache' | 'snapshots'> {
  readonly isRemote = false;
  readonly snapshot: ReadModelStore['snapshot'];
  /** Of its file, which may have lost its name since. */
  readonly identity: string | null;
  readonly #file: ReadModelFile;
  readonly #db: Database.Database;
  readonly #readOnly: boolean;
  readonly #checkpointer: SqliteCheckpointer | null;
  readonly #schemas = new ProjectionSchemas();
  readonly #generations: SqliteGenerations;
  readonly #tables: SqliteGenerationTables;
  readonly #leases: SqliteLeases;
  readonly #snapshots: SnapshotPool;
  readonly #bulk: SqliteBulkWriter;
  readonly #audits: RequestThread<'audit', AuditAnswer>;
  /** Null: this store has written nothing yet. */
  #commits: SqliteCommits | null = null;
  /** Of the writing connection, by generation. */
  readonly #views = new Map<number, ReadView>();

  /** Throws ReadModelUnavailableError when the file cannot be opened. */
  constructor(
    path: string,
    {
      readOnly = false,
      checkpointThread = false,
      openingWaitMs = OPENING_WAIT_MS,
    }: SqliteReadModelOptions = {},
  ) {
    const file = openReadModelFile(path, readOnly, openingWaitMs);
    this.#readOnly = readOnly;
    this.identity = file.identity;
    this.#file = file;
    this.#db = file.db;
    this.#generations = new SqliteGenerations(this.#db);
    this.#leases = new SqliteLeases(this.#db);
    this.#snapshots = new SnapshotPool(file, this.#schemas.owners);
    // A snapshot is the pool's alone: reads do not pass through the writing side.
    this.snapshot = this.#snapshots.snapshot.bind(this.#snapshots);
    this.#bulk = new SqliteBulkWriter(file);
    this.#audits = new RequestThread(() => startAudits(file));
    this.#tables = new SqliteGenerationTables({
      db: this.#db,
      generations: this.#generations,
      schemas: this.#schemas,
      bulk: this.#bulk,
      write: (work) => this.#write(work),
    });
    this.#checkpointer = checkpointThread ? this.#leaveCheckpointsTo(path) : null;
  }

  async prepare(projections: readonly ProjectionSchema[]): Promise<void> {
    for (const schema of projections) this.#schemas.add(schema);
    if (!this.#readOnly) await this.#tables.completeLive(projections);
  }

  async progress(projection: string): Promise<ProjectionProgress> {
    return guarded(() => this.#generations.progress(projection));
  }

  async progressOf(projections: readonly string[]): Promise<readonly ProjectionProgress[]> {
    return guarded(() =>
      this.#db.transaction(() => projections.map((name) => this.#generations.progress(name)))(),
    );
  }

  async startGenerations(
    schemas: readonly ProjectionSchema[],
    storeId: string,
  ): Promise<readonly Generation[]> {
    for (const schema of schemas) this.#schemas.add(schema);
    return this.#tables.start(schemas, storeId);
  }

  async commit(batches: readonly ProjectionBatch[]): Promise<'committed' | 'superseded'> {
    const size = batches.reduce((sum, { writes }) => sum + writes.length, 0);
    if (size >= BULK) return this.#bulk.commit(batches);
    try {
      return await this.#write((rollback) => {
        this.#commits ??= new SqliteCommits(this.#db);
        return this.#commits.land(batches) ?? rollback('superseded');
      });
    } catch (error) {
      this.#commits?.discard();
      throw error;
    }
  }

  makeIndexes(generations: readonly Generation[]): Promise<void> {
    return this.#tables.makeIndexes(generations);
  }

  promote(
    generations: readonly Generation[],
    { allowBehind = false }: { readonly allowBehind?: boolean } = {},
  ): Promise<readonly PromotionOutcome[]> {
    return this.#tables.promote(generations, allowBehind);
  }

  async viewOf<T>(generation: Generation, read: (view: ReadView) => Promise<T>): Promise<T> {
    const view = this.#views.get(generation.number) ?? this.#openView(generation);
    return read(view).catch((error: unknown) => {
      throw unavailable(error);
    });
  }

  /** Makes the projector build the projection anew: this generation is of no version of the code. */
  async condemn({ generation, extent }: DamagedGenerationError): Promise<void> {
    if (!this.#readOnly) return this.#write(() => this.#generations.condemn(generation, extent));
    await whenUnlocked(() => {
      const db = openAnother(this.#file, { timeout: NO_WAIT_MS });
      try {
        new SqliteGenerations(db).condemn(generation, extent);
      } finally {
        db.close();
      }
    }, COMMIT_WITHIN_MS);
  }

  async compare(
    ...[built, comparedIn]: Parameters<ComparesGenerations['compare']>
  ): Promise<readonly ComparedDocument[] | null> {
    const db = openAnother(this.#file, { readonly: true, timeout: 5_000 });
    try {
      return await compareGenerations(db, built, comparedIn);
    } catch (error) {
      throw unavailable(error);
    } finally {
      db.close();
    }
  }

  async *scrub(): AsyncIterable<GenerationScrubStep> {
    yield { checked: 0, unverified: 0, damaged: await this.audit() };
    yield* scrubReadModels(this.#db);
  }

  /** Compares all tallies, in a thread of its own. Returns what does not fit. */
  async audit(): Promise<readonly DamagedGenerationError[]> {
    const answer = await this.#audits.request('audit');
    if ('failure' in answer) throw unavailable(answer.failure);
    return answer.damages.map((damage) => new DamagedGenerationError(damage));
  }

  async acquireLease(request: LeaseRequest): Promise<Lease | null> {
    return this.#write(() => this.#leases.acquire(request));
  }

  async releaseLease(name: string, holder: string): Promise<void> {
    await this.#write(() => this.#leases.release(name, holder));
  }

  async leases(): Promise<readonly Lease[]> {
    return guarded(() => this.#leases.current());
  }

  async lapsedLeases(): Promise<readonly Lease[]> {
    return guarded(() => this.#leases.lapsed());
  }

  async close(): Promise<void> {
    await this.#audits.close();
    await this.#tables.close();
    await this.#bulk.close();
    await this.#checkpointer?.close();
    this.#snapshots.close();
    if (this.#db.open) this.#db.close();
  }

  #leaveCheckpointsTo(path: string): SqliteCheckpointer {
    this.#db.pragma('wal_autocheckpoint = 0');
    return new SqliteCheckpointer(path, () => {
      if (this.#db.open) this.#db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    });
  }

  #openView(generation: Generation): ReadView {
    this.#schemas.of(generation);
    const { number } = generation;
    const readers = new Map<string, SqliteTableReader>();
    const view = new SqliteReadView({
      position: (projection) => {
        const { live, building } = this.#generations.progress(projection);
        return (building?.number === number ? building : live)?.position ?? 0;
      },
      reader: (collection) => {
        const known = readers.get(collection.name);
        if (known) return known;
        const table = new SqliteTable(collection, number);
        const reader = new SqliteTableReader(this.#db, table, {
          isSnapshot: false,
          beforeIndex: (index) => this.#makeIndex(table.createIndex(index)),
        });
        readers.set(collection.name, reader);
        return reader;
      },
    });
    this.#views.set(number, view);
    return view;
  }

  /** A projection's read asks for it, in the midst of a batch. A large commit may be under way in its thread, and ends by itself. */
  #makeIndex(statement: string): void {
    standingStill(this.#db, COMMIT_WITHIN_MS, () => this.#db.exec(statement));
  }

  /** Runs one immediate transaction when no large commit is under way. `rollback` undoes it and still returns a value. */
  #write<T>(work: (rollback: (result: T) => T) => T): Promise<T> {
    const run = (): T => this.#transaction(work);
    return whenUnlocked(
      () => (this.#bulk.pending.length > 0 ? this.#bulk.runWhenIdle(run) : run()),
      COMMIT_WITHIN_MS,
    );
  }

  #transaction<T>(work: (rollback: (result: T) => T) => T): T {
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      try {
        let undone = false;
        const result = work((value) => {
          undone = true;
          return value;
        });
        this.#db.exec(undone ? 'ROLLBACK' : 'COMMIT');
        return result;
      } finally {
        if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      }
    } catch (error) {
      throw unavailable(error);
    }
  }
}

const startAudits = ({ path, identity }: ReadModelFile): Worker =>
  new Worker(threadUrl('./sqlite-audit.worker.js', import.meta.url), { workerData: { path, identity } });
