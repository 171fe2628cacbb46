/** Persons over HTTP. */
import type { ServerPart } from '../../http/feature.js';
import { PersonModeration } from './person-moderation.js';
import { PersonsModerationController } from './persons-moderation.controller.js';

export const personsServer: ServerPart = {
  controllers: [PersonsModerationController],
  providers: [PersonModeration],
};
