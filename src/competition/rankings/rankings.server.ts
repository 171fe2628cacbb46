/** Rankings over HTTP. */
import type { ServerPart } from '../../http/feature.js';
import { RankingsController } from './rankings.controller.js';

export const rankingsServer: ServerPart = {
  controllers: [RankingsController],
};
