/**
 * The features' commands and queries on an event store in memory, whose rivals and failures a test arranges. Several cores on
 * one store and one folder are several processes.
 */
import 'reflect-metadata';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Global, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Command, CommandBus, CqrsModule, EventBus, type Query, QueryBus } from '@nestjs/cqrs';
import { controlEventTypes, knownEvents, projections } from '../../src/app/features.js';
import { openOperationalStore } from '../../src/app/stores/open-operational-store.js';
import { openReadModelStore } from '../../src/app/stores/open-read-model-store.js';
import { startListBuilder } from '../../src/app/stores.module.js';
import { ContestsModule } from '../../src/competition/contests/contests.module.js';
import { HallModule } from '../../src/competition/hall/hall.module.js';
import { KeysModule } from '../../src/competition/keys/keys.module.js';
import { MergesModule } from '../../src/competition/merges/merges.module.js';
import { PersonsModule } from '../../src/competition/persons/persons.module.js';
import { LIST_BUILDER_THREAD } from '../../src/competition/rankings/list-builder.js';
import { RankingsModule } from '../../src/competition/rankings/rankings.module.js';
import { RecordsModule } from '../../src/competition/records/records.module.js';
import { ReferencesModule } from '../../src/competition/references/references.module.js';
import { RoundsModule } from '../../src/competition/rounds/rounds.module.js';
import { ScheduleModule } from '../../src/competition/schedule/schedule.module.js';
import { SpacesModule } from '../../src/competition/spaces/spaces.module.js';
import { RejectedError, type Rejection } from '../../src/domain/rejections.js';
import { StreamNames } from '../../src/domain/streams.js';
import { AGGREGATES } from '../../src/foundation/aggregates/aggregate.js';
import { Aggregates } from '../../src/foundation/aggregates/aggregates.js';
import { EventFeed } from '../../src/foundation/aggregates/event-feed.js';
import { CONFIG, loadConfig } from '../../src/foundation/config.js';
import { EVENT_STORE } from '../../src/foundation/event-store/event-store.js';
import { LOG_STORE } from '../../src/foundation/log-store/log-store.js';
import { AuditTrail } from '../../src/foundation/operational/audit-trail.js';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
} from '../../src/foundation/operational/operational-store.js';
import { ProcessServices } from '../../src/foundation/projections/process-services.js';
import { Projector } from '../../src/foundation/projections/projector.js';
import { READ_MODELS } from '../../src/foundation/projections/read-models.js';
import type { ProjectionContext } from '../../src/foundation/projections/runner/projection-context.js';
import type { ProjectorEngine } from '../../src/foundation/projections/runner/projector-engine.js';
import { ProjectorHost } from '../../src/foundation/projections/runner/projector-host.js';
import { SubscribedEvents } from '../../src/foundation/projections/runner/subscribed-events.js';
import { READ_MODEL_STORE } from '../../src/foundation/read-models/read-model-store.js';
import { ByteCache } from '../../src/http/replies/ready-reply.js';
import { LogsModule } from '../../src/logs/logs.module.js';
import { FakeLogStore } from './fake-log-store.js';
import { MemoryEventStore } from './memory-event-store.js';
import { temporaryFolder } from './podium-app.js';

