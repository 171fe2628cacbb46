/**
 * Writes rows. Each write is conditional: a row that is as new or newer stays. So a process that resumes after a pause, or
 * finishes the commit of another, changes no newer row. Writes may be repeated, in any order.
 */
import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import { duplicateIndexes, type MongoCapabilities } from '../mongo-connection.js';
import type { RowDocument } from './documents.js';
import type { RowWrite } from './journal.js';

/** Rows in one command: enough that the round trip does not count, few enough for one message. */
const INSERTS_AT_ONCE = 1_000;

export type WriteSizes = Pick<MongoCapabilities, 'updatesAtOnce' | 'commandsAtOnce'>;

export class RowWriter {
  readonly #db: Db;
  readonly #updatesAtOnce: number;
  readonly #commandsAtOnce: number;

  constructor(db: Db, { updatesAtOnce, commandsAtOnce }: WriteSizes) {
    this.#db = db;
    this.#updatesAtOnce = updatesAtOnce;
    this.#commandsAtOnce = commandsAtOnce;
  }

  async apply(writes: readonly RowWrite[]): Promise<void> {
    const byTable = new Map<string, RowWrite[]>();
    for (const write of writes) {
      const known = byTable.get(write.table);
      if (known) known.push(write);
      else byTable.set(write.table, [write]);
    }
    const commands: (() => Promise<void>)[] = [];
    for (const [table, of] of byTable) {
      const rows = this.#db.collection<RowDocument>(table);
      for (const some of slices(
        of.filter(({ isNew }) => isNew),
        INSERTS_AT_ONCE,
      )) {
        commands.push(() => this.#insert(rows, some));
      }
      for (const some of slices(
        of.filter(({ isNew }) => !isNew),
        this.#updatesAtOnce,
      )) {
        commands.push(() => this.#update(rows, some));
      }
    }
    await inTurns(commands, this.#commandsAtOnce);
  }

  /** Inserts new rows. An id that exists was removed before, or the write is a retry. */
  async #insert(rows: Collection<RowDocument>, writes: readonly RowWrite[]): Promise<void> {
    const documents = writes.map(({ id, row }): RowDocument => ({ _id: id, r: row }));
    try {
      await rows.insertMany(documents, { ordered: false });
    } catch (error) {
      const taken = duplicateIndexes(error);
      if (taken === null) throw error;
      const there = taken.flatMap((place) => writes[place] ?? []);
      for (const some of slices(there, this.#updatesAtOnce)) await this.#update(rows, some);
    }
  }

  async #update(rows: Collection<RowDocument>, writes: readonly RowWrite[]): Promise<void> {
    const operations = writes.map(
      ({ id, row }): AnyBulkWriteOperation<RowDocument> => ({
        updateOne: { filter: { _id: id }, update: { $max: { r: row } }, upsert: true },
      }),
    );
    try {
      await rows.bulkWrite(operations, { ordered: false });
    } catch (error) {
      // Another process inserted the row at the same time. It exists now, so the retry succeeds.
      const taken = duplicateIndexes(error);
      if (taken === null) throw error;
      await this.#update(
        rows,
        taken.flatMap((place) => writes[place] ?? []),
      );
    }
  }
}

const slices = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, place) =>
    all.slice(place * size, (place + 1) * size),
  );

const inTurns = async (work: readonly (() => Promise<void>)[], atOnce: number): Promise<void> => {
  const waiting = work.values();
  const worker = async (): Promise<void> => {
    for (const one of waiting) await one();
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, work.length) }, worker));
};
