/** Records: present and former record holders. */
import type { Feature } from '../../http/feature.js';

export const recordsFeature: Feature = {
  module: async () => (await import('./records.module.js')).RecordsModule,
  controllers: [async () => (await import('./records.controller.js')).RecordsController],
};
