/** Queries about saved endpoints. Calls of an endpoint are in src/logs/query. */
import { Query } from '@nestjs/cqrs';
import type { EndpointConfig } from './endpoint.events.js';

export interface EndpointView extends EndpointConfig {
  /** UUID. */
  readonly id: string;
  /** 1 after the creation, one more with each change. */
  readonly version: number;
}

/** Ordered by name. */
export class ListEndpoints extends Query<readonly EndpointView[]> {}

/** One version of an endpoint, and the actor that made it. */
export interface EndpointVersionView extends EndpointView {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** `operator` (an access token), `moderator` (an account), `cli`, `system`. */
  readonly actor: string;
  readonly keyId: string | null;
  readonly accountId: string | null;
}

/** Newest first, from the endpoint's stream. Throws RejectedError `endpoint-not-found`. */
export class ListEndpointVersions extends Query<readonly EndpointVersionView[]> {
  constructor(readonly idOrName: string) {
    super();
  }
}

/** Reads the stream, so the answer is current. Throws RejectedError `endpoint-not-found`. */
export class GetEndpoint extends Query<EndpointView> {
  constructor(readonly idOrName: string) {
    super();
  }
}
