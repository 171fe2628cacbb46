/** Answers the queries about saved endpoints. */

import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { StreamNames } from '../../domain/streams.js';
import { EVENT_STORE, type EventStore } from '../../foundation/event-store/event-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { endpointStream } from './endpoint.events.js';
import {
  type EndpointVersionView,
  type EndpointView,
  GetEndpoint,
  ListEndpoints,
  ListEndpointVersions,
} from './endpoint.queries.js';
import { EndpointNames } from './endpoint-names.js';
import { endpointVersions } from './endpoint-versions.js';
import { endpointView } from './endpoint-view.js';
import { endpoints } from './endpoints.projection.js';

@QueryHandler(ListEndpoints)
export class ListEndpointsHandler implements IQueryHandler<ListEndpoints> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute(): Promise<readonly EndpointView[]> {
    const all = await this.readModels.snapshot((view) =>
      view.scan(endpoints, { index: 'byName', equals: {} }),
    );
    return all.map(({ id, version, ...config }) => endpointView(id, version, config));
  }
}

@QueryHandler(GetEndpoint)
export class GetEndpointHandler implements IQueryHandler<GetEndpoint> {
  constructor(private readonly names: EndpointNames) {}

  async execute({ idOrName }: GetEndpoint): Promise<EndpointView> {
    const { endpointId, version, config } = await this.names.find(idOrName, { fresh: true });
    return endpointView(endpointId, version, config);
  }
}

@QueryHandler(ListEndpointVersions)
export class ListEndpointVersionsHandler implements IQueryHandler<ListEndpointVersions> {
  constructor(
    private readonly names: EndpointNames,
    @Inject(EVENT_STORE) private readonly events: Pick<EventStore, 'readStream'>,
    private readonly streams: StreamNames,
  ) {}

  async execute({ idOrName }: ListEndpointVersions): Promise<readonly EndpointVersionView[]> {
    const { endpointId } = await this.names.find(idOrName, { fresh: true });
    const recorded = (await this.events.readStream(this.streams.of(endpointStream, endpointId))) ?? [];
    return endpointVersions(endpointId, recorded).reverse();
  }
}

export const endpointQueryHandlers = [ListEndpointsHandler, GetEndpointHandler, ListEndpointVersionsHandler];
