/** The pages and the dashboard. */
import type { Feature } from '../http/feature.js';

export const pagesFeature: Feature = {
  server: async () => (await import('./pages.server.js')).pagesServer,
};
