/** Merges two records of one person. */
import type { Feature } from '../../http/feature.js';

export const mergesFeature: Feature = {
  module: async () => (await import('./merges.module.js')).MergesModule,
  controllers: [async () => (await import('./merge-moderation.controller.js')).MergeModerationController],
  server: async () => (await import('./merges.server.js')).mergesServer,
};
