/** Accounts, sessions and who may do what. */
import type { Feature } from '../http/feature.js';

export const accountsFeature: Feature = {
  module: async () => (await import('./accounts.module.js')).AccountsModule,
  controllers: [
    async () => (await import('./session.controller.js')).SessionController,
    async () => (await import('./devices.controller.js')).DevicesController,
    async () => (await import('./users-moderation.controller.js')).UsersModerationController,
  ],
};
