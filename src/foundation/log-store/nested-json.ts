/** JSON in a query's result. Metadata nests 50 levels at most; only a query can make more. */
import { LogQueryFailedError } from './log-store.js';
import type { Json } from './sources.js';

const MAX_DEPTH = 500;

/** Throws LogQueryFailedError when the JSON nests too deep for those that parse it. */
export const checkDepth = (json: string): void => {
  // Each level has two characters.
  if (json.length > 2 * MAX_DEPTH && depthOf(json) > MAX_DEPTH)
    throw new LogQueryFailedError(
      'value',
      `a value of the result nests too deep; it may have at most ${MAX_DEPTH} levels`,
    );
};

/** As JSON.parse, with the check. */
export const parseNested = (json: string): Json => {
  checkDepth(json);
  return JSON.parse(json);
};

const depthOf = (json: string): number => {
  let depth = 0;
  let most = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '"':
        for (at++; json[at] !== '"' && at < json.length; at++) if (json[at] === '\\') at++;
        break;
      case '[':
      case '{':
        most = Math.max(most, ++depth);
        break;
      case ']':
      case '}':
        depth--;
    }
  }
  return most;
};
