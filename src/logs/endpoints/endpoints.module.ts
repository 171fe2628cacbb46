/** Saved endpoints: creating, changing, finding. */
import { Module } from '@nestjs/common';
import { endpointCommandHandlers } from './endpoint.handlers.js';
import { endpointQueryHandlers } from './endpoint.queries.handlers.js';
import { EndpointNames } from './endpoint-names.js';
import { StoredQueries } from './stored-queries.js';

@Module({
  providers: [EndpointNames, StoredQueries, ...endpointCommandHandlers, ...endpointQueryHandlers],
  exports: [EndpointNames, StoredQueries],
})
export class EndpointsModule {}
