/** Merges two records of one person. */
import type { Feature } from '../../http/feature.js';

export const mergesFeature: Feature = {
  module: async () => (await import('./merges.module.js')).MergesModule,
  server: async () => (await import('./merges.server.js')).mergesServer,
};
