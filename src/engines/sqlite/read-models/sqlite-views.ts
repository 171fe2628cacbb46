/**
 * How read models are read from SQLite: the port's asynchronous reads over synchronous ones, so every returned promise is
 * already settled. Each snapshot takes a connection from a pool and reads in one read transaction: SQLite keeps its
 * tables readable even when they are dropped meanwhile. What is read is held to checksums and tallies.
 */
import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import type { Position } from '../../../foundation/event-store/event-store.js';
import { isUnreadable, REBUILDING } from '../../../foundation/read-models/damaged-generation.js';
import { areInPlace, leadingFields, valuesOf } from '../../../foundation/read-models/indexes.js';
import {
  type AnyCollection,
  type Collection,
  type Document,
  type Generation,
  ReadModelUnavailableError,
  type ReadView,
  type Scan,
} from '../../../foundation/read-models/read-model-store.js';
import { rowsFault } from '../../../foundation/read-models/tally.js';
import { NO_WAIT_MS, whenUnlocked } from '../locks.js';
import { damagedPart, unavailable } from './sqlite-errors.js';
import { SELECT_EPOCH, SqliteGenerations } from './sqlite-generations.js';
import { openAnother, type ReadModelFile } from './sqlite-read-model-file.js';
import { SqliteTable } from './sqlite-tables.js';
import { TallyReader } from './sqlite-tallies.js';

/** Which projection a collection belongs to, by the collection's name. */
export type Owners = ReadonlyMap<string, string>;

/** Connections kept in the pool. More concurrent snapshots get one too, which is closed afterwards. */
const KEPT_CONNECTIONS = 8;
const OPEN_WITHIN_MS = 5_000;

/** Snapshots of the live generations. */
export class SnapshotPool {
  readonly #open: () => SnapshotConnection;
  readonly #idle: SnapshotConnection[] = [];
  #closed = false;

  constructor(file: ReadModelFile, owners: Owners) {
    this.#open = () => new SnapshotConnection(file, owners);
  }

