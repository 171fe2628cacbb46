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
import { settlesWithin } from '../foundation/basics/settles-within.js';
import { threadUrl } from '../foundation/basics/threads.js';
import { CONFIG, type PodiumConfig } from '../foundation/config.js';
import { EVENT_STORE, type EventStore } from '../foundation/event-store/event-store.js';
import { isVerifiable } from '../foundation/integrity/damage.js';
import { type DamageListener, DamageLog } from '../foundation/integrity/damage-log.js';
import { Scrubber } from '../foundation/integrity/scrubber.js';
import { LOG_STORE, type LogStore } from '../foundation/log-store/log-store.js';
import { GuardedEventStore } from '../foundation/losses/guarded-event-store.js';
import { LossGuard, type LossGuardOptions } from '../foundation/losses/loss-guard.js';
import { endOfCopy, manifestIn, type NamedManifest } from '../foundation/losses/manifest.js';
import { beginRestored } from '../foundation/losses/restore.js';
import { AuditTrail } from '../foundation/operational/audit-trail.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../foundation/operational/operational-store.js';
import type { ReportFailure } from '../foundation/projections/failure-reporter.js';
import { ProcessServices } from '../foundation/projections/process-services.js';
import { Projector, type ProjectorOptions } from '../foundation/projections/projector.js';
import { READ_MODELS } from '../foundation/projections/read-models.js';
import { hasOlderNodes } from '../foundation/projections/runner/nodes.js';
import { READ_MODEL_STORE, type ReadModelStore } from '../foundation/read-models/read-model-store.js';
import { FailureExchange } from '../http/credentials/failure-exchange.js';
import { ByteCache } from '../http/replies/ready-reply.js';
import { controlEventTypes, projections } from './features.js';
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
  /** Called once for each place with damaged content. */
  readonly onDamage?: DamageListener;
  /** Called at the end of a server for each store that does not close in time. */
  readonly onHangingStore?: (store: string) => void;
}

const STORES_OPTIONS = Symbol('StoresOptions');

/**
 * For each store at the end of a server; they close at the same time. After the running requests (2 s) and the last step it
 * leaves half a second of the whole shutdown, so that a store that hangs is named on a busy machine, too.
 */
const CLOSE_WITHIN_MS = 1_500;

const LAST_WITNESS_WITHIN_MS = 1_000;
const LAST_STEP_WITHIN_MS = 500;

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
    private readonly guard: LossGuard,
    private readonly audit: AuditTrail,
    private readonly aggregates: Aggregates,
    private readonly scrubber: Scrubber,
    private readonly eventBus: EventBus,
    @Inject(STORES_OPTIONS) private readonly options: StoresOptions,
  ) {}

  static register(config: PodiumConfig, options: StoresOptions): DynamicModule {
    const { mode, onError = toStderr, onDamage } = options;
    const startsThreads = mode === 'server';
    const damageLog = new DamageLog();
    if (onDamage) damageLog.onDamage(onDamage);
    const names = new StreamNames(config.streamPrefix);
    const providers = [
      { provide: CONFIG, useValue: config },
      { provide: STORES_OPTIONS, useValue: options },
      { provide: StreamNames, useValue: names },
      ProcessServices,
      { provide: DamageLog, useValue: damageLog },
      {
        provide: LossGuard,
        useFactory: (readModelStore: ReadModelStore, operational: OperationalStore) =>
          startedGuard(config, {
            readModelStore,
            operational,
            onError,
            startsThreads,
            onDamage: damageLog.record,
          }),
        inject: [READ_MODEL_STORE, OPERATIONAL_STORE],
      },
      {
        provide: EVENT_STORE,
        useFactory: (guard: LossGuard) => new GuardedEventStore(guard.eventStore, guard),
        inject: [LossGuard],
      },
      {
        provide: READ_MODEL_STORE,
        useFactory: () =>
          openReadModelStore(config.readModelUrl, {
            checksFile: true,
            comparesTallies: startsThreads,
            startsThreads,
            ...readModelDamage(damageLog),
          }),
      },
      {
        provide: OPERATIONAL_STORE,
        useFactory: (readModelStore: ReadModelStore) =>
          openOperationalStore(config.operationalUrl, {
            startsThreads,
            onDamage: damageLog.record,
            keepsChecksums: mode === 'server',
            hasOlderNodes: () => hasOlderNodes(readModelStore),
          }),
        inject: [READ_MODEL_STORE],
      },
      {
        provide: LOG_STORE,
        useFactory: () => openLogStore(config.logStoreUrl, { mode, onDamage: damageLog.record }),
      },
      {
        provide: Aggregates,
        useFactory: (store: EventStore, { snapshots }: ReadModelStore) =>
          new Aggregates({ store, names, snapshots }),
        inject: [EVENT_STORE, READ_MODEL_STORE],
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
        useFactory: (
          eventStore: EventStore,
          readModelStore: ReadModelStore,
          guard: LossGuard,
          feed: EventFeed,
        ) => startedProjector({ eventStore, readModelStore, guard, feed, damageLog }, config, options),
        inject: [EVENT_STORE, READ_MODEL_STORE, LossGuard, EventFeed],
      },
      {
        provide: Scrubber,
        useFactory: (
          guard: LossGuard,
          operational: OperationalStore,
          readModelStore: ReadModelStore,
          logStore: LogStore,
          projector: Projector,
        ) =>
          new Scrubber({
            // The smallest first: the events take longest.
            stores: [operational, readModelStore, guard.eventStore, logStore].filter(isVerifiable),
            damageLog,
            // The logs belong to one node. Of the nodes that share the other stores, the projecting one scrubs them.
            isOwn: (store) => store === 'logs' || projector.isProjecting,
            onError,
          }),
        inject: [LossGuard, OPERATIONAL_STORE, READ_MODEL_STORE, LOG_STORE, Projector],
      },
      { provide: READ_MODELS, useExisting: Projector },
      {
        provide: AuditTrail,
        useFactory: (operational: OperationalStore) => new AuditTrail(operational, onError),
        inject: [OPERATIONAL_STORE],
      },
      {
        provide: FailureExchange,
        useFactory: (operational: OperationalStore) => new FailureExchange(operational),
        inject: [OPERATIONAL_STORE],
      },
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
    this.guard.onChange((level) => {
      if (level === 'doubted') return;
      this.aggregates.forgetStates();
      void this.projector.standstillChanged();
    });
    await this.feed.start();
    if (this.options.mode === 'server') this.scrubber.start();
  }

  async onApplicationShutdown(): Promise<void> {
    const { eventStore, readModelStore, operationalStore, logStore, feed, projector, guard, audit } = this;
    await settlesWithin(this.scrubber.stop(), LAST_STEP_WITHIN_MS);
    // The last witness needs both stores, and no store that hangs may delay the others for it.
    const watched = settlesWithin(guard.stop(), LAST_WITNESS_WITHIN_MS);
    await Promise.all([
      this.close('event store', () => Promise.all([feed.stop(), watched]).then(() => eventStore.close())),
      this.close('read-model store', () =>
        Promise.all([projector.close(), watched]).then(() => readModelStore.close()),
      ),
      this.close('operational store', () =>
        Promise.all([audit.close(), watched]).then(() => operationalStore.close()),
      ),
      this.close('log store', () => logStore.close()),
    ]);
  }

  /** A server leaves a store that hangs. A command waits for it: its operator can interrupt it. */
  private async close(store: string, close: () => Promise<void>): Promise<void> {
    const { mode, onHangingStore } = this.options;
    if (mode === 'command') await close();
    else if (!(await settlesWithin(close(), CLOSE_WITHIN_MS))) onHangingStore?.(store);
  }
}

