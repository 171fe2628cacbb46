/**
 * Which commits a new holder of a lease has to finish: those that were decided for live generations and whose writer
 * may be gone. A writer that is alive needs milliseconds, so a holder that goes on lets what it sees for the first time
 * be finished by its writer.
 */
import type { Lease } from '../../../foundation/read-models/read-model-store.js';
import { stateOf } from './bookkeeping.js';
import type { LogEntry } from './documents.js';
import type { LogHead } from './log.js';

export class Handover {
  readonly #held = new Set<string>();
  #seen: ReadonlySet<number> = new Set();

  /** To be asked with each lease that was taken or renewed. */
  due({ name }: Lease, { books, pending }: LogHead): readonly LogEntry[] {
    const live = pending.filter(({ steps }) =>
      steps.some(({ generation }) => stateOf(books, generation)?.phase === 'live'),
    );
    const due = this.#held.has(name) ? live.filter(({ sequence }) => this.#seen.has(sequence)) : live;
    this.#held.add(name);
    this.#seen = new Set(live.map(({ sequence }) => sequence));
    return due;
  }
}
