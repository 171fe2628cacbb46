/** Saved endpoints: creating, changing, finding. */
import { Module } from '@nestjs/common';
import { endpointCommandHandlers } from './endpoint.handlers.js';
import { endpointQueryHandlers } from './endpoint.queries.handlers.js';
import { EndpointNames } from './endpoint-names.js';
import { CHECK_STORED_QUERY, type CheckStoredQuery } from './stored-query-check.js';

@Module({
  providers: [
    EndpointNames,
    { provide: CHECK_STORED_QUERY, useValue: (() => undefined) satisfies CheckStoredQuery },
    ...endpointCommandHandlers,
    ...endpointQueryHandlers,
  ],
  exports: [EndpointNames],
})
export class EndpointsModule {}
