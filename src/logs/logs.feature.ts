/** Log endpoints: access tokens, saved endpoints, queries, ingestion. */
import type { Feature } from '../http/feature.js';
import { endpointEvents, endpointNameStream, endpointStream } from './endpoints/endpoint.events.js';
import { endpointsProjection } from './endpoints/endpoints.projection.js';
import { savedQueriesProjection } from './saved-queries/saved-queries.projection.js';
import { savedQueryEvents, savedQueryStream } from './saved-queries/saved-query.events.js';
import { accessTokenEvents, accessTokenStream } from './tokens/access-token.events.js';
import { tokensProjection } from './tokens/tokens.projection.js';

export const logsFeature: Feature = {
  streams: [accessTokenStream, endpointStream, endpointNameStream, savedQueryStream],
  events: { ...accessTokenEvents, ...endpointEvents, ...savedQueryEvents },
  projections: [tokensProjection, endpointsProjection, savedQueriesProjection],
  module: async () => (await import('./logs.module.js')).LogsModule,
  controllers: [
    async () => (await import('./ingest/ingest.controller.js')).IngestController,
    async () => (await import('./ingest/otlp.controller.js')).OtlpController,
    async () => (await import('./ingest/loki.controller.js')).LokiController,
    async () => (await import('./ingest/refused-entries.controller.js')).RefusedEntriesController,
    async () => (await import('./sources/sources.controller.js')).SourcesController,
    async () => (await import('./endpoint-management/endpoints.controller.js')).EndpointsController,
    async () => (await import('./query/query.controller.js')).QueryController,
    async () => (await import('./tail/tail.controller.js')).TailController,
    async () => (await import('./exports/export.controller.js')).ExportController,
    async () => (await import('./alerts/alerts.controller.js')).AlertsController,
    async () => (await import('./drains/drains.controller.js')).DrainsController,
    async () => (await import('./query/log-projects.controller.js')).LogProjectsController,
    async () => (await import('./query/running-queries.controller.js')).RunningQueriesController,
    async () => (await import('./saved-queries/saved-queries.controller.js')).SavedQueriesController,
    async () => (await import('./saved-filters/saved-filters.controller.js')).SavedFiltersController,
    async () => (await import('./tokens/tokens.controller.js')).TokensController,
  ],
  server: async () => (await import('./logs.server.js')).logsServer,
};
