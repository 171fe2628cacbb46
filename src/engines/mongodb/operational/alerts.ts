/** Alerts and their runs in MongoDB, one document for each. */
import { lazy } from '../../../foundation/basics/lazy.js';
import type { AlertRow, AlertStore, KeyRange } from '../../../foundation/operational/alert-store.js';
import { isDuplicateKey, type MongoConnection } from '../mongo-connection.js';
import {
  type DocumentFilter,
  type Identified,
  SummedCollection,
  type SummedParts,
} from './summed-collection.js';

type AlertDocument = Omit<AlertRow, 'key'> & { readonly _id: string };

const CHUNK = 1_000;

export class MongoAlerts implements AlertStore {
  readonly #connection: MongoConnection;
  readonly #alerts: SummedCollection<AlertDocument>;
  readonly #makeIndexes = lazy(() => this.#alerts.raw.createIndex({ wakesAt: 1 }, { name: 'wakesAt' }));

  constructor(parts: SummedParts) {
    this.#connection = parts.connection;
    this.#alerts = new SummedCollection<AlertDocument>(parts, 'alerts');
  }

  get collections(): readonly SummedCollection<Identified>[] {
    return [this.#alerts];
  }

  insert(rows: readonly AlertRow[]): Promise<boolean> {
    return this.#guarded(async () => {
      for (const row of rows) if (!(await this.#insert(row))) return false;
      return true;
    });
  }

  replace(row: AlertRow): Promise<boolean> {
    const before = { _id: row.key, revision: row.revision - 1 };
    return this.#guarded(async () => (await this.#alerts.change(before, () => documentOf(row))) !== null);
  }

  read(key: string): Promise<AlertRow | null> {
    return this.#guarded(async () => {
      const document = await this.#alerts.findOne({ _id: key });
      return document && rowOf(document);
    });
  }

  range([from, to]: KeyRange, limit: number): Promise<readonly AlertRow[]> {
    return this.#find({ _id: { $gte: from, $lt: to } }, { _id: -1 }, limit);
  }

  /** A comparison with a number finds no null. */
  waking(now: number, limit: number): Promise<readonly AlertRow[]> {
    return this.#find({ wakesAt: { $lte: now } }, { wakesAt: 1 }, limit);
  }

  remove([from, to]: KeyRange): Promise<void> {
    return this.#guarded(() => this.#alerts.remove({ _id: { $gte: from, $lt: to } }));
  }

  /** All rows, by key. */
  async *rows(): AsyncGenerator<readonly AlertRow[]> {
    for (let after = ''; ; ) {
      const page = await this.#find({ _id: { $gt: after } }, { _id: 1 }, CHUNK);
      const last = page.at(-1);
      if (!last) return;
      yield page;
      after = last.key;
    }
  }

  /** Inserts or replaces the row. */
  put(row: AlertRow): Promise<void> {
    return this.#guarded(() => this.#alerts.put(documentOf(row)));
  }

  async #insert(row: AlertRow): Promise<boolean> {
    try {
      await this.#alerts.insert(documentOf(row));
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  #find(filter: DocumentFilter, sort: Readonly<Record<string, 1 | -1>>, limit: number) {
    return this.#guarded(async () => (await this.#alerts.find(filter, { sort, limit })).map(rowOf));
  }

  #guarded<T>(work: () => Promise<T>): Promise<T> {
    return this.#connection.guarded(async () => {
      await this.#makeIndexes();
      return work();
    });
  }
}

const documentOf = ({ key, ...fields }: AlertRow): AlertDocument => ({ _id: key, ...fields });

/** A stand-in for MongoDB leaves out null. */
const rowOf = ({ _id, revision, wakesAt = null, data }: AlertDocument): AlertRow => ({
  key: _id,
  revision,
  wakesAt,
  data,
});
