/** Result entry by devices and at the desk. */
import type { ServerPart } from '../../http/feature.js';
import { EarlyEntry } from './early-entry.js';
import { EntryController } from './entry.controller.js';
import { EntryModerationController } from './entry-moderation.controller.js';
import { ResultEntryService } from './result-entry.service.js';
import { RoundsModerationController } from './rounds-moderation.controller.js';

export const roundsServer: ServerPart = {
  controllers: [EntryController, EntryModerationController, RoundsModerationController],
  providers: [ResultEntryService, EarlyEntry],
  earlyResponders: [EarlyEntry],
};
