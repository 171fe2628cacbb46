/** Appends that wait are written together, in groups of a bounded number of entries. */
import type { PackedColumns } from './packed-entries.js';

const MAX_ROWS_A_GROUP = 50_000;

/** Takes the next group away from those that wait: as many as fit, and one at least. */
export const takenGroup = <T extends { readonly columns: Pick<PackedColumns, 'count'> }>(
  waiting: T[],
): T[] => {
  let rows = 0;
  let taken = 0;
  for (const { columns } of waiting) {
    rows += columns.count;
    if (taken > 0 && rows > MAX_ROWS_A_GROUP) break;
    taken++;
  }
  return waiting.splice(0, taken);
};
