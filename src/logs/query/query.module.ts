/** Calls of saved endpoints: compiling, running, caching. */
import { Module } from '@nestjs/common';
import { LogCacheModule } from '../cache/cache.module.js';
import { DownloadsModule } from '../downloads/downloads.module.js';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { SavedFiltersModule } from '../saved-filters/saved-filters.module.js';
import { CallEndpointHandler } from './call-endpoint.handler.js';
import { CLOCK, systemClock } from './clock.js';
import { EstimateQueryHandler } from './estimate.handler.js';
import { ListLogProjectsHandler } from './log-projects.handler.js';
import { outlineQueryHandlers } from './outline.handlers.js';
import { QueryCompiler } from './query-compiler.js';
import { QueryRuns } from './query-runs.js';
import { RunningQueries } from './running-queries.js';
import { ScanAmounts } from './scan-amounts.js';
import { TokenConcurrency } from './token-concurrency.js';

@Module({
  imports: [DownloadsModule, EndpointsModule, LogCacheModule, SavedFiltersModule],
  providers: [
    { provide: CLOCK, useValue: systemClock },
    QueryCompiler,
    QueryRuns,
    ScanAmounts,
    TokenConcurrency,
    RunningQueries,
    CallEndpointHandler,
    EstimateQueryHandler,
    ListLogProjectsHandler,
    ...outlineQueryHandlers,
  ],
  exports: [DownloadsModule, SavedFiltersModule, RunningQueries, QueryCompiler],
})
export class QueryModule {}
