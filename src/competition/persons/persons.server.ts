/** Persons over HTTP. */
import type { ServerPart } from '../../http/feature.js';
import { PersonModeration } from './person-moderation.js';

export const personsServer: ServerPart = {
  providers: [PersonModeration],
};
