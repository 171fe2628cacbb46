/** Records: present and former record holders, and the newest records. */
import type { Feature } from '../../http/feature.js';

export const recordsFeature: Feature = {
  module: async () => (await import('./records.module.js')).RecordsModule,
  controllers: [
    async () => (await import('./recent-records.controller.js')).RecentRecordsController,
    async () => (await import('./records.controller.js')).RecordsController,
  ],
};
