/** Contests over HTTP, and the process manager of their endings. */
import type { ServerPart } from '../../http/feature.js';
import { ContestEndingProcess } from './contest-ending.process.js';
import { ContestModeration } from './contest-moderation.js';

export const contestsServer: ServerPart = {
  providers: [ContestModeration, ContestEndingProcess],
};
