/** Live rounds as server-sent events. */
import type { ServerPart } from '../../http/feature.js';
import { LiveController } from './live.controller.js';
import { LiveRounds, NotifyViewers } from './live-rounds.js';

export const liveServer: ServerPart = {
  controllers: [LiveController],
  providers: [LiveRounds, NotifyViewers],
};
