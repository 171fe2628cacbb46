/** Queries on spaces and their catalogues, for the query bus. */
import { Query } from '@nestjs/cqrs';
import type { EventDefinition } from '../aggregates/space/space.events.js';

/** In display order. Throws RejectedError `space-not-found`. */
export class ListEvents extends Query<readonly EventDefinition[]> {
  constructor(readonly spaceId: string) {
    super();
  }
}

export interface SpaceView {
  readonly spaceId: string;
  readonly name: string;
}

export class ListSpaces extends Query<readonly SpaceView[]> {}
