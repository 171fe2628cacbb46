/** Log endpoints: access tokens, saved endpoints, queries, ingestion. */
import { Module } from '@nestjs/common';
import { AlertsModule } from './alerts/alerts.module.js';
import { LogCacheModule } from './cache/cache.module.js';
import { DrainsModule } from './drains/drains.module.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { IngestModule } from './ingest/ingest.module.js';
import { QueryModule } from './query/query.module.js';
import { SavedFiltersModule } from './saved-filters/saved-filters.module.js';
import { SavedQueriesModule } from './saved-queries/saved-queries.module.js';
import { SourcesModule } from './sources/sources.module.js';
import { TailModule } from './tail/tail.module.js';
import { TokensModule } from './tokens/tokens.module.js';

const parts = [
  AlertsModule,
  DrainsModule,
  EndpointsModule,
  IngestModule,
  LogCacheModule,
  QueryModule,
  SavedFiltersModule,
  SavedQueriesModule,
  SourcesModule,
  TailModule,
  TokensModule,
];

@Module({ imports: parts, exports: parts })
export class LogsModule {}
