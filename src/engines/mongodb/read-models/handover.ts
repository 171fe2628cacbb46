/**
 * The commits that a new holder of a lease has to finish: decided for live generations, with a writer that may be dead. A
 * live writer needs only milliseconds, so a renewing holder leaves a commit that it sees for the first time.
 */
import type { Lease } from '../../../foundation/read-models/read-model-store.js';
import { stateOf } from './bookkeeping.js';
import type { LogEntry } from './documents.js';
import type { LogHead } from './log.js';

export class Handover {
  readonly #held = new Set<string>();
  #seen: ReadonlySet<number> = new Set();

  /** Call it with each lease that was taken or renewed. */
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
