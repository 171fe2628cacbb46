/** Schedules of contests: venues, rooms, activities and groups, who is assigned, and the day as it goes. */
import type { Feature } from '../../http/feature.js';
import { scheduleEvents, scheduleStream } from './schedule.events.js';
import { scheduleProjection } from './schedule.projection.js';

export const scheduleFeature: Feature = {
  streams: [scheduleStream],
  events: scheduleEvents,
  projections: [scheduleProjection],
  module: async () => (await import('./schedule.module.js')).ScheduleModule,
  controllers: [
    async () => (await import('./schedule.controller.js')).ScheduleController,
    async () => (await import('./schedule-moderation.controller.js')).ScheduleModerationController,
  ],
};
