/**
 * The tables of generations: made, completed, indexed, swapped in and dropped. Statements that take long run in the other
 * thread, so that they do not block this one.
 */
import type Database from 'better-sqlite3';
import { isUnreadable } from '../../../foundation/read-models/damaged-generation.js';
import type { ProjectionSchemas } from '../../../foundation/read-models/projection-schemas.js';
import { promotionOf } from '../../../foundation/read-models/promotion.js';
import type {
  AnyCollection,
  Generation,
  ProjectionSchema,
  PromotionOutcome,
} from '../../../foundation/read-models/read-model-store.js';
import { BULK, type SqliteBulkWriter } from './sqlite-bulk-writer.js';
import { guarded } from './sqlite-errors.js';
import type { SqliteGenerations } from './sqlite-generations.js';
import { dropIndex, dropTable, hasRows, indexesOf, SqliteTable } from './sqlite-tables.js';
import { countAgain, isTallied } from './sqlite-tallies.js';

export interface GenerationTablesOptions {
  readonly db: Database.Database;
  readonly generations: SqliteGenerations;
  readonly schemas: ProjectionSchemas;
  readonly bulk: SqliteBulkWriter;
  /** Runs the work in a transaction, when the other thread does not write. */
  readonly write: <T>(work: () => T) => Promise<T>;
}

export class SqliteGenerationTables {
  readonly #options: GenerationTablesOptions;
  #dropping: Promise<void> = Promise.resolve();

  constructor(options: GenerationTablesOptions) {
    this.#options = options;
  }

  /** Makes what is missing in the live generations. */
  async completeLive(schemas: readonly ProjectionSchema[]): Promise<void> {
    const { generations, write } = this.#options;
    const all = await write(() =>
      schemas.flatMap((schema) => {
        const { live } = generations.progress(schema.name);
        return live && !isUnreadable(live) ? { live, tables: this.#complete(schema, live) } : [];
      }),
    );
    for (const { live, tables } of all) await this.#count(live, tables);
  }

  async start(schemas: readonly ProjectionSchema[], storeId: string): Promise<readonly Generation[]> {
    const begun = await this.#options.write(() => schemas.map((schema) => this.#begin(schema, storeId)));
    this.#dropRetired();
    return begun;
  }

  async makeIndexes(building: readonly Generation[]): Promise<void> {
    const { generations, schemas } = this.#options;
    for (const generation of building) {
      const progress = guarded(() => generations.progress(generation.projection));
      if (progress.building?.number !== generation.number) continue;
      for (const collection of schemas.of(generation).collections) {
        const table = new SqliteTable(collection, generation.number);
        for (const index of table.indexes) {
          await this.#restructure(table.createIndex(index), table.name);
        }
      }
    }
  }

  async promote(building: readonly Generation[], allowBehind: boolean): Promise<readonly PromotionOutcome[]> {
    await this.makeIndexes(building);
    const outcomes = await this.#options.write(() => building.map((one) => this.#swap(one, allowBehind)));
    if (outcomes.includes('promoted')) this.#dropRetired();
    return outcomes;
  }

  /** Waits for the drops under way. */
  async close(): Promise<void> {
    await this.#dropping;
  }

  /** Counts what older code has written, or code that has other indexes. */
  async #count({ number }: Generation, tables: readonly SqliteTable[]): Promise<void> {
    if (guarded(() => isTallied(this.#options.db, number, tables))) return;
    await this.#restructure(countAgain(number, tables), ...tables.map(({ name }) => name));
  }

  #complete(schema: ProjectionSchema, live: Generation): readonly SqliteTable[] {
    const { db, generations } = this.#options;
    const before = db.prepare('SELECT count(*) FROM sqlite_schema').pluck();
    const made = before.get();
    const tables = schema.collections.map((collection) => this.#madeTable(collection, live));
    for (const table of tables) {
      const columns = db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table.name);
      if (!columns.includes('sum')) db.exec(table.addSum());
      for (const field of table.fields) {
        if (!columns.includes(`f_${field}`)) db.exec(table.addColumn(field));
      }
      for (const index of table.indexes) db.exec(table.createIndex(index));
    }
    if (before.get() !== made) generations.raiseEpoch();
    return tables;
  }

  #begin({ name, version, collections }: ProjectionSchema, storeId: string): Generation {
    const begun = this.#options.generations.begin(name, version, storeId);
    for (const collection of collections) this.#makeTable(collection, begun);
    return begun;
  }

  /** Only a collection that is new in the code may lack its table. Another one was lost with all its rows. */
  #madeTable(collection: AnyCollection, live: Generation): SqliteTable {
    const { db, generations } = this.#options;
    const table = new SqliteTable(collection, live.number);
    if (generations.hasTable(table.name)) db.prepare(table.selectAny());
    else this.#makeTable(collection, live);
    return table;
  }

  #makeTable(collection: AnyCollection, { number }: Generation): SqliteTable {
    const { db, generations } = this.#options;
    const table = new SqliteTable(collection, number);
    db.exec(table.createTable());
    generations.addTable(number, table.name);
    return table;
  }

  #swap(generation: Generation, allowBehind: boolean): PromotionOutcome {
    const { generations } = this.#options;
    const outcome = promotionOf(generation, generations.progress(generation.projection), allowBehind);
    if (outcome === 'promoted') generations.swap(generation);
    return outcome;
  }

  /**
   * Drops tables in the background, a piece at a time, so that no writer waits long. A failure is retried the next time.
   * Safe at once: a reader in an older snapshot still has the pages of that snapshot.
   */
  #dropRetired(): void {
    this.#dropping = this.#dropping.then(() => this.#dropTables()).catch(() => undefined);
  }

  async #dropTables(): Promise<void> {
    const { db, generations, write } = this.#options;
    for (const name of generations.retiredTables()) {
      for (const index of indexesOf(db, name)) await this.#restructure(dropIndex(index), name);
      await this.#restructure(dropTable(name), name);
      await write(() => generations.forgetTable(name));
    }
  }

  /** Runs in the other thread when it takes long, so that it does not block this one. */
  #restructure(statement: string, ...tables: readonly string[]): Promise<void> {
    const { db, bulk, write } = this.#options;
    if (guarded(() => tables.some((table) => hasRows(db, table, BULK)))) return bulk.run(statement);
    return write(() => {
      db.exec(statement);
    });
  }
}
