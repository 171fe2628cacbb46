/** Log endpoints: access tokens, saved endpoints, queries, ingestion. */
import { Module } from '@nestjs/common';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { IngestModule } from './ingest/ingest.module.js';
import { QueryModule } from './query/query.module.js';
import { TokensModule } from './tokens/tokens.module.js';

@Module({ imports: [EndpointsModule, IngestModule, QueryModule, TokensModule] })
export class LogsModule {}
