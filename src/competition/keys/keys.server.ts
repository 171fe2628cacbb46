/** Keys for moderators, and the check of a device's key. */
import type { ServerPart } from '../../http/feature.js';
import { KeyCheck } from './key-check.js';

export const keysServer: ServerPart = {
  providers: [KeyCheck],
};