export const startListBuilder = ({ readModelUrl, operationalUrl }: PodiumConfig): Worker => {
  const workerData: BuilderData = { readModelUrl, operationalUrl };
  return new Worker(threadUrl('./workers/list-builder.worker.js', import.meta.url), { workerData });
};

const readModelDamage = (damageLog: DamageLog) => ({
  onDamage: damageLog.record,
  onHealed: () => damageLog.forget('read-models'),
});

const startedGuard = async (
  config: PodiumConfig,
  {
    startsThreads,
    onDamage,
    ...parts
  }: Pick<LossGuardOptions, 'readModelStore' | 'operational' | 'onError'> & {
    readonly startsThreads: boolean;
    readonly onDamage: DamageListener;
  },
): Promise<LossGuard> => {
  // Nest makes the providers of a store that could not be opened, too, and gives them null.
  if (!parts.operational || !parts.readModelStore) throw new Error('a store could not be opened');
  const manifest = await manifestIn(config.dataDir);
  if (manifest?.copiedBy === 'engines') await beginOnCopy(config, manifest, parts.operational);
  const eventStore = await openEventStore(config.eventStoreUrl, {
    ...config,
    checksFile: true,
    startsThreads,
    onDamage,
  });
  const guard = new LossGuard({
    ...parts,
    eventStore,
    projections: projections.map(({ name }) => name),
    manifest: manifest && endOfCopy(manifest),
  });
  await guard.start();
  return guard;
};

/** With an event store of its own, because an open one keeps the id that it has in its epoch. */
const beginOnCopy = async (
  config: PodiumConfig,
  manifest: NamedManifest,
  { witnesses }: LossGuardOptions['operational'],
): Promise<void> => {
  const eventStore = await openEventStore(config.eventStoreUrl, config);
  await beginRestored(manifest, { eventStore, witnesses }).finally(() => eventStore.close());
};

const startedProjector = async (
  {
    guard,
    feed,
    damageLog,
    ...stores
  }: Pick<ProjectorOptions, 'eventStore' | 'readModelStore'> & {
    readonly guard: LossGuard;
    readonly feed: EventFeed;
    readonly damageLog: DamageLog;
  },
  config: PodiumConfig,
  { mode, onProjectionFailure = () => undefined }: StoresOptions,
): Promise<Projector> => {
  const projector = openProjector({
    ...config,
    ...stores,
    lazy: mode === 'command',
    onProjectionFailure,
    ...readModelDamage(damageLog),
    standstill: () => guard.reason,
    onControlEvents: (handed) => feed.hand(handed),
  });
  await projector.start();
  return projector;
};
