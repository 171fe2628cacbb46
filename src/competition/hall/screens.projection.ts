/**
 * Invalidates cached replies when a screen changes. It has no documents: screens are read from their stream's state (see
 * screens.queries.ts).
 */
import { idIn } from '../../domain/streams.js';
import { tags } from '../../domain/tags.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import { screensEvents, screensStream } from './screens.events.js';

export const screensProjection: Projection = {
  name: 'screens',
  version: 1,
  collections: [],
  eventTypes: Object.keys(screensEvents),

  apply({ subject }: ProjectedEvent, session: ProjectionSession): void {
    const contest = idIn(screensStream, subject);
    if (contest !== null) session.touch(() => tags.screens(contest));
  },
};
