/** What every process manager needs. */
import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { StreamNames } from '../../domain/streams.js';
import { AGGREGATES, type AggregateRuntime } from '../aggregates/aggregate.js';
import { EventFeed } from '../aggregates/event-feed.js';
import { EVENT_STORE, type EventStore } from '../event-store/event-store.js';
import { READ_MODELS, type ReadModels } from './read-models.js';

@Injectable()
export class ProcessServices {
  constructor(
    @Inject(EVENT_STORE) readonly store: EventStore,
    readonly feed: EventFeed,
    @Inject(AGGREGATES) readonly aggregates: AggregateRuntime,
    @Inject(READ_MODELS) readonly readModels: ReadModels,
    readonly queries: QueryBus,
    readonly names: StreamNames,
  ) {}
}
