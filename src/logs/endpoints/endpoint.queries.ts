/** Queries about saved endpoints themselves; what an endpoint is for is in src/logs/query. */
import { Query } from '@nestjs/cqrs';
import type { EndpointConfig } from './endpoint.events.js';

export interface EndpointView extends EndpointConfig {
  /** UUID. */
  readonly id: string;
  /** 1 when it was created, one more with each change. */
  readonly version: number;
}

/** All of them, by name. */
export class ListEndpoints extends Query<readonly EndpointView[]> {}

/** As it is this moment. Throws RejectedError `endpoint-not-found`. */
export class GetEndpoint extends Query<EndpointView> {
  constructor(readonly idOrName: string) {
    super();
  }
}
