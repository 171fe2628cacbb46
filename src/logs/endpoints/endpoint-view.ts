/** An endpoint as callers see it, its fields in the order of the specification. */
import { configOf, type EndpointConfig } from './endpoint.events.js';
import type { EndpointView } from './endpoint.queries.js';

export const endpointView = (id: string, version: number, config: EndpointConfig): EndpointView => ({
  id,
  ...configOf(config),
  version,
});
