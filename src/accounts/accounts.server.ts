/** Signing in, and the users page. */
import type { ServerPart } from '../http/feature.js';
import { SessionController } from './session.controller.js';
import { UsersModerationController } from './users-moderation.controller.js';

export const accountsServer: ServerPart = {
  controllers: [SessionController, UsersModerationController],
};
