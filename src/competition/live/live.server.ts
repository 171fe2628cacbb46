/** Live rounds as server-sent events. */
import type { ServerPart } from '../../http/feature.js';
import { LiveRounds, NotifyViewers } from './live-rounds.js';

export const liveServer: ServerPart = {
  providers: [LiveRounds, NotifyViewers],
};
