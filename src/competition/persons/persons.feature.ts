/** Persons: registration, regions and erasure. */
import type { Feature } from '../../http/feature.js';
import { personEvents, personStream } from '../aggregates/person/person.events.js';
import { personsProjection } from './persons.projection.js';

export const personsFeature: Feature = {
  streams: [personStream],
  events: personEvents,
  projections: [personsProjection],
  module: async () => (await import('./persons.module.js')).PersonsModule,
  controllers: [async () => (await import('./persons-moderation.controller.js')).PersonsModerationController],
  server: async () => (await import('./persons.server.js')).personsServer,
};
