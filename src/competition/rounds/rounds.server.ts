/** Result entry by devices and at the desk. */
import type { ServerPart } from '../../http/feature.js';
import { EntryAnswers } from './device-entry.js';
import { EarlyEntry } from './early-entry.js';

export const roundsServer: ServerPart = {
  providers: [EntryAnswers, EarlyEntry],
  earlyResponders: [EarlyEntry],
};
