/**
 * The projector thread: a ProjectorHost with its own connections to both stores, so that applying events never
 * delays a request.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { StreamNames } from '../../domain/streams.js';
import { messageOf } from '../../foundation/basics/error-message.js';
import { settlesWithin } from '../../foundation/basics/settles-within.js';
import type { Damage } from '../../foundation/integrity/damage.js';
import type { Projection } from '../../foundation/projections/projection.js';
import type {
  FromProjector,
  ProjectorThreadData,
  ToProjector,
} from '../../foundation/projections/projector.messages.js';
import { ProjectorHost } from '../../foundation/projections/runner/projector-host.js';
import {
  type EventRegistry,
  SubscribedEvents,
} from '../../foundation/projections/runner/subscribed-events.js';
import { openEventStore } from '../stores/open-event-store.js';
import { openReadModelStore } from '../stores/open-read-model-store.js';

const LAST_BATCH_WITHIN_MS = 500;

const port = parentPort;
if (!port) throw new Error('projector.worker.js runs as a worker thread');

const { eventStoreUrl, storeId, readModelUrl, streamPrefix, registryUrl, holder }: ProjectorThreadData =
  workerData;
const {
  projections,
  knownEvents,
  controlEventTypes,
}: {
  readonly projections: readonly Projection[];
  readonly knownEvents?: EventRegistry;
  readonly controlEventTypes?: readonly string[];
} = await import(registryUrl);

const post = (message: FromProjector): void => port.postMessage(message);
const onDamage = (damage: Damage): void => post({ kind: 'damage', damage });

const eventStore = await openEventStore(eventStoreUrl, { readOnly: true, streamPrefix, onDamage });
if (storeId !== undefined && eventStore.storeId !== storeId)
  throw new Error(`another event store answers than ${storeId}, with which the process began`);
const readModelStore = await openReadModelStore(readModelUrl, {
  checkpointThread: true,
  onDamage,
  onHealed: () => post({ kind: 'healed' }),
});
await readModelStore.prepare(projections);
const subscribed = new SubscribedEvents(new StreamNames(streamPrefix), {
  ...(knownEvents && { registry: knownEvents }),
  ...(controlEventTypes && { controlTypes: controlEventTypes }),
});
const host = new ProjectorHost({ eventStore, readModelStore, projections, subscribed }, holder);

const replay = async (id: number, names: readonly string[]): Promise<void> => {
  try {
    await host.replay(names, (progress) => post({ kind: 'progress', id, progress }));
    post({ kind: 'replayed', id, failure: null });
  } catch (error) {
    post({ kind: 'replayed', id, failure: messageOf(error) });
  }
};

const project = (): void =>
  host.start({
    advanced: (position, tags) => post({ kind: 'advanced', position, tags }),
    role: (projecting) => post({ kind: 'role', projecting }),
    failure: (failure) => post({ kind: 'failure', failure }),
    foreign: (foreign) => post({ kind: 'foreign', foreign }),
    controlEvents: (handed) => post({ kind: 'control', handed }),
  });

const stop = async (): Promise<void> => {
  const stopped = host.stop();
  // A read that gets no answer ends with its store.
  await settlesWithin(stopped, LAST_BATCH_WITHIN_MS);
  await eventStore.close();
  await stopped;
  await readModelStore.close();
  port.close();
};

port.on('message', (message: ToProjector) => {
  switch (message.kind) {
    case 'project':
      return project();
    case 'stop':
      return void stop();
    case 'announce':
      return host.announce(message.node);
    case 'replay':
      return void replay(message.id, message.projections);
    default:
      message satisfies never;
  }
});
