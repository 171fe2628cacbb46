/** Imports and exports over HTTP. */
import type { ServerPart } from '../../http/feature.js';
import { ImportGate } from './importing/import-gate.js';

export const exchangeServer: ServerPart = {
  providers: [ImportGate],
  gates: [ImportGate],
};
