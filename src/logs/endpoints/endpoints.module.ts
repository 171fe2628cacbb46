/** Saved endpoints: creating, changing, finding. */
import { Module } from '@nestjs/common';
import { endpointCommandHandlers } from './endpoint.handlers.js';
import { endpointQueryHandlers } from './endpoint.queries.handlers.js';
import { EndpointNames } from './endpoint-names.js';
import { StoredQueryCheck } from './stored-query-check.js';

@Module({
  providers: [EndpointNames, StoredQueryCheck, ...endpointCommandHandlers, ...endpointQueryHandlers],
  exports: [EndpointNames],
})
export class EndpointsModule {}
