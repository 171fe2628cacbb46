/** How the results of a round stand one below the other. */
import type { RoundResultView } from './contest.queries.js';

type Placed = Pick<RoundResultView, 'place' | 'resultId'>;

/** By place; results that share one by their ids. */
export const byPlace = (a: Placed, b: Placed): number => {
  if (a.place !== b.place) return a.place - b.place;
  if (a.resultId === b.resultId) return 0;
  return a.resultId < b.resultId ? -1 : 1;
};
