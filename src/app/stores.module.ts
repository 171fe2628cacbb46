/**
 * Opens the stores once per process, with the services directly above them. At shutdown it closes the services
 * first, then the stores.
 */
import { Worker } from 'node:worker_threads';
import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { EventBus } from '@nestjs/cqrs';
import { type BuilderData, LIST_BUILDER_THREAD } from '../competition/rankings/list-builder.js';
import { StreamNames } from '../domain/streams.js';
import { AGGREGATES } from '../foundation/aggregates/aggregate.js';
import { Aggregates } from '../foundation/aggregates/aggregates.js';
import { EventFeed } from '../foundation/aggregates/event-feed.js';
import { messageOf } from '../foundation/basics/error-message.js';
import { threadUrl } from '../foundation/basics/threads.js';
import { CONFIG, type PodiumConfig } from '../foundation/config.js';
import { EVENT_STORE, type EventStore } from '../foundation/event-store/event-store.js';
import { LOG_STORE, type LogStore } from '../foundation/log-store/log-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../foundation/operational/operational-store.js';
import type { ReportFailure } from '../foundation/projections/failure-reporter.js';
import { Projector } from '../foundation/projections/projector.js';
import { READ_MODELS } from '../foundation/projections/read-models.js';
import { READ_MODEL_STORE, type ReadModelStore } from '../foundation/read-models/read-model-store.js';
import { ByteCache } from '../http/replies/ready-reply.js';
import { controlEventTypes } from './features.js';
import { openEventStore } from './stores/open-event-store.js';
import { openLogStore } from './stores/open-log-store.js';
import { openOperationalStore } from './stores/open-operational-store.js';
import { openProjector } from './stores/open-projector.js';
import { openReadModelStore } from './stores/open-read-model-store.js';

export interface StoresOptions {
  /**
   * `server`: projects from the start. `command`: projects only when something is read, because a running
   * server projects already.
   */
  readonly mode: 'server' | 'command';
  /** Called with each failure in the background that is retried. Default: writes a line to stderr. */
  readonly onError?: (error: unknown) => void;
  /** Called once for each reason that stops the read models, and with null when they continue. */
  readonly onProjectionFailure?: ReportFailure;
}

const toStderr = (error: unknown): void => {
  process.stderr.write(`${messageOf(error)}\n`);
};

@Module({})
export class StoresModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODEL_STORE) private readonly readModelStore: ReadModelStore,
    @Inject(OPERATIONAL_STORE) private readonly operationalStore: OperationalStore,
    @Inject(LOG_STORE) private readonly logStore: LogStore,
    private readonly feed: EventFeed,
    private readonly projector: Projector,
    private readonly eventBus: EventBus,
  ) {}

  static register(config: PodiumConfig, options: StoresOptions): DynamicModule {
    const { mode, onError = toStderr } = options;
    const names = new StreamNames(config.streamPrefix);
    const providers = [
      { provide: CONFIG, useValue: config },
      { provide: StreamNames, useValue: names },
      { provide: EVENT_STORE, useFactory: () => openEventStore(config.eventStoreUrl) },
      { provide: READ_MODEL_STORE, useFactory: () => openReadModelStore(config.readModelUrl) },
      { provide: OPERATIONAL_STORE, useFactory: () => openOperationalStore(config.operationalUrl) },
      { provide: LOG_STORE, useFactory: () => openLogStore(config.logStoreUrl, { mode }) },
      {
        provide: Aggregates,
        useFactory: (store: EventStore) => new Aggregates({ store, names }),
        inject: [EVENT_STORE],
      },
      { provide: AGGREGATES, useExisting: Aggregates },
      {
        provide: EventFeed,
        useFactory: (store: EventStore, aggregates: Aggregates) =>
          new EventFeed({ store, names, types: controlEventTypes, aggregates, onError }),
        inject: [EVENT_STORE, Aggregates],
      },
      {
        provide: Projector,
        useFactory: (eventStore: EventStore, readModelStore: ReadModelStore) =>
          startedProjector({ eventStore, readModelStore }, config, options),
        inject: [EVENT_STORE, READ_MODEL_STORE],
      },
      { provide: READ_MODELS, useExisting: Projector },
      { provide: LIST_BUILDER_THREAD, useValue: () => startListBuilder(config) },
      ByteCache,
    ];
    return {
      module: StoresModule,
      global: true,
      providers,
      exports: providers.map((provider) => ('provide' in provider ? provider.provide : provider)),
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    this.projector.onAdvanced((event) => this.eventBus.publish(event));
    await this.feed.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.feed.stop();
    await this.projector.close();
    await this.eventStore.close();
    await this.readModelStore.close();
    await this.operationalStore.close();
    await this.logStore.close();
  }
}

export const startListBuilder = ({ readModelUrl, operationalUrl }: PodiumConfig): Worker => {
  const workerData: BuilderData = { readModelUrl, operationalUrl };
  return new Worker(threadUrl('./workers/list-builder.worker.js', import.meta.url), { workerData });
};

const startedProjector = async (
  stores: { readonly eventStore: EventStore; readonly readModelStore: ReadModelStore },
  config: PodiumConfig,
  { mode, onProjectionFailure = () => undefined }: StoresOptions,
): Promise<Projector> => {
  const projector = openProjector({
    ...config,
    ...stores,
    lazy: mode === 'command',
    onProjectionFailure,
  });
  await projector.start();
  return projector;
};
