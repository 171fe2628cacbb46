/** Contests over HTTP, and the process manager of their endings. */
import type { ServerPart } from '../../http/feature.js';
import { ContestAccess } from '../contest-access.js';
import { CompetitorsModerationController } from './competitors-moderation.controller.js';
import { ContestEndingProcess } from './contest-ending.process.js';
import { ContestModeration } from './contest-moderation.js';
import { ContestsController } from './contests.controller.js';
import { ContestsModerationController } from './contests-moderation.controller.js';

export const contestsServer: ServerPart = {
  controllers: [ContestsController, ContestsModerationController, CompetitorsModerationController],
  providers: [ContestAccess, ContestModeration, ContestEndingProcess],
};
