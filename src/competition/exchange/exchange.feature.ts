/** Imports and exports of contests: WCIF, CSV and folders. */
import type { Feature } from '../../http/feature.js';

export const exchangeFeature: Feature = {
  module: async () => (await import('./exchange.module.js')).ExchangeModule,
  controllers: [
    async () => (await import('./exchange-moderation.controller.js')).ExchangeModerationController,
    async () => (await import('./competitor-import.controller.js')).CompetitorImportController,
  ],
  server: async () => (await import('./exchange.server.js')).exchangeServer,
};
