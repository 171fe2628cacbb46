/** The catalogue over HTTP. */
import type { ServerPart } from '../../http/feature.js';
import { EventsController } from './events.controller.js';

export const spacesServer: ServerPart = {
  controllers: [EventsController],
};
