/** Records: present and former record holders. */
import type { Feature } from '../../http/feature.js';

export const recordsFeature: Feature = {
  module: async () => (await import('./records.module.js')).RecordsModule,
  server: async () => (await import('./records.server.js')).recordsServer,
};
