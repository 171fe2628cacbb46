/** Result entry by devices and at the desk, and the process manager of advancement. */
import type { ServerPart } from '../../http/feature.js';
import { AdvancementProcess } from './advancement.process.js';
import { EntryAnswers } from './device-entry.js';
import { EarlyEntry } from './early-entry.js';

export const roundsServer: ServerPart = {
  providers: [EntryAnswers, EarlyEntry, AdvancementProcess],
  earlyResponders: [EarlyEntry],
};
