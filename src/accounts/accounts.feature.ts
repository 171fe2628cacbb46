/** Accounts, sessions and who may do what. */
import type { Feature } from '../http/feature.js';

export const accountsFeature: Feature = {
  server: async () => (await import('./accounts.server.js')).accountsServer,
  module: async () => (await import('./accounts.module.js')).AccountsModule,
  controllers: [
    async () => (await import('./session.controller.js')).SessionController,
    async () => (await import('./devices.controller.js')).DevicesController,
    async () => (await import('./factors.controller.js')).FactorsController,
    async () => (await import('./passkey-sign-in.controller.js')).PasskeySignInController,
    async () => (await import('./users-moderation.controller.js')).UsersModerationController,
    async () => (await import('./audit-moderation.controller.js')).AuditModerationController,
  ],
};
