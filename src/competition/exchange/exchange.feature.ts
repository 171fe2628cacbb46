/** Imports and exports of contests: WCIF, CSV and folders. */
import type { Feature } from '../../http/feature.js';

export const exchangeFeature: Feature = {
  module: async () => (await import('./exchange.module.js')).ExchangeModule,
  server: async () => (await import('./exchange.server.js')).exchangeServer,
};
