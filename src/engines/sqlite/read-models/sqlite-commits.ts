/** Small commits, written by the thread that commits: checkpoints, rows and tallies in the transaction of the caller. */
import type Database from 'better-sqlite3';
import type {
  AnyCollection,
  Generation,
  ProjectionBatch,
} from '../../../foundation/read-models/read-model-store.js';
import { advanceOver } from './sqlite-generations.js';
import { SqliteTableWriter } from './sqlite-table-writer.js';
import { SqliteTable } from './sqlite-tables.js';
import { TallyKeeper } from './sqlite-tallies.js';

export class SqliteCommits {
  readonly #db: Database.Database;
  readonly #advance: ReturnType<typeof advanceOver>;
  readonly #tallies: TallyKeeper;
  /** By generation: its writers by collection. */
  readonly #writers = new Map<number, Map<string, SqliteTableWriter>>();

  constructor(db: Database.Database) {
    this.#db = db;
    this.#advance = advanceOver(db);
    this.#tallies = new TallyKeeper(db);
  }

  /** Null: a conflict, because a checkpoint is not at the `from` of its batch; then roll back. */
  land(batches: readonly ProjectionBatch[]): 'committed' | null {
    for (const batch of batches) if (!this.#advance(batch.generation.number, batch)) return null;
    for (const batch of batches) this.#write(batch);
    this.#tallies.flush(
      batches.map(({ generation, from, to }) => ({ generation: generation.number, from, to })),
    );
    return 'committed';
  }

  /** Call it when `land` has thrown, or its transaction was not committed. */
  discard(): void {
    this.#tallies.discard();
  }

  #write({ generation, writes }: ProjectionBatch): void {
    for (const write of writes) {
      const writer = this.#writer(generation, write.collection);
      if (write.kind === 'put') writer.put(write.document, write.previous);
      else writer.remove(write.id);
    }
  }

  #writer({ number }: Generation, collection: AnyCollection): SqliteTableWriter {
    let writers = this.#writers.get(number);
    if (!writers) {
      writers = new Map();
      this.#writers.set(number, writers);
    }
    let writer = writers.get(collection.name);
    if (!writer) {
      writer = new SqliteTableWriter(this.#db, new SqliteTable(collection, number), this.#tallies);
      writers.set(collection.name, writer);
    }
    return writer;
  }
}
