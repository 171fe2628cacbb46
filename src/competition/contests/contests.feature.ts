/** Contests: their life, their list and their page. */
import type { Feature } from '../../http/feature.js';
import { contestEvents, contestStream } from '../aggregates/contest/contest.js';
import { contestsProjection } from './contests.projection.js';
import { rostersProjection } from './rosters.projection.js';

export const contestsFeature: Feature = {
  streams: [contestStream],
  events: contestEvents,
  projections: [contestsProjection, rostersProjection],
  module: async () => (await import('./contests.module.js')).ContestsModule,
  controllers: [
    async () => (await import('./contests.controller.js')).ContestsController,
    async () => (await import('./contests-moderation.controller.js')).ContestsModerationController,
    async () => (await import('./competitor-list.controller.js')).CompetitorListController,
    async () => (await import('./competitors-moderation.controller.js')).CompetitorsModerationController,
  ],
  server: async () => (await import('./contests.server.js')).contestsServer,
};
