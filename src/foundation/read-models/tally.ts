/**
 * The tally of a collection: how many documents it has, and the sum of their checksums. A sum has no order, so a commit adds
 * what it changes, in its own transaction. A document that an index or a tree skips is missing in the tally of what is
 * there.
 */

/** Sums wrap here: a sum and a change of it stay whole numbers in a double. */
export const SUM_MODULUS = 2 ** 52;

export interface Tally {
  readonly rows: number;
  /** From 0 to SUM_MODULUS. */
  readonly sum: number;
}

export const EMPTY_TALLY: Tally = { rows: 0, sum: 0 };

/** From 0 to SUM_MODULUS. */
export const wrapped = (sum: number): number => ((sum % SUM_MODULUS) + SUM_MODULUS) % SUM_MODULUS;

/** What is wrong, as one sentence. Null: they are the same. */
export const tallyFault = (written: Tally, found: Tally): string | null => {
  if (written.rows !== found.rows) return rowsFault(written.rows, found.rows);
  return written.sum === found.sum ? null : 'its documents are not the ones that were written';
};

export const rowsFault = (written: number, found: number): string | null =>
  written === found ? null : `${written} documents were written, and ${found} are there`;
