/** API keys of devices: issuing, checking, listing. */
import type { Feature } from '../../http/feature.js';
import { apiKeyEvents, apiKeyStream } from '../aggregates/api-key/api-key.events.js';
import { keysProjection } from './keys.projection.js';

export const keysFeature: Feature = {
  streams: [apiKeyStream],
  events: apiKeyEvents,
  projections: [keysProjection],
  module: async () => (await import('./keys.module.js')).KeysModule,
  controllers: [async () => (await import('./keys-moderation.controller.js')).KeysModerationController],
  server: async () => (await import('./keys.server.js')).keysServer,
};
