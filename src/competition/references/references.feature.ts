/** Reference records: the records of the world outside a space, which its results are held against. */
import type { Feature } from '../../http/feature.js';
import { referencesEvents, referencesStream } from '../aggregates/references/references.events.js';

export const referencesFeature: Feature = {
  streams: [referencesStream],
  events: referencesEvents,
  module: async () => (await import('./references.module.js')).ReferencesModule,
  controllers: [
    async () => (await import('./references-moderation.controller.js')).ReferencesModerationController,
  ],
};
