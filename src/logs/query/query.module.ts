/** Calls of saved endpoints: compiling, running, caching. */
import { Module } from '@nestjs/common';
import { LogCacheModule } from '../cache/cache.module.js';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { CallEndpointHandler } from './call-endpoint.handler.js';
import { MOMENT, systemMoment } from './moment.js';
import { outlineQueryHandlers } from './outline.handlers.js';
import { QueryCompiler } from './query-compiler.js';
import { QueryRuns } from './query-runs.js';
import { TokenTurns } from './token-turns.js';

@Module({
  imports: [EndpointsModule, LogCacheModule],
  providers: [
    { provide: MOMENT, useValue: systemMoment },
    QueryCompiler,
    QueryRuns,
    TokenTurns,
    CallEndpointHandler,
    ...outlineQueryHandlers,
  ],
})
export class QueryModule {}
