/** The pages and the dashboard. */
import type { Feature } from '../http/feature.js';

export const pagesFeature: Feature = {
  controllers: [
    async () => (await import('./dashboard.controller.js')).DashboardController,
    async () => (await import('./contest-pages.controller.js')).ContestPagesController,
    async () => (await import('./pages.controller.js')).PagesController,
  ],
  server: async () => (await import('./pages.server.js')).pagesServer,
};
