/** Results, and the boards and records that follow from them. */
import type { Feature } from '../../http/feature.js';
import { rankingsProjection } from './rankings.projection.js';

export const resultsFeature: Feature = {
  projections: [rankingsProjection],
};
