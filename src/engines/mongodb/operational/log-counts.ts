/** The counts of log entries in MongoDB: one document for each day, source and project. */
import {
  type LogCount,
  type LogCountStore,
  logCountKeys,
} from '../../../foundation/operational/log-count-store.js';
import { isDuplicateKey, type MongoConnection } from '../mongo-connection.js';
import { type Identified, SummedCollection, type SummedParts } from './summed-collection.js';

interface CountDocument {
  /** As `logCountKeys` makes it. */
  readonly _id: string;
  readonly entries: number;
}

export class MongoLogCounts implements LogCountStore {
  readonly #connection: MongoConnection;
  readonly #counts: SummedCollection<CountDocument>;

  constructor(parts: SummedParts) {
    this.#connection = parts.connection;
    this.#counts = new SummedCollection<CountDocument>(parts, 'log_counts', { isListed: false });
  }

  get collections(): readonly SummedCollection<Identified>[] {
    return [this.#counts];
  }

  async add(counts: readonly LogCount[]): Promise<number> {
    for (const [place, count] of counts.entries()) {
      const added = { _id: logCountKeys.of(count), entries: count.entries };
      try {
        await this.#connection.guarded(() => this.#add(added));
      } catch (error) {
        if (place === 0) throw error;
        return place;
      }
    }
    return counts.length;
  }

  ofDay(day: string): Promise<readonly LogCount[]> {
    const [from, to] = logCountKeys.ofDay(day);
    return this.#connection.guarded(async () => {
      const found = await this.#counts.find({ _id: { $gte: from, $lt: to } }, { sort: { _id: 1 } });
      return found.map(({ _id, entries }) => logCountKeys.read(_id, entries));
    });
  }

  removeBefore(day: string): Promise<void> {
    const [from] = logCountKeys.ofDay(day);
    return this.#connection.guarded(() => this.#counts.remove({ _id: { $lt: from } }));
  }

  async #add(added: CountDocument): Promise<void> {
    const grown = await this.#grow(added);
    if (grown !== null) return;
    try {
      await this.#counts.insert(added);
    } catch (error) {
      // Another process has begun the day.
      if (!isDuplicateKey(error)) throw error;
      await this.#grow(added);
    }
  }

  #grow({ _id, entries }: CountDocument): Promise<CountDocument | null> {
    return this.#counts.change({ _id }, (count) => ({ ...count, entries: count.entries + entries }));
  }
}
