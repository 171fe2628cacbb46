/** Rounds: opening, closing, and the entry of results. */
import type { Feature } from '../../http/feature.js';
import { roundEvents, roundStream } from '../aggregates/round/round.js';

export const roundsFeature: Feature = {
  streams: [roundStream],
  events: roundEvents,
  module: async () => (await import('./rounds.module.js')).RoundsModule,
  controllers: [
    async () => (await import('./entry.controller.js')).EntryController,
    async () => (await import('./entry-moderation.controller.js')).EntryModerationController,
    async () => (await import('./rounds-moderation.controller.js')).RoundsModerationController,
    async () => (await import('./advancement-moderation.controller.js')).AdvancementModerationController,
  ],
  server: async () => (await import('./rounds.server.js')).roundsServer,
};
