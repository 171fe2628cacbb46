/** Live rounds. */
import type { Feature } from '../../http/feature.js';

export const liveFeature: Feature = {
  controllers: [async () => (await import('./live.controller.js')).LiveController],
  server: async () => (await import('./live.server.js')).liveServer,
};