  async snapshot<T>(read: (view: ReadView) => Promise<T>): Promise<T> {
    let connection: SnapshotConnection | undefined;
    try {
      // Another thread may hold the file to open it, too.
      connection = this.#idle.pop() ?? (await whenUnlocked(this.#open, OPEN_WITHIN_MS));
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

  close(): void {
    this.#closed = true;
    for (const connection of this.#idle.splice(0)) connection.close();
  }
}

/** A connection for one snapshot at a time. Its statements stay prepared until the epoch shows that other tables are live. */
class SnapshotConnection implements TablesOfView {
  readonly view = new SqliteReadView(this);
  readonly #db: Database.Database;
  readonly #owners: Owners;
  readonly #generations: SqliteGenerations;
  readonly #begin: Database.Statement<[]>;
  readonly #end: Database.Statement<[]>;
  readonly #currentEpoch: Database.Statement<[], number>;
  /** The live generation by projection. */
  #live: ReadonlyMap<string, Generation> = new Map();
  #epoch: number | undefined;

  constructor(file: ReadModelFile, owners: Owners) {
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
    this.view.forgetTables();
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

  open(collection: AnyCollection): SqliteTableReader | null {
    const projection = this.#owners.get(collection.name);
    if (projection === undefined) throw new Error(`collection ${collection.name} was not prepared`);
    const live = this.#live.get(projection);
    if (live === undefined) return null;
    if (isUnreadable(live)) throw new ReadModelUnavailableError(REBUILDING);
    return new SqliteTableReader(this.#db, new SqliteTable(collection, live.number), { isSnapshot: true });
  }
}

/** What a view needs to find a collection's rows. */
export interface TablesOfView {
  position(projection: string): Position;
  /** Null: no generation with documents exists yet. Throws when the collection was not prepared. */
  open(collection: AnyCollection): SqliteTableReader | null;
}

/** Implements the port over the tables of one moment. Throws the driver's errors. */
export class SqliteReadView implements ReadView {
  readonly #tables: TablesOfView;
  readonly #readers = new Map<string, SqliteTableReader>();

  constructor(tables: TablesOfView) {
    this.#tables = tables;
  }

  forgetTables(): void {
    this.#readers.clear();
  }

  async position(projection: string): Promise<Position> {
    return this.#tables.position(projection);
  }

  async get<D extends Document>(collection: Collection<D>, id: string): Promise<D | null> {
    return this.#reader(collection)?.get<D>(id) ?? null;
  }

  async getMany<D extends Document>(
    collection: Collection<D>,
    ids: readonly string[],
  ): Promise<(D | null)[]> {
    const reader = this.#reader(collection);
    return ids.map((id) => reader?.get<D>(id) ?? null);
  }

  async scan<D extends Document>(collection: Collection<D>, scan: Scan<D>): Promise<D[]> {
    return this.#reader(collection)?.scan<D>(scan) ?? [];
  }

  async count<D extends Document>(
    collection: Collection<D>,
    index: string,
    equals: Partial<D>,
  ): Promise<number> {
    return this.#reader(collection)?.count(index, equals) ?? 0;
  }

  #reader(collection: AnyCollection): SqliteTableReader | null {
    const known = this.#readers.get(collection.name);
    if (known) return known;
    const opened = this.#tables.open(collection);
    if (opened) this.#readers.set(collection.name, opened);
    return opened;
  }
}

// --- tables ----------------------------------------------------------------------------------------------------------

/** A statement over a range of an index, and the fields whose values are its parameters. */
interface RangeStatement<Row> {
  readonly statement: Database.Statement<unknown[], Row>;
  /** The fields of the index with a value, and those after them. */
  readonly leading: readonly string[];
  readonly rest: readonly string[];
}

/** A row of an index, with what is found under its id. */
type ListedRow = StoredRow | readonly [doc: null, sum: null];

export interface TableReaderOptions {
  /** Whether every read is of one snapshot. Then reads of a whole index are held to its tally. */
  readonly isSnapshot: boolean;
  /** Called before the first use of an index: a building generation makes it only then. */
  readonly beforeIndex?: (index: string) => void;
}

export class SqliteTableReader {
  readonly #byId: Database.Statement<[string], StoredRow>;
  readonly #scans = new Map<string, RangeStatement<ListedRow>>();
  readonly #counts = new Map<string, RangeStatement<readonly [number]>>();
  #tallies: TallyReader | null = null;

  constructor(
    private readonly db: Database.Database,
    private readonly table: SqliteTable,
    private readonly options: TableReaderOptions,
  ) {
    this.#byId = db.prepare<[string], StoredRow>(table.selectById()).raw();
  }

  get<D extends Document>(id: string): D | null {
    const row = this.#byId.get(id);
    return row === undefined ? null : decode<D>(this.table, row, id);
  }

  scan<D extends Document>({ index, equals, after, limit, descending = false }: Scan<D>): D[] {
    const continued = after !== undefined;
    const key = `${index}/${Object.keys(equals)}/${continued}/${descending}`;
    const { statement, leading, rest } =
      this.#scans.get(key) ??
      this.#prepare(this.#scans, key, { index, equals }, (depth) =>
        this.table.selectByIndex({ index, depth, continued, descending }),
      );
    const values = valuesOf(equals, leading);
    const place = after ? [...valuesOf(after, rest), after.id] : [];
    const rows = statement.all(...values, ...place, limit ?? -1);
    const documents = rows.map((row) => this.#found<D>(row, index));
    if (!areInPlace(documents, { leading, values, rest, descending }))
      throw this.#damaged(index, 'it lists a document in another place');
    const isWhole = leading.length === 0 && !continued && (limit === undefined || documents.length < limit);
    if (isWhole) this.#requireAll(index, documents.length);
    return documents;
  }

  count(index: string, equals: object): number {
    const key = `${index}/${Object.keys(equals)}`;
    const { statement, leading } =
      this.#counts.get(key) ??
      this.#prepare(this.#counts, key, { index, equals }, (depth) => this.table.countByIndex(index, depth));
    const [found = 0] = statement.get(...valuesOf(equals, leading)) ?? [];
    if (leading.length === 0) this.#requireAll(index, found);
    return found;
  }

  #found<D extends Document>(row: ListedRow, index: string): D {
    if (row[0] === null) throw this.#damaged(index, 'it lists a document that is not there');
    return decode<D>(this.table, row);
  }

  #requireAll(index: string, found: number): void {
    if (!this.options.isSnapshot) return;
    this.#tallies ??= new TallyReader(this.db);
    const fault = rowsFault(this.#tallies.listedBy(this.table, index) ?? found, found);
    if (fault !== null) throw this.#damaged(index, fault);
  }

  #damaged(index: string, reason: string) {
    return damagedPart(this.table, `index ${index}`, reason, 'generation');
  }

  #prepare<Row>(
    known: Map<string, RangeStatement<Row>>,
    key: string,
    { index, equals }: Pick<Scan<Document>, 'index' | 'equals'>,
    sql: (depth: number) => string,
  ): RangeStatement<Row> {
    const leading = leadingFields(this.table.collection, index, equals);
    const rest = this.table.fieldsOf(index).slice(leading.length);
    this.options.beforeIndex?.(index);
    const prepared = {
      statement: this.db.prepare<unknown[], Row>(sql(leading.length)).raw(),
      leading,
      rest,
    };
    known.set(key, prepared);
    return prepared;
  }
}

/** `sum` null: an older version of Podium wrote the row. */
export type StoredRow = readonly [doc: string, sum: number | null];

/** A flipped bit can make a number of a text, of which there is no checksum. */
export const isWhole = ([text, sum]: StoredRow): boolean =>
  typeof text === 'string' && (sum === null || crc32(text) === sum);

/**
 * Codec: the projection of the same version wrote the document, so its type is known. `id`: where it was looked up by id.
 * Throws DamagedGenerationError.
 */
export const decode = <D extends Document>(table: SqliteTable, row: StoredRow, id?: string): D => {
  if (!isWhole(row)) throw damaged(table, 'its checksum does not fit its content', id);
  const document = JSON.parse(row[0]) as D;
  if (id !== undefined && document.id !== id) throw damaged(table, 'another document is in its place', id);
  return document;
};

const damaged = (table: SqliteTable, reason: string, id?: string) =>
  damagedPart(table, id === undefined ? 'a document' : `document ${id}`, reason, 'document');
