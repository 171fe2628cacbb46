/**
 * Snapshots of the live generations. Each snapshot takes a connection from a pool and reads in one read transaction:
 * SQLite keeps its tables readable even when they are dropped meanwhile. Statements stay prepared until the epoch shows
 * that other tables are live.
 */
import type Database from 'better-sqlite3';
import type { Position } from '../../../foundation/event-store/event-store.js';
import type { AnyCollection, ReadView } from '../../../foundation/read-models/read-model-store.js';
import { SqliteDatabase } from '../sqlite.js';
import { guarded, unavailable } from './sqlite-errors.js';
import { SqliteGenerations } from './sqlite-generations.js';
import { SqliteReadView } from './sqlite-read-view.js';
import { SqliteTable, SqliteTableReader, type TableReaders } from './sqlite-tables.js';

/** Which projection a collection belongs to, by the collection's name. */
export type Owners = ReadonlyMap<string, string>;

/** A connection for one snapshot at a time. */
class SnapshotConnection implements TableReaders {
  readonly view = new SqliteReadView(this);
  readonly #db: Database.Database;
  readonly #owners: Owners;
  readonly #generations: SqliteGenerations;
  readonly #begin: Database.Statement<[]>;
  readonly #end: Database.Statement<[]>;
  readonly #readers = new Map<string, SqliteTableReader>();
  /** Number of the live generation by projection. */
  #live: ReadonlyMap<string, number> = new Map();
  #epoch = -1;

  constructor(path: string, owners: Owners) {
    this.#db = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
    this.#db.pragma('cache_size = -8000');
    this.#db.pragma('mmap_size = 1073741824');
    this.#owners = owners;
    this.#generations = new SqliteGenerations(this.#db);
    this.#begin = this.#db.prepare('BEGIN');
    this.#end = this.#db.prepare('COMMIT');
  }

  begin(): void {
    this.#begin.run();
    const epoch = this.#generations.epoch();
    if (epoch === this.#epoch) return;
    this.#live = new Map(this.#generations.live().map(({ projection, number }) => [projection, number]));
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
    const generation = this.#live.get(projection);
    if (generation === undefined) return null;
    const reader = new SqliteTableReader(this.#db, new SqliteTable(collection, generation));
    this.#readers.set(collection.name, reader);
    return reader;
  }
}

/** Connections kept in the pool. More concurrent snapshots get one too, which is closed afterwards. */
const KEPT_CONNECTIONS = 8;

export class SnapshotPool {
  readonly #path: string;
  readonly #owners: Owners;
  readonly #idle: SnapshotConnection[] = [];
  #closed = false;

  constructor(path: string, owners: Owners) {
    this.#path = path;
    this.#owners = owners;
  }

  async snapshot<T>(read: (view: ReadView) => Promise<T>): Promise<T> {
    const connection = this.#take();
    try {
      const result = await read(connection.view);
      connection.end();
      this.#give(connection);
      return result;
    } catch (error) {
      connection.close();
      throw unavailable(error);
    }
  }

  close(): void {
    this.#closed = true;
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  #take(): SnapshotConnection {
    return guarded(() => {
      const connection = this.#idle.pop() ?? new SnapshotConnection(this.#path, this.#owners);
      try {
        connection.begin();
        return connection;
      } catch (error) {
        connection.close();
        throw error;
      }
    });
  }

  #give(connection: SnapshotConnection): void {
    if (this.#closed || this.#idle.length >= KEPT_CONNECTIONS) connection.close();
    else this.#idle.push(connection);
  }
}
