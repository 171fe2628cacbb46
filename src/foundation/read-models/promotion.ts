/** Whether a generation may become the live one: one rule for all adapters. */
import type { Generation, ProjectionProgress, PromotionOutcome } from './read-model-store.js';

/** `progress`: of the generation's projection, at the time of the decision. */
export const promotionOf = (
  { number }: Generation,
  { live, building }: ProjectionProgress,
  allowBehind: boolean,
): PromotionOutcome => {
  if (building?.number !== number) return 'superseded';
  const isBehind = live?.storeId === building.storeId && live.position > building.position;
  return isBehind && !allowBehind ? 'behind' : 'promoted';
};
