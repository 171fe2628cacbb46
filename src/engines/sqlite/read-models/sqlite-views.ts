/**
 * Reads documents, by the port: a view over the tables of one moment, and each table over one connection, with its statements kept
 * prepared. What is read is held to checksums and tallies.
 */
import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import type { Position } from '../../../foundation/event-store/event-store.js';
import { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import { areInPlace, leadingFields, valuesOf } from '../../../foundation/read-models/indexes.js';
import type {
  AnyCollection,
  Collection,
  Document,
  Generation,
  ReadView,
  Scan,
} from '../../../foundation/read-models/read-model-store.js';
import { rowsFault } from '../../../foundation/read-models/tally.js';
import { SqliteTable } from './sqlite-tables.js';
import { TallyReader } from './sqlite-tallies.js';

// --- views -----------------------------------------------------------------------------------------------------------

/** What a view needs to find a collection's rows. */
export interface TableReaders {
  position(projection: string): Position;
  /** Null: no generation with documents exists yet. Throws when the collection was not prepared. */
  reader(collection: AnyCollection): SqliteTableReader | null;
}

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

// --- tables ----------------------------------------------------------------------------------------------------------

/** The tables of a generation, for its projector. */
export class GenerationReaders implements TableReaders {
  readonly position: TableReaders['position'];
  readonly #db: Database.Database;
  readonly #number: number;
  readonly #makeIndex: (statement: string) => void;
  readonly #readers = new Map<string, SqliteTableReader>();

  /** `makeIndex`: runs a statement before the first use of an index. */
  constructor(
    db: Database.Database,
    { number }: Generation,
    { position, makeIndex }: Pick<TableReaders, 'position'> & { makeIndex: (statement: string) => void },
  ) {
    this.#db = db;
    this.#number = number;
    this.position = position;
    this.#makeIndex = makeIndex;
  }

  reader(collection: AnyCollection): SqliteTableReader {
    const known = this.#readers.get(collection.name);
    if (known) return known;
    const table = new SqliteTable(collection, this.#number);
    const beforeIndex = (index: string): void => this.#makeIndex(table.createIndex(index));
    const reader = new SqliteTableReader(this.#db, table, { isSnapshot: false, beforeIndex });
    this.#readers.set(collection.name, reader);
    return reader;
  }
}

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
  readonly #db: Database.Database;
  readonly #table: SqliteTable;
  readonly #options: TableReaderOptions;
  readonly #byId: Database.Statement<[string], StoredRow>;
  readonly #scans = new Map<string, RangeStatement<ListedRow>>();
  readonly #counts = new Map<string, RangeStatement<number>>();
  #tallies: TallyReader | null = null;

  constructor(db: Database.Database, table: SqliteTable, options: TableReaderOptions) {
    this.#db = db;
    this.#table = table;
    this.#options = options;
    this.#byId = db.prepare<[string], StoredRow>(table.selectById()).raw();
  }

  get<D extends Document>(id: string): D | null {
    const row = this.#byId.get(id);
    return row === undefined ? null : decode<D>(this.#table, row, id);
  }

  scan<D extends Document>({ index, equals, after, limit, descending = false }: Scan<D>): D[] {
    const continued = after !== undefined;
    const key = `${index}/${Object.keys(equals)}/${continued}/${descending}`;
    let known = this.#scans.get(key);
    if (!known) {
      known = this.#prepare<ListedRow>(index, equals, (depth) =>
        this.#table.selectByIndex({ index, depth, continued, descending }),
      );
      known.statement.raw();
      this.#scans.set(key, known);
    }
    const { statement, leading, rest } = known;
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
    let known = this.#counts.get(key);
    if (!known) {
      known = this.#prepare<number>(index, equals, (depth) => this.#table.countByIndex(index, depth));
      known.statement.pluck();
      this.#counts.set(key, known);
    }
    const { statement, leading } = known;
    const found = statement.get(...valuesOf(equals, leading)) ?? 0;
    if (leading.length === 0) this.#requireAll(index, found);
    return found;
  }

  #found<D extends Document>(row: ListedRow, index: string): D {
    if (row[0] === null) throw this.#damaged(index, 'it lists a document that is not there');
    return decode<D>(this.#table, row);
  }

  #requireAll(index: string, found: number): void {
    if (!this.#options.isSnapshot) return;
    this.#tallies ??= new TallyReader(this.#db);
    const fault = rowsFault(this.#tallies.listedBy(this.#table, index) ?? found, found);
    if (fault !== null) throw this.#damaged(index, fault);
  }

  #damaged(index: string, reason: string): DamagedGenerationError {
    const { generation, collection } = this.#table;
    const place = `collection ${collection.name}, index ${index}`;
    return new DamagedGenerationError({ generation, place, reason, extent: 'generation' });
  }

  #prepare<Row>(index: string, equals: object, sql: (depth: number) => string): RangeStatement<Row> {
    const leading = leadingFields(this.#table.collection, index, equals);
    const rest = this.#table.fieldsOf(index).slice(leading.length);
    this.#options.beforeIndex?.(index);
    const statement = this.#db.prepare<unknown[], Row>(sql(leading.length));
    return { statement, leading, rest };
  }
}

// --- rows ------------------------------------------------------------------------------------------------------------

/** `sum` null: an older version of Podium wrote the row. */
export type StoredRow = readonly [doc: string, sum: number | null];

export const placeOf = ({ collection }: SqliteTable, id?: string): string =>
  `collection ${collection.name}, ${id === undefined ? 'a document' : `document ${id}`}`;

export const isWhole = ([text, sum]: StoredRow): boolean => sum === null || crc32(text) === sum;

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

const damaged = (table: SqliteTable, reason: string, id?: string): DamagedGenerationError =>
  new DamagedGenerationError({
    generation: table.generation,
    place: placeOf(table, id),
    reason,
    extent: 'document',
  });
