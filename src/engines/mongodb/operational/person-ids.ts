/** The ids of persons: the last one is in one document, and none is ever given twice. */
import type { CounterDocument } from './documents.js';
import type { SummedCollection } from './summed-collection.js';

const LAST_PERSON = 'last-person';

export class PersonIds {
  readonly #counters: SummedCollection<CounterDocument>;

  constructor(counters: SummedCollection<CounterDocument>) {
    this.#counters = counters;
  }

  async last(): Promise<number> {
    return (await this.#counters.findOne({ _id: LAST_PERSON }))?.last ?? 0;
  }

  async raise(personId: number): Promise<void> {
    await this.#counters.upsert(LAST_PERSON, (counter) => ({
      _id: LAST_PERSON,
      last: Math.max(personId, counter?.last ?? 0),
    }));
  }

  /** Reserves `count` ids and returns the last one. No other profile ever gets them. */
  async take(count: number): Promise<number> {
    const { last } = await this.#counters.upsert(LAST_PERSON, (counter) => ({
      _id: LAST_PERSON,
      last: (counter?.last ?? 0) + count,
    }));
    return last;
  }
}
