/** What the hall sees: what competitors need in their next attempts, and the screens that a moderator steers. */
import type { Feature } from '../../http/feature.js';
import { screensEvents, screensStream } from './screens.events.js';
import { screensProjection } from './screens.projection.js';

export const hallFeature: Feature = {
  streams: [screensStream],
  events: screensEvents,
  projections: [screensProjection],
  module: async () => (await import('./hall.module.js')).HallModule,
  controllers: [
    async () => (await import('./outlook.controller.js')).OutlookController,
    async () => (await import('./screens.controller.js')).ScreensController,
    async () => (await import('./screens-moderation.controller.js')).ScreensModerationController,
  ],
};
