/** The versions of a saved endpoint, from its own stream. Each event of a version has the whole configuration. */
import type { RecordedEvent } from '../../foundation/event-store/event-store.js';
import { UPCASTERS } from '../../foundation/event-store/upcasters.js';
import type { EndpointEvent } from './endpoint.events.js';
import type { EndpointVersionView } from './endpoint.queries.js';
import { endpointView } from './endpoint-view.js';

/** Returns the versions, oldest first. `events`: one endpoint's stream from its beginning. */
export const endpointVersions = (
  endpointId: string,
  events: readonly RecordedEvent[],
): EndpointVersionView[] => {
  const versions: EndpointVersionView[] = [];
  for (const recorded of events) {
    const event = UPCASTERS.domainEvent<EndpointEvent>(recorded);
    switch (event.type) {
      case 'EndpointCreated':
      case 'EndpointChanged': {
        const { actor, keyId = null, accountId = null } = recorded.metadata;
        const view = endpointView(endpointId, versions.length + 1, event.data);
        versions.push({ ...view, at: new Date(recorded.recordedAt).toISOString(), actor, keyId, accountId });
        break;
      }
      case 'EndpointRemoved':
      case 'EndpointNameYielded':
        break;
      default:
        event satisfies never;
    }
  }
  return versions;
};
