/** Imports and exports over HTTP. */
import type { ServerPart } from '../../http/feature.js';
import { ExchangeModerationController } from './exchange-moderation.controller.js';
import { ImportGate } from './importing/import-gate.js';

export const exchangeServer: ServerPart = {
  controllers: [ExchangeModerationController],
  providers: [ImportGate],
  gates: [ImportGate],
};