export interface MemoryCore {
  /** Where its embedded stores have their files. */
  readonly folder: string;
  readonly store: MemoryEventStore;
  readonly operational: OperationalStore;
  readonly logs: FakeLogStore;
  readonly get: INestApplicationContext['get'];
  execute<R>(command: Command<R>): Promise<R>;
  query<R>(query: Query<R>): Promise<R>;
  /** Why the command is refused; fails when it is not. */
  refusal<R>(command: Command<R>): Promise<Rejection>;
  /** Resolves when the read models show everything up to here. */
  shown(position: number): Promise<void>;
  /** Types of the events of a stream, in order. */
  types(stream: (names: StreamNames) => string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export const names = new StreamNames();

/** Instead of projecting once something is read, as a command does. */
export interface ServerReads {
  readonly readModelUrl: string;
  readonly engineOf: (context: ProjectionContext) => ProjectorEngine;
}

/** Why a command or query is refused; `done` where it is not. */
export const outcomeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'done',
    (error: RejectedError) => error.rejection.code,
  );

/** Another process on the same stores where `beside` is given. */
export const openMemoryCore = async (
  beside?: { readonly store: MemoryEventStore; readonly folder: string },
  reads?: ServerReads,
): Promise<MemoryCore> => {
  const folder = beside?.folder ?? (await temporaryFolder());
  const store = beside?.store.connect() ?? new MemoryEventStore();
  const operational = await openOperationalStore(`sqlite:${join(folder, 'operational.sqlite')}`);
  const readModelUrl = reads?.readModelUrl ?? `sqlite:${join(folder, 'readmodel.sqlite')}`;
  const readModelStore = await openReadModelStore(readModelUrl);
  const subscribed = new SubscribedEvents(names, { registry: knownEvents });
  const context = { eventStore: store, readModelStore, projections, subscribed };
  const engine = reads?.engineOf(context) ?? new ProjectorHost(context);
  const projector = new Projector({ ...context, engine, lazy: reads === undefined });
  const logs = new FakeLogStore();
  const aggregates = new Aggregates({ store, names });
  const feed = new EventFeed({
    store,
    names,
    types: controlEventTypes,
    aggregates,
    onError: () => undefined,
    // One core alone, or one whose feed is a test's own matter, waits for nobody.
    ...(reads === undefined && { knownElsewhereMs: 0 }),
  });
  await projector.start();
  await feed.start();

  const config = loadConfig({ PODIUM_DATA: folder, READ_MODEL_URL: readModelUrl });
  const providers = [
    { provide: StreamNames, useValue: names },
    ProcessServices,
    { provide: EVENT_STORE, useValue: store },
    { provide: AGGREGATES, useValue: aggregates },
    { provide: EventFeed, useValue: feed },
    { provide: OPERATIONAL_STORE, useValue: operational },
    { provide: AuditTrail, useValue: new AuditTrail(operational, () => undefined) },
    { provide: READ_MODELS, useValue: projector },
    { provide: LIST_BUILDER_THREAD, useValue: () => startListBuilder(config) },
    ByteCache,
    { provide: LOG_STORE, useValue: logs },
    { provide: READ_MODEL_STORE, useValue: readModelStore },
    { provide: CONFIG, useValue: config },
  ];
  @Global()
  @Module({ providers, exports: providers })
  class MemoryStores {}
  @Module({
    imports: [
      CqrsModule.forRoot(),
      MemoryStores,
      SpacesModule,
      PersonsModule,
      ContestsModule,
      RoundsModule,
      ScheduleModule,
      RankingsModule,
      MergesModule,
      RecordsModule,
      ReferencesModule,
      HallModule,
      KeysModule,
      LogsModule,
    ],
  })
  class MemoryApp {}

  const app = await NestFactory.createApplicationContext(MemoryApp, { logger: false });
  const commands = app.get(CommandBus);
  const queries = app.get(QueryBus);
  const events = app.get(EventBus);
  projector.onAdvanced((event) => events.publish(event));
  return {
    folder,
    store,
    operational,
    logs,
    get: app.get.bind(app),
    execute: (command) => commands.execute(command),
    query: (query) => queries.execute(query),
    refusal: async (command) => {
      const outcome = await commands.execute(command).catch((error: unknown) => error);
      if (outcome instanceof RejectedError) return outcome.rejection;
      throw new Error(`was not refused: ${JSON.stringify(outcome)}`);
    },
    shown: async (position) => {
      if (!(await projector.waitFor(position, 30_000))) throw new Error(`reads do not come to ${position}`);
    },
    types: async (stream) => ((await store.readStream(stream(names))) ?? []).map(({ type }) => type),
    close: async () => {
      await app.close();
      await feed.stop();
      await projector.close();
      await readModelStore.close();
      await operational.close();
      await store.close();
      if (beside === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
};

export interface MemoryCores extends MemoryCore {
  /** Another process on the same stores. */
  readonly peer: MemoryCore;
}

export const openMemoryCores = async (): Promise<MemoryCores> => {
  const core = await openMemoryCore();
  const peer = await openMemoryCore(core);
  const close = async (): Promise<void> => {
    await peer.close();
    await core.close();
  };
  return { ...core, peer, close };
};
