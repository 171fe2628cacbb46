/** Rankings: lists of results and of persons. */
import type { Feature } from '../../http/feature.js';

export const rankingsFeature: Feature = {
  module: async () => (await import('./rankings.module.js')).RankingsModule,
  server: async () => ({ threads: [(await import('./list-builder.js')).ListBuilder] }),
  controllers: [async () => (await import('./rankings.controller.js')).RankingsController],
};
