/** Read model for the list of saved endpoints. A call finds its endpoint in the streams, never here. */

import { domainEvent } from '../../domain/decider.js';
import { idIn } from '../../domain/streams.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import { type EndpointConfig, type EndpointEvent, endpointStream } from './endpoint.events.js';

/** `id`: the endpoint's id. */
export interface EndpointDocument extends Document, EndpointConfig {
  readonly version: number;
}

export const endpoints: Collection<EndpointDocument> = { name: 'endpoints', indexes: { byName: ['name'] } };

const EVENT_TYPES: readonly EndpointEvent['type'][] = [
  'EndpointCreated',
  'EndpointChanged',
  'EndpointRemoved',
  'EndpointNameYielded',
];

export const endpointsProjection: Projection = {
  name: 'endpoints',
  version: 1,
  collections: [endpoints],
  eventTypes: EVENT_TYPES,

  async apply(event: ProjectedEvent, session: ProjectionSession): Promise<void> {
    const endpointId = idIn(endpointStream, event.subject);
    if (endpointId === null) return;
    const happened = domainEvent<EndpointEvent>(event);
    switch (happened.type) {
      case 'EndpointCreated':
      case 'EndpointChanged': {
        const before = await session.get(endpoints, endpointId);
        session.put(endpoints, { ...happened.data, id: endpointId, version: (before?.version ?? 0) + 1 });
        break;
      }
      case 'EndpointRemoved':
        session.remove(endpoints, endpointId);
        break;
      case 'EndpointNameYielded':
        break;
      default:
        happened satisfies never;
    }
    session.touch(() => `endpoint:${endpointId}`);
  },
};
