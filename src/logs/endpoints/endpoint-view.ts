/** An endpoint as clients see it. The order of the fields is that of the specification. */
import { configOf, type EndpointConfig } from './endpoint.events.js';
import type { EndpointView } from './endpoint.queries.js';

export const endpointView = (id: string, version: number, config: EndpointConfig): EndpointView => ({
  id,
  ...configOf(config),
  version,
});
