/** How far a round is, of what is known of its roster. The pages import it too. */
import type { RoundProgress } from './contest.queries.js';

export const progressIn = ({ expected, entered, complete }: RoundProgress): RoundProgress => ({
  expected,
  entered,
  complete,
});
