/** Puts a process's Projector together with the projections of the registry. */
import type { EventStore } from '../eventstore/event-store.js';
import { StreamNames } from '../eventstore/streams.js';
import type { ReadModelStore } from '../readmodel/read-model-store.js';
import { Projector } from './projector.js';
import { ProjectorHost } from './projector-host.js';
import { ProjectorThread } from './projector-thread.js';
import { projections } from './registry.js';

/** The process's own connections; the projector does not close them. */
interface Stores {
  readonly eventStore: EventStore;
  readonly readModelStore: ReadModelStore;
}

interface ServerProjectorOptions extends Stores {
  readonly eventStoreUrl: string;
  readonly readModelUrl: string;
  readonly streamPrefix: string;
}

/** For a server: runs the projections in a thread of its own. `start` it. */
export const serverProjector = ({
  eventStore,
  readModelStore,
  ...thread
}: ServerProjectorOptions): Projector =>
  new Projector({ eventStore, readModelStore, projections, engine: new ProjectorThread(thread) });

/** For a command of the CLI: projects in its own thread, only if it reads and no other process does. `start` it. */
export const commandProjector = ({
  eventStore,
  readModelStore,
  streamPrefix,
}: Stores & { readonly streamPrefix: string }): Projector => {
  const names = new StreamNames(streamPrefix);
  const engine = new ProjectorHost({ eventStore, readModelStore, projections, names });
  return new Projector({ eventStore, readModelStore, projections, engine, lazy: true });
};
