/** What is wrong with an LQL query, found by whoever reads it: an offset into its text and what was expected there. */
import { placeIn, QueryProblem } from '../sql/query-problem.js';

export class LqlFault extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
    this.name = 'LqlFault';
  }
}

/** Runs `work`, and reports a fault of the query as its problem, with the place in `text`. */
export const withPlaces = <T>(text: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof LqlFault)) throw error;
    throw new QueryProblem('lql-syntax', error.message, placeIn(text, error.offset));
  }
};

/** `a`, `a or b`, `a, b or c` */
export const anyOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
