/** All rows of a table of the operational file, for a copy that must not leave one out. */
import { StoreDamagedError } from '../../../foundation/integrity/damage.js';
import { pagesInOrder } from '../pages-in-order.js';
import type { RowSums } from './row-sums.js';

const CHUNK = 1_000;

/**
 * Pages with at least one row each. `next`: the rows after a key, so many at most; `first`: before all keys. Throws StoreDamagedError
 * when rows of the table may be missing, or where damage has put them into another order.
 */
export function* wholeTable<Row, Key extends number | string>(
  sums: Pick<RowSums, 'complete'>,
  table: string,
  next: (after: Key, limit: number) => readonly Row[],
  keyOf: (row: Row) => Key,
  first: Key,
): Generator<readonly Row[], void, undefined> {
  sums.complete(table, null);
  const refuse = (): never => {
    const place = `collection ${table}`;
    throw new StoreDamagedError({ store: 'operational', place, reason: 'its rows are not in their order' });
  };
  for (const rows of pagesInOrder((after: Key) => next(after, CHUNK), keyOf, first, refuse))
    if (rows.length > 0) yield rows;
}
