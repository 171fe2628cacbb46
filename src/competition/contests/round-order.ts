/** The order of the results of a round. */
import { textOrder } from '../../domain/text-order.js';
import type { RoundResultView } from './contest.queries.js';

type Placed = Pick<RoundResultView, 'place' | 'resultId'>;

/** By place; results with the same place by their ids. */
export const byPlace = (a: Placed, b: Placed): number =>
  a.place - b.place || textOrder(a.resultId, b.resultId);
