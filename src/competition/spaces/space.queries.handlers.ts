/** Query handlers of spaces and their catalogues. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { definitionOf, type EventDefinition } from '../aggregates/space/space.events.js';
import { spaces } from './events.projection.js';
import { eventsOf, requireSpace } from './known-events.js';
import { ListEvents, ListSpaces, type SpaceView } from './space.queries.js';

@QueryHandler(ListEvents)
export class ListEventsHandler implements IQueryHandler<ListEvents> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  execute({ spaceId }: ListEvents): Promise<readonly EventDefinition[]> {
    return this.readModels.snapshot(async (view) => {
      const events = await eventsOf(view, spaceId);
      if (events.length === 0) await requireSpace(view, spaceId);
      return events.map(definitionOf);
    });
  }
}

@QueryHandler(ListSpaces)
export class ListSpacesHandler implements IQueryHandler<ListSpaces> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute(): Promise<readonly SpaceView[]> {
    const all = await this.readModels.snapshot((view) => view.scan(spaces, { index: 'byId', equals: {} }));
    return all.map(({ id, name }) => ({ spaceId: id, name }));
  }
}

export const spaceQueryHandlers = [ListEventsHandler, ListSpacesHandler];
