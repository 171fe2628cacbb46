/** Reads documents of one moment, by the port, from the tables of that moment. */
import type { Position } from '../../../foundation/event-store/event-store.js';
import type {
  Collection,
  Document,
  ReadView,
  Scan,
} from '../../../foundation/read-models/read-model-store.js';
import type { TableReaders } from './sqlite-table-reader.js';

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
