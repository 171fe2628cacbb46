/** Result entry by devices and at the desk. */
import type { ServerPart } from '../../http/feature.js';
import { EarlyEntry } from './early-entry.js';
import { ResultEntryService } from './result-entry.service.js';

export const roundsServer: ServerPart = {
  providers: [ResultEntryService, EarlyEntry],
  earlyResponders: [EarlyEntry],
};
