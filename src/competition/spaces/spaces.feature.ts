/** Spaces and their catalogues of events. */
import type { Feature } from '../../http/feature.js';
import { spaceEvents, spaceStream } from '../aggregates/space/space.events.js';
import { eventsProjection } from './events.projection.js';

export const spacesFeature: Feature = {
  streams: [spaceStream],
  events: spaceEvents,
  projections: [eventsProjection],
  module: async () => (await import('./spaces.module.js')).SpacesModule,
  controllers: [async () => (await import('./events.controller.js')).EventsController],
};
