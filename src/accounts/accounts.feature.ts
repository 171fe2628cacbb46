/** Accounts, sessions and who may do what. */
import type { Feature } from '../http/feature.js';

export const accountsFeature: Feature = {
  module: async () => (await import('./accounts.module.js')).AccountsModule,
  server: async () => (await import('./accounts.server.js')).accountsServer,
};
