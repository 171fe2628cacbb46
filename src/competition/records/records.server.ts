/** Records over HTTP. */
import type { ServerPart } from '../../http/feature.js';
import { RecordsController } from './records.controller.js';

export const recordsServer: ServerPart = {
  controllers: [RecordsController],
};
