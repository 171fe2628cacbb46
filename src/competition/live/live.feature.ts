/** Live rounds. */
import type { Feature } from '../../http/feature.js';

export const liveFeature: Feature = {
  server: async () => (await import('./live.server.js')).liveServer,
};
