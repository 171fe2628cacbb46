/** Keys for moderators, and the check of a device's key. */
import type { ServerPart } from '../../http/feature.js';
import { KeyCheck } from './key-check.js';
import { KeysModerationController } from './keys-moderation.controller.js';

export const keysServer: ServerPart = {
  controllers: [KeysModerationController],
  providers: [KeyCheck],
};
