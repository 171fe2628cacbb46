/** JSON in a query's result. Metadata nests 50 levels at most; only a query can make more. */

const MAX_DEPTH = 500;

/** Why those that parse a result could not parse this JSON; null: they can. */
export const nestingFault = (json: string): string | null =>
  // Each level has two characters.
  json.length > 2 * MAX_DEPTH && depthOf(json) > MAX_DEPTH
    ? `a value of the result nests too deep; it may have at most ${MAX_DEPTH} levels`
    : null;

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
