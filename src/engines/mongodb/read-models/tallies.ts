/**
 * The tallies of a generation, which stand in the log: each decision has those that hold once its rows are written. So they
 * change with the checkpoint, in one document. Code of older versions moves the checkpoint and leaves them; then `at` is
 * another position, and they count no more until a scrub has counted anew.
 */
import type { Position } from '../../../foundation/event-store/event-store.js';
import { EMPTY_TALLY, SUM_MODULUS, type Tally, wrapped } from '../../../foundation/read-models/tally.js';

export interface CollectionTally extends Tally {
  /** How many rows each index has, by the name of the index. */
  readonly listed: Readonly<Record<string, number>>;
}

export interface Tallies {
  readonly at: Position;
  /** By collection. One without rows may be missing. */
  readonly of: Readonly<Record<string, CollectionTally>>;
}

export const EMPTY_COLLECTION: CollectionTally = { ...EMPTY_TALLY, listed: {} };

/** What a row adds to the tally of its collection. */
export interface Counted {
  readonly sum: number;
  /** Names of the indexes that it is in. */
  readonly lists: readonly string[];
}

/** What a commit changes in the tally of one collection. */
export class TallyChange {
  #rows = 0;
  #sum = 0;
  readonly #listed = new Map<string, number>();

  /** Null: there is no such row. */
  replace(before: Counted | null, after: Counted | null): void {
    if (before) this.#count(before, -1);
    if (after) this.#count(after, 1);
  }

  addedTo({ rows, sum, listed }: CollectionTally): CollectionTally {
    const next = { ...listed };
    for (const [name, count] of this.#listed) next[name] = (next[name] ?? 0) + count;
    return { rows: rows + this.#rows, sum: wrapped(sum + this.#sum), listed: next };
  }

  #count({ sum, lists }: Counted, by: 1 | -1): void {
    this.#rows += by;
    this.#sum = (this.#sum + by * sum) % SUM_MODULUS;
    for (const name of lists) this.#listed.set(name, (this.#listed.get(name) ?? 0) + by);
  }
}

/** By number of the generation, then by collection. */
export type TallyChanges = ReadonlyMap<number, ReadonlyMap<string, TallyChange>>;

/** The tallies after these changes. */
export const advancedTallies = (
  { of }: Tallies,
  at: Position,
  changes: ReadonlyMap<string, TallyChange> = new Map(),
): Tallies => {
  const next: Record<string, CollectionTally> = { ...of };
  for (const [collection, change] of changes)
    next[collection] = change.addedTo(next[collection] ?? EMPTY_COLLECTION);
  return { at, of: next };
};
