/** An endpoint as callers see it, its fields in the order of the specification. */
import type { EndpointConfig } from './endpoint.events.js';
import type { EndpointView } from './endpoint.queries.js';

export const endpointView = (id: string, version: number, config: EndpointConfig): EndpointView => ({
  id,
  name: config.name,
  description: config.description,
  queryLanguage: config.queryLanguage,
  query: config.query,
  maxRows: config.maxRows,
  cachingSeconds: config.cachingSeconds,
  cacheWarmingSeconds: config.cacheWarmingSeconds,
  sandboxing: config.sandboxing,
  redactPii: config.redactPii,
  version,
});
