/** Rounds: opening, closing, and the entry of results. */
import type { Feature } from '../../http/feature.js';
import { roundEvents } from '../aggregates/round/round.js';

export const roundsFeature: Feature = {
  events: roundEvents,
  module: async () => (await import('./rounds.module.js')).RoundsModule,
  server: async () => (await import('./rounds.server.js')).roundsServer,
};
