/** Read model for the list of saved queries. */
import { domainEvent } from '../../domain/decider.js';
import { idIn } from '../../domain/streams.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import type { SavedQueryView } from './saved-query.commands.js';
import { type SavedQueryEvent, savedQueryStream } from './saved-query.events.js';

/** `id`: the name. */
export interface SavedQueryDocument extends Document, SavedQueryView {}

export const savedQueries: Collection<SavedQueryDocument> = {
  name: 'saved-log-queries',
  indexes: { byName: ['name'] },
};

const EVENT_TYPES: readonly SavedQueryEvent['type'][] = ['LogQuerySaved', 'SavedLogQueryRemoved'];

export const savedQueriesProjection: Projection = {
  name: 'saved-log-queries',
  version: 1,
  collections: [savedQueries],
  eventTypes: EVENT_TYPES,

  async apply(event: ProjectedEvent, session: ProjectionSession): Promise<void> {
    const name = idIn(savedQueryStream, event.subject);
    if (name === null) return;
    const happened = domainEvent<SavedQueryEvent>(event);
    switch (happened.type) {
      case 'LogQuerySaved':
        session.put(savedQueries, { id: name, name, address: happened.data.address });
        break;
      case 'SavedLogQueryRemoved':
        session.remove(savedQueries, name);
        break;
      default:
        happened satisfies never;
    }
    session.touch(() => `saved-log-query:${name}`);
  },
};
