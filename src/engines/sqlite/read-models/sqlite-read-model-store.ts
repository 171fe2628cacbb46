/**
 * Read models in one SQLite file, which any number of processes may open. Rows and checkpoints are written in one
 * transaction, so a checkpoint is never ahead of its rows, even after a crash. WAL with synchronous=NORMAL: a power loss
 * may lose the last commits with their checkpoints, and the projector resumes from there.
 */
import type Database from 'better-sqlite3';
import { ProjectionSchemas } from '../../../foundation/read-models/projection-schemas.js';
import { promotionOf } from '../../../foundation/read-models/promotion.js';
import type {
  AnyCollection,
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
import { SqliteBulkWriter } from './sqlite-bulk-writer.js';
import { SqliteCachedResults } from './sqlite-cached-results.js';
import { SqliteCheckpointer } from './sqlite-checkpointer.js';
import { guarded, unavailable } from './sqlite-errors.js';
import { SqliteGenerations } from './sqlite-generations.js';
import { SqliteLeases } from './sqlite-leases.js';
import { CHECKPOINT_PAGES, openReadModelFile } from './sqlite-read-model-file.js';
import { dropIndex, dropTable, hasRows, indexesOf, SqliteTable, SqliteTableWriter } from './sqlite-tables.js';
import { SnapshotPool, SqliteReadView, SqliteTableReader } from './sqlite-views.js';

export interface SqliteReadModelOptions {
  /** For threads and tools that only take snapshots: makes nothing, and the file must exist. */
  readonly readOnly?: boolean;
  /** For a server's projector: a thread does the checkpoints, so that no commit waits for them. */
  readonly checkpointThread?: boolean;
}

/** What the writing connection keeps prepared for one generation. */
interface GenerationTables {
  readonly readers: Map<string, SqliteTableReader>;
  readonly writers: Map<string, SqliteTableWriter>;
}

export class SqliteReadModelStore implements ReadModelStore {
  readonly isRemote = false;
  readonly snapshot: ReadModelStore['snapshot'];
  readonly resultCache: SqliteCachedResults;
  readonly #db: Database.Database;
  readonly #readOnly: boolean;
  readonly #checkpointer: SqliteCheckpointer | null;
  readonly #schemas = new ProjectionSchemas();
  readonly #generations: SqliteGenerations;
  readonly #leases: SqliteLeases;
  readonly #snapshots: SnapshotPool;
  readonly #tables = new Map<number, GenerationTables>();
  readonly #bulk: SqliteBulkWriter;
  #dropping: Promise<void> = Promise.resolve();

  /** Throws ReadModelUnavailableError when the file cannot be opened. */
  constructor(path: string, { readOnly = false, checkpointThread = false }: SqliteReadModelOptions = {}) {
    this.#readOnly = readOnly;
    this.#db = openReadModelFile(path, readOnly);
    this.#generations = new SqliteGenerations(this.#db);
    this.#leases = new SqliteLeases(this.#db);
    this.#snapshots = new SnapshotPool(path, this.#schemas.owners);
    // A snapshot is the pool's alone: reads do not pass through the writing side.
    this.snapshot = this.#snapshots.snapshot.bind(this.#snapshots);
    this.#bulk = new SqliteBulkWriter(path);
    this.resultCache = new SqliteCachedResults(`${path}-results`);
    this.#checkpointer = checkpointThread ? this.#leaveCheckpointsTo(path) : null;
  }

  async prepare(projections: readonly ProjectionSchema[]): Promise<void> {
    for (const schema of projections) this.#schemas.add(schema);
    if (this.#readOnly) return;
    await this.#write(() => {
      for (const schema of projections) {
        const { live } = this.#generations.progress(schema.name);
        if (live) this.#completeTables(schema, live);
      }
    });
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
    const generations = await this.#write(() => schemas.map((schema) => this.#begin(schema, storeId)));
    this.#dropRetired();
    return generations;
  }

  async commit(batches: readonly ProjectionBatch[]): Promise<'committed' | 'superseded'> {
    const size = batches.reduce((sum, { writes }) => sum + writes.length, 0);
    if (size >= BULK) return this.#bulk.commit(batches);
    return this.#write((rollback) => this.#land(batches) ?? rollback('superseded'));
  }

  async makeIndexes(generations: readonly Generation[]): Promise<void> {
    for (const generation of generations) {
      const { building } = guarded(() => this.#generations.progress(generation.projection));
      if (building?.number !== generation.number) continue;
      for (const collection of this.#schemas.of(generation).collections) {
        const table = new SqliteTable(collection, generation.number);
        for (const index of Object.keys(collection.indexes)) {
          await this.#restructure(table.name, table.createIndex(index));
        }
      }
    }
  }

  async promote(
    generations: readonly Generation[],
    { allowBehind = false }: { readonly allowBehind?: boolean } = {},
  ): Promise<readonly PromotionOutcome[]> {
    await this.makeIndexes(generations);
    const outcomes = await this.#write(() => generations.map((one) => this.#swap(one, allowBehind)));
    if (outcomes.includes('promoted')) this.#dropRetired();
    return outcomes;
  }

  async viewOf<T>(generation: Generation, read: (view: ReadView) => Promise<T>): Promise<T> {
    this.#schemas.of(generation);
    const view = new SqliteReadView({
      position: (projection) => {
        const { live, building } = this.#generations.progress(projection);
        return (building?.number === generation.number ? building : live)?.position ?? 0;
      },
      reader: (collection) => this.#reader(generation, collection),
    });
    return read(view).catch((error: unknown) => {
      throw unavailable(error);
    });
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

  async close(): Promise<void> {
    await this.#dropping;
    await this.#bulk.close();
    await this.#checkpointer?.close();
    this.#snapshots.close();
    this.resultCache.close();
    if (this.#db.open) this.#db.close();
  }

  #leaveCheckpointsTo(path: string): SqliteCheckpointer {
    this.#db.pragma('wal_autocheckpoint = 0');
    return new SqliteCheckpointer(path, () => {
      if (this.#db.open) this.#db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    });
  }

  #completeTables(schema: ProjectionSchema, live: Generation): void {
    const before = this.#db.prepare('SELECT count(*) FROM sqlite_schema').pluck();
    const made = before.get();
    for (const collection of schema.collections) {
      const table = this.#makeTable(collection, live);
      const columns = this.#db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table.name);
      for (const field of table.fields) {
        if (!columns.includes(`f_${field}`)) this.#db.exec(table.addColumn(field));
      }
      for (const index of Object.keys(collection.indexes)) this.#db.exec(table.createIndex(index));
    }
    if (before.get() !== made) this.#generations.raiseEpoch();
  }

  #begin({ name, version, collections }: ProjectionSchema, storeId: string): Generation {
    const begun = this.#generations.begin(name, version, storeId);
    for (const collection of collections) this.#makeTable(collection, begun);
    return begun;
  }

  #makeTable(collection: AnyCollection, { number }: Generation): SqliteTable {
    const table = new SqliteTable(collection, number);
    this.#db.exec(table.createTable());
    this.#generations.addTable(number, table.name);
    return table;
  }

  #swap(generation: Generation, allowBehind: boolean): PromotionOutcome {
    const progress = this.#generations.progress(generation.projection);
    const outcome = promotionOf(generation, progress, allowBehind);
    if (outcome === 'promoted') this.#generations.swap(generation);
    return outcome;
  }

  /** Null: a conflict, because a checkpoint is not at the `from` of its batch. */
  #land(batches: readonly ProjectionBatch[]): 'committed' | null {
    for (const { generation, from, to } of batches) {
      if (!this.#generations.advance(generation.number, from, to)) return null;
    }
    for (const { generation, writes } of batches) {
      for (const write of writes) {
        const writer = this.#writer(generation, write.collection);
        if (write.kind === 'put') writer.put(write.document, write.previous);
        else writer.remove(write.id);
      }
    }
    return 'committed';
  }

  /**
   * Drops tables in the background, a piece at a time, so that no writer waits long. A failure is retried the next time.
   * Safe at once: a reader in an older snapshot still has the pages of that snapshot.
   */
  #dropRetired(): void {
    this.#dropping = this.#dropping.then(() => this.#dropTables()).catch(() => undefined);
  }

  async #dropTables(): Promise<void> {
    for (const name of this.#generations.retiredTables()) {
      for (const index of indexesOf(this.#db, name)) await this.#restructure(name, dropIndex(index));
      await this.#restructure(name, dropTable(name));
      await this.#write(() => this.#generations.forgetTable(name));
    }
  }

  /** Runs in the other thread when it takes long, so that it does not block this one. */
  #restructure(table: string, statement: string): Promise<void> {
    if (guarded(() => hasRows(this.#db, table, BULK))) return this.#bulk.run(statement);
    return this.#write(() => {
      this.#db.exec(statement);
    });
  }

  #tablesOf({ number }: Generation): GenerationTables {
    let tables = this.#tables.get(number);
    if (!tables) {
      tables = { readers: new Map(), writers: new Map() };
      this.#tables.set(number, tables);
    }
    return tables;
  }

  #writer(generation: Generation, collection: AnyCollection): SqliteTableWriter {
    const { writers } = this.#tablesOf(generation);
    let writer = writers.get(collection.name);
    if (!writer) {
      writer = new SqliteTableWriter(this.#db, new SqliteTable(collection, generation.number));
      writers.set(collection.name, writer);
    }
    return writer;
  }

  #reader(generation: Generation, collection: AnyCollection): SqliteTableReader {
    const { readers } = this.#tablesOf(generation);
    let reader = readers.get(collection.name);
    if (!reader) {
      const table = new SqliteTable(collection, generation.number);
      reader = new SqliteTableReader(this.#db, table, (index) => this.#db.exec(table.createIndex(index)));
      readers.set(collection.name, reader);
    }
    return reader;
  }

  /** Runs one immediate transaction when no large commit is under way. `rollback` undoes it and still returns a value. */
  #write<T>(work: (rollback: (result: T) => T) => T): Promise<T> {
    return this.#bulk.runWhenIdle(() => this.#transaction(work));
  }

  #transaction<T>(work: (rollback: (result: T) => T) => T): T {
    return guarded(() => {
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
    });
  }
}

/** From this many documents on, a commit or table is written by the other thread. Only rebuilds reach it. */
const BULK = 5_000;
