/** What contests add to a server: the access of moderators and keys, and the process managers of endings and rosters. */
import type { ServerPart } from '../../http/feature.js';
import { ContestAccess } from '../contest-access.js';
import { ContestEndingProcess } from './contest-ending.process.js';
import { ContestModeration } from './contest-moderation.js';
import { ListWriter } from './list-writer.js';
import { RosterFollowingProcess } from './roster-following.process.js';

export const contestsServer: ServerPart = {
  providers: [ContestAccess, ContestModeration, ListWriter, ContestEndingProcess, RosterFollowingProcess],
};
