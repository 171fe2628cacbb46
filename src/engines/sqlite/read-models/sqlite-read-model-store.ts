/**
 * Read models in one SQLite file, which any number of processes may open. Rows and checkpoints are written in one
 * transaction, so a checkpoint is never ahead of its rows, even after a crash. WAL with synchronous=NORMAL: a power loss
 * may lose the last commits with their checkpoints, and the projector resumes from there.
 */
import type Database from 'better-sqlite3';
import type { Position } from '../../../foundation/event-store/event-store.js';
import { scalarOf } from '../../../foundation/read-models/indexes.js';
import { ProjectionSchemas } from '../../../foundation/read-models/projection-schemas.js';
import type {
  AnyCollection,
  Document,
  Generation,
  Lease,
  LeaseRequest,
  ProjectionBatch,
  ProjectionProgress,
  ProjectionSchema,
  PromotionOutcome,
  ReadModelStore,
  ReadView,
  Scalar,
} from '../../../foundation/read-models/read-model-store.js';
import { BULK, SqliteBulkWriter } from './sqlite-bulk-writer.js';
import { SqliteCachedResults } from './sqlite-cached-results.js';
import { SqliteCheckpointer } from './sqlite-checkpointer.js';
import { guarded, unavailable } from './sqlite-errors.js';
import { SqliteGenerationTables } from './sqlite-generation-tables.js';
import { ADVANCE, SqliteGenerations } from './sqlite-generations.js';
import { SqliteLeases } from './sqlite-leases.js';
import { CHECKPOINT_PAGES, openReadModelFile } from './sqlite-read-model-file.js';
import { SqliteTable } from './sqlite-tables.js';
import { SnapshotPool, SqliteReadView, SqliteTableReader } from './sqlite-views.js';

export interface SqliteReadModelOptions {
  /** For threads and tools that only take snapshots: makes nothing, and the file must exist. */
  readonly readOnly?: boolean;
  /** For a server's projector: a thread does the checkpoints, so that no commit waits for them. */
  readonly checkpointThread?: boolean;
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
  readonly #tables: SqliteGenerationTables;
  readonly #leases: SqliteLeases;
  readonly #snapshots: SnapshotPool;
  readonly #bulk: SqliteBulkWriter;
  readonly #advance: Database.Statement<[Position, number, Position]>;
  /** Of the writing connection, by generation: its writers by collection, and its view. */
  readonly #writers = new Map<number, Map<string, SqliteTableWriter>>();
  readonly #views = new Map<number, ReadView>();

  /** Throws ReadModelUnavailableError when the file cannot be opened. */
  constructor(path: string, { readOnly = false, checkpointThread = false }: SqliteReadModelOptions = {}) {
    this.#readOnly = readOnly;
    this.#db = openReadModelFile(path, readOnly);
    this.#generations = new SqliteGenerations(this.#db);
    this.#advance = this.#db.prepare(ADVANCE);
    this.#leases = new SqliteLeases(this.#db);
    this.#snapshots = new SnapshotPool(path, this.#schemas.owners);
    // A snapshot is the pool's alone: reads do not pass through the writing side.
    this.snapshot = this.#snapshots.snapshot.bind(this.#snapshots);
    this.#bulk = new SqliteBulkWriter(path);
    this.#tables = new SqliteGenerationTables({
      db: this.#db,
      generations: this.#generations,
      schemas: this.#schemas,
      bulk: this.#bulk,
      write: (work) => this.#write(work),
    });
    this.resultCache = new SqliteCachedResults(`${path}-results`);
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
    return this.#write((rollback) => this.#land(batches) ?? rollback('superseded'));
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
    await this.#tables.close();
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
        const reader = new SqliteTableReader(this.#db, table, (index) =>
          this.#db.exec(table.createIndex(index)),
        );
        readers.set(collection.name, reader);
        return reader;
      },
    });
    this.#views.set(number, view);
    return view;
  }

  /** Null: a conflict, because a checkpoint is not at the `from` of its batch. */
  #land(batches: readonly ProjectionBatch[]): 'committed' | null {
    for (const { generation, from, to } of batches) {
      if (this.#advance.run(to, generation.number, from).changes !== 1) return null;
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

  #writer({ number }: Generation, collection: AnyCollection): SqliteTableWriter {
    let writers = this.#writers.get(number);
    if (!writers) {
      writers = new Map();
      this.#writers.set(number, writers);
    }
    let writer = writers.get(collection.name);
    if (!writer) {
      writer = new SqliteTableWriter(this.#db, new SqliteTable(collection, number));
      writers.set(collection.name, writer);
    }
    return writer;
  }

  /** Runs one immediate transaction when no large commit is under way. `rollback` undoes it and still returns a value. */
  #write<T>(work: (rollback: (result: T) => T) => T): Promise<T> {
    const run = (): T => this.#transaction(work);
    if (this.#bulk.pending.length > 0) return this.#bulk.runWhenIdle(run);
    return new Promise((resolve) => resolve(run()));
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

/** Writes one table over one connection. */
class SqliteTableWriter {
  readonly #db: Database.Database;
  readonly #table: SqliteTable;
  /** Statements by the fields that they change. */
  readonly #updates = new Map<string, Database.Statement<unknown[]>>();
  readonly #upsert: Database.Statement<unknown[]>;
  readonly #delete: Database.Statement<unknown[]>;

  constructor(db: Database.Database, table: SqliteTable) {
    this.#db = db;
    this.#table = table;
    this.#upsert = db.prepare(table.upsert());
    this.#delete = db.prepare(table.deleteById());
  }

  /** `previous`: the stored document, if it is known. An update of it does not touch the indexes of fields that stay. */
  put(document: Document, previous?: Document | null): void {
    try {
      if (!previous || !this.#update(document, previous)) this.#insert(document);
    } catch (error) {
      // The driver refused to bind a value: the field is named.
      for (const field of this.#table.fields) scalarOf(document, field);
      throw error;
    }
  }

  remove(id: string): void {
    this.#delete.run(id);
  }

  #insert(document: Document): void {
    const row = this.#table.fields.map((field) => boundValue(document, field));
    this.#upsert.run([document.id, ...row, JSON.stringify(document)]);
  }

  /** False when there is no such row. */
  #update(document: Document, previous: Document): boolean {
    const changed: string[] = [];
    const row: Scalar[] = [];
    for (const field of this.#table.fields) {
      const value = boundValue(document, field);
      if (value === boundValue(previous, field)) continue;
      changed.push(field);
      row.push(value);
    }
    row.push(JSON.stringify(document), document.id);
    const key = changed.join();
    let update = this.#updates.get(key);
    if (!update) {
      update = this.#db.prepare(this.#table.update(changed));
      this.#updates.set(key, update);
    }
    return update.run(row).changes === 1;
  }
}

/** Codec: an indexed field. The driver refuses to bind what is no scalar. */
const boundValue = (document: Document, field: string): Scalar =>
  (document as unknown as Readonly<Record<string, Scalar>>)[field] ?? null;
