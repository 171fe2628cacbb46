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

/** One of the configurations that an endpoint has had, and who made it so. */
export interface EndpointVersionView extends EndpointView {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** `operator` (an access token), `moderator` (an account), `cli`, `system`. */
  readonly actor: string;
  readonly keyId: string | null;
  readonly accountId: string | null;
}

/** Of a live endpoint, newest first, from its stream. Throws RejectedError `endpoint-not-found`. */
export class ListEndpointVersions extends Query<readonly EndpointVersionView[]> {
  constructor(readonly idOrName: string) {
    super();
  }
}

/** As it is this moment. Throws RejectedError `endpoint-not-found`. */
export class GetEndpoint extends Query<EndpointView> {
  constructor(readonly idOrName: string) {
    super();
  }
}
