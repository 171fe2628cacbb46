/** The spaces and their catalogues of events, in display order. */

import { domainEvent } from '../../domain/decider.js';
import { eventKey } from '../../domain/references.js';
import { idIn } from '../../domain/streams.js';
import { tags } from '../../domain/tags.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import { type EventDefinition, type SpaceEvent, spaceStream } from '../aggregates/space/space.events.js';

/** Its id is the space's id. */
export interface SpaceDocument extends Document {
  readonly name: string;
  /** Of the space among those of all installations: the id of the event that created it. */
  readonly uuid: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Its id is the `eventKey`. */
export interface CatalogueDocument extends Document, EventDefinition {
  readonly spaceId: string;
}

export const spaces: Collection<SpaceDocument> = { name: 'spaces', indexes: { byId: ['id'] } };
export const catalogue: Collection<CatalogueDocument> = {
  name: 'catalogue',
  indexes: {
    bySpace: ['spaceId', 'rank', 'eventId'],
  },
};

const EVENT_TYPES: readonly SpaceEvent['type'][] = ['SpaceCreated', 'EventDefined', 'EventEdited'];

export const eventsProjection: Projection = {
  name: 'events',
  version: 2,
  collections: [spaces, catalogue],
  eventTypes: EVENT_TYPES,

  apply(event: ProjectedEvent, session: ProjectionSession): void {
    const spaceId = idIn(spaceStream, event.subject);
    if (spaceId === null) return;
    const happened = domainEvent<SpaceEvent>(event);
    switch (happened.type) {
      case 'SpaceCreated':
        session.put(spaces, {
          id: spaceId,
          name: happened.data.name,
          uuid: event.id,
          createdAt: event.recordedAt,
        });
        break;
      case 'EventDefined':
      case 'EventEdited': {
        const { eventId } = happened.data;
        session.put(catalogue, { ...happened.data, id: eventKey({ spaceId, eventId }), spaceId });
        session.touch(() => tags.event(spaceId, eventId));
        break;
      }
      default:
        happened satisfies never;
    }
    session.touch(() => tags.events(spaceId));
  },
};
