/**
 * The rows of a table in pages, in the order of a key. A page that ends where it began, or before, is the last one: damaged pages of a
 * file may hold their rows in another order, and the same rows would come again without end. The engine's own check names such a file.
 */

/**
 * `next`: the rows after a key, so many at most; `first`: before all keys; `onDisorder`: called before a page that is out of order. The
 * last page may be empty.
 */
export function* pagesInOrder<Row, Key extends number | string>(
  next: (after: Key) => readonly Row[],
  keyOf: (row: Row) => Key,
  first: Key,
  onDisorder: () => void = () => undefined,
): Generator<readonly Row[], void, undefined> {
  for (let after = first; ; ) {
    const rows = next(after);
    const last = rows.at(-1);
    const isInOrder = last === undefined || keyOf(last) > after;
    if (!isInOrder) onDisorder();
    yield rows;
    if (last === undefined || !isInOrder) return;
    after = keyOf(last);
  }
}
