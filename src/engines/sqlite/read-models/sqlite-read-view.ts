/** The view of a read-model store in SQLite: the port's asynchronous reads over synchronous ones. */
import type { Position } from '../../../foundation/event-store/event-store.js';
import type {
  Collection,
  Document,
  ReadView,
  Scan,
} from '../../../foundation/read-models/read-model-store.js';
import { guarded } from './sqlite-errors.js';
import type { TableReaders } from './sqlite-tables.js';

/** Implements the asynchronous port with synchronous reads: every returned promise is already settled. */
export class SqliteReadView implements ReadView {
  readonly #tables: TableReaders;

  constructor(tables: TableReaders) {
    this.#tables = tables;
  }

  async position(projection: string): Promise<Position> {
    return guarded(() => this.#tables.position(projection));
  }

  async get<D extends Document>(collection: Collection<D>, id: string): Promise<D | null> {
    return guarded(() => this.#tables.reader(collection)?.get<D>(id) ?? null);
  }

  async getMany<D extends Document>(
    collection: Collection<D>,
    ids: readonly string[],
  ): Promise<(D | null)[]> {
    return guarded(() => {
      const reader = this.#tables.reader(collection);
      return ids.map((id) => reader?.get<D>(id) ?? null);
    });
  }

  async scan<D extends Document>(collection: Collection<D>, scan: Scan<D>): Promise<D[]> {
    return guarded(() => this.#tables.reader(collection)?.scan<D>(scan) ?? []);
  }

  async count<D extends Document>(
    collection: Collection<D>,
    index: string,
    equals: Partial<D>,
  ): Promise<number> {
    return guarded(() => this.#tables.reader(collection)?.count(index, equals) ?? 0);
  }
}
