/** Reads one table over one connection, with its statements kept prepared. Each document is held to its checksum. */
import type Database from 'better-sqlite3';
import { textOrder } from '../../../domain/text-order.js';
import { leadingFields } from '../../../foundation/read-models/indexes.js';
import type { Document, Scalar, Scan } from '../../../foundation/read-models/read-model-store.js';
import { DamagedGenerationError, decode, type StoredRow } from './sqlite-rows.js';
import type { SqliteTable } from './sqlite-tables.js';

/** A statement over a range of an index, and the fields whose values are its parameters. */
interface RangeStatement<Row> {
  readonly statement: Database.Statement<unknown[], Row>;
  /** The fields of the index with a value, and those after them. */
  readonly leading: readonly string[];
  readonly rest: readonly string[];
}

export class SqliteTableReader {
  readonly #db: Database.Database;
  readonly #table: SqliteTable;
  readonly #beforeIndex: (index: string) => void;
  readonly #byId: Database.Statement<[string], StoredRow>;
  readonly #scans = new Map<string, RangeStatement<StoredRow>>();
  readonly #counts = new Map<string, RangeStatement<number>>();

  /** `beforeIndex` is called before the first use of an index: a building generation makes it only then. */
  constructor(
    db: Database.Database,
    table: SqliteTable,
    beforeIndex: (index: string) => void = () => undefined,
  ) {
    this.#db = db;
    this.#table = table;
    this.#beforeIndex = beforeIndex;
    this.#byId = db.prepare<[string], StoredRow>(table.selectById()).raw();
  }

  get<D extends Document>(id: string): D | null {
    const row = this.#byId.get(id);
    return row === undefined ? null : decode<D>(this.#table, row);
  }

  scan<D extends Document>({ index, equals, after, limit, descending = false }: Scan<D>): D[] {
    const continued = after !== undefined;
    const key = `${index}/${Object.keys(equals)}/${continued}/${descending}`;
    let known = this.#scans.get(key);
    if (!known) {
      known = this.#prepare<StoredRow>(index, equals, (depth) =>
        this.#table.selectByIndex({ index, depth, continued, descending }),
      );
      known.statement.raw();
      this.#scans.set(key, known);
    }
    const parameters = valuesOf(equals, known.leading);
    if (after) parameters.push(...valuesOf(after, known.rest), after.id);
    parameters.push(limit ?? -1);
    const documents = known.statement.all(...parameters).map((row) => decode<D>(this.#table, row));
    this.#requireRange(documents, known, { index, equals, descending });
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
    return known.statement.get(...valuesOf(equals, known.leading)) ?? 0;
  }

  /** An index that is damaged gives documents in places that are not theirs. */
  #requireRange<D extends Document>(
    documents: readonly D[],
    { leading, rest }: RangeStatement<StoredRow>,
    { index, equals, descending }: Required<Pick<Scan<D>, 'index' | 'equals' | 'descending'>>,
  ): void {
    const wanted = valuesOf(equals, leading);
    let before: readonly Scalar[] | null = null;
    for (const document of documents) {
      const place = [...valuesOf(document, rest), document.id];
      const isThere = valuesOf(document, leading).every((value, at) => value === wanted[at]);
      if (!isThere || (before && (descending ? inOrder(before, place) : inOrder(place, before))))
        throw new DamagedGenerationError(
          this.#table,
          `index ${index}`,
          'it lists a document in another place',
        );
      before = place;
    }
  }

  #prepare<Row>(index: string, equals: object, sql: (depth: number) => string): RangeStatement<Row> {
    const leading = leadingFields(this.#table.collection, index, equals);
    const rest = this.#table.fieldsOf(index).slice(leading.length);
    this.#beforeIndex(index);
    const statement = this.#db.prepare<unknown[], Row>(sql(leading.length));
    return { statement, leading, rest };
  }
}

/** Codec: fields of an index are scalars; the driver refuses to bind anything else. */
const valuesOf = (holder: object, fields: readonly string[]): Scalar[] =>
  fields.map((field) => (holder as Readonly<Record<string, Scalar>>)[field] ?? null);

/** By UTF-8 bytes, as SQLite has it. Most texts are told apart without making the bytes. */
const isBefore = (a: string, b: string): boolean =>
  textOrder(a, b) < 0 && Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

/** Whether `a` is before `b` in the order of an index, where numbers are before texts. */
const inOrder = (a: readonly Scalar[], b: readonly Scalar[]): boolean => {
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? null;
    if (value === other) continue;
    if (typeof value === 'number' && typeof other === 'number') return value < other;
    if (typeof value === 'string' && typeof other === 'string') return isBefore(value, other);
    return typeof value === 'number';
  }
  return false;
};
