/**
 * How read models are read from SQLite: the port's asynchronous reads over synchronous ones, so every returned promise is
 * already settled. Each snapshot takes a connection from a pool and reads in one read transaction: SQLite keeps its
 * tables readable even when they are dropped meanwhile.
 */
import type Database from 'better-sqlite3';
import type { Position } from '../../../foundation/event-store/event-store.js';
import { isUnreadable, REBUILDING } from '../../../foundation/read-models/damaged-generation.js';
import {
  type AnyCollection,
  type Collection,
  type Document,
  type Generation,
  ReadModelUnavailableError,
  type ReadView,
  type Scan,
} from '../../../foundation/read-models/read-model-store.js';
import { NO_WAIT_MS, whenUnlocked } from '../locks.js';
import { unavailable } from './sqlite-errors.js';
import { SELECT_EPOCH, SqliteGenerations } from './sqlite-generations.js';
import { openAnother, type ReadModelFile } from './sqlite-read-model-file.js';
import { SqliteTableReader, type TableReaders } from './sqlite-table-reader.js';
import { SqliteTable } from './sqlite-tables.js';

/** Implements the port over the tables of one moment. Throws the driver's errors. */
export class SqliteReadView implements ReadView {
  readonly #tables: TableReaders;

  constructor(tables: TableReaders) {
    this.#tables = tables;
  }

  async position(projection: string): Promise<Position> {
    return this.#tables.position(projection);
  }

  async get<D extends Document>(collection: Collection<D>, id: string): Promise<D | null> {
    return this.#tables.reader(collection)?.get<D>(id) ?? null;
  }

  async getMany<D extends Document>(
    collection: Collection<D>,
    ids: readonly string[],
  ): Promise<(D | null)[]> {
    const reader = this.#tables.reader(collection);
    return ids.map((id) => reader?.get<D>(id) ?? null);
  }

  async scan<D extends Document>(collection: Collection<D>, scan: Scan<D>): Promise<D[]> {
    return this.#tables.reader(collection)?.scan<D>(scan) ?? [];
  }

  async count<D extends Document>(
    collection: Collection<D>,
    index: string,
    equals: Partial<D>,
  ): Promise<number> {
    return this.#tables.reader(collection)?.count(index, equals) ?? 0;
  }
}

/** Which projection a collection belongs to, by the collection's name. */
export type Owners = ReadonlyMap<string, string>;

type FileOfViews = Pick<ReadModelFile, 'path' | 'identity'>;

/** Connections kept in the pool. More concurrent snapshots get one too, which is closed afterwards. */
const KEPT_CONNECTIONS = 8;
const OPEN_WITHIN_MS = 5_000;

/** Snapshots of the live generations. */
export class SnapshotPool {
  readonly #file: FileOfViews;
  readonly #owners: Owners;
  readonly #idle: SnapshotConnection[] = [];
  #closed = false;

  constructor(file: FileOfViews, owners: Owners) {
    this.#file = file;
    this.#owners = owners;
  }

  async snapshot<T>(read: (view: ReadView) => Promise<T>): Promise<T> {
    let connection: SnapshotConnection | undefined;
    try {
      connection = this.#idle.pop() ?? (await this.#open());
      connection.begin();
      const result = await read(connection.view);
      connection.end();
      if (this.#closed || this.#idle.length >= KEPT_CONNECTIONS) connection.close();
      else this.#idle.push(connection);
      return result;
    } catch (error) {
      connection?.close();
      throw unavailable(error);
    }
  }

  /** Another thread may hold the file to open it, too. */
  #open(): Promise<SnapshotConnection> {
    return whenUnlocked(() => new SnapshotConnection(this.#file, this.#owners), OPEN_WITHIN_MS);
  }

  close(): void {
    this.#closed = true;
    for (const connection of this.#idle.splice(0)) connection.close();
  }
}

/** A connection for one snapshot at a time. Its statements stay prepared until the epoch shows that other tables are live. */
class SnapshotConnection implements TableReaders {
  readonly view = new SqliteReadView(this);
  readonly #db: Database.Database;
  readonly #owners: Owners;
  readonly #generations: SqliteGenerations;
  readonly #begin: Database.Statement<[]>;
  readonly #end: Database.Statement<[]>;
  readonly #currentEpoch: Database.Statement<[], number>;
  readonly #readers = new Map<string, SqliteTableReader>();
  /** The live generation by projection. */
  #live: ReadonlyMap<string, Generation> = new Map();
  #epoch: number | undefined;

  constructor(file: FileOfViews, owners: Owners) {
    this.#db = openAnother(file, { readonly: true, timeout: NO_WAIT_MS });
    this.#db.pragma('cache_size = -8000');
    this.#db.pragma('mmap_size = 1073741824');
    this.#owners = owners;
    this.#generations = new SqliteGenerations(this.#db);
    this.#begin = this.#db.prepare('BEGIN');
    this.#end = this.#db.prepare('COMMIT');
    this.#currentEpoch = this.#db.prepare<[], number>(SELECT_EPOCH).pluck();
  }

  begin(): void {
    this.#begin.run();
    const epoch = this.#currentEpoch.get();
    if (epoch === this.#epoch) return;
    this.#live = new Map(this.#generations.live().map((live) => [live.projection, live]));
    this.#readers.clear();
    this.#epoch = epoch;
  }

  end(): void {
    if (this.#db.inTransaction) this.#end.run();
  }

  close(): void {
    this.#db.close();
  }

  position(projection: string): Position {
    return this.#generations.livePosition(projection);
  }

  reader(collection: AnyCollection): SqliteTableReader | null {
    const known = this.#readers.get(collection.name);
    if (known) return known;
    const projection = this.#owners.get(collection.name);
    if (projection === undefined) throw new Error(`collection ${collection.name} was not prepared`);
    const live = this.#live.get(projection);
    if (live === undefined) return null;
    if (isUnreadable(live)) throw new ReadModelUnavailableError(REBUILDING);
    const table = new SqliteTable(collection, live.number);
    const reader = new SqliteTableReader(this.#db, table, { isSnapshot: true });
    this.#readers.set(collection.name, reader);
    return reader;
  }
}
