/** Slices of rows by their size, so that the work on one is bounded. */
import type { JsonRecord } from '../../foundation/log-store/sources.js';

/** `maxCharacters`: of the rows as JSON. A row that is larger is a slice of its own. */
export function* rowSlices(
  rows: readonly JsonRecord[],
  maxCharacters: number,
): Generator<readonly JsonRecord[]> {
  let slice: JsonRecord[] = [];
  let characters = 0;
  for (const row of rows) {
    const more = JSON.stringify(row).length;
    if (slice.length > 0 && characters + more > maxCharacters) {
      yield slice;
      slice = [];
      characters = 0;
    }
    slice.push(row);
    characters += more;
  }
  if (slice.length > 0) yield slice;
}
