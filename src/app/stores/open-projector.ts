/** Creates the Projector of a process. Its projections run in a worker thread. */

import { threadUrl } from '../../foundation/basics/threads.js';
import type { EventStore } from '../../foundation/event-store/event-store.js';
import type { ReportFailure } from '../../foundation/projections/failure-reporter.js';
import { Projector, type ProjectorOptions } from '../../foundation/projections/projector.js';
import {
  ProjectorThread,
  type ProjectorThreadOptions,
} from '../../foundation/projections/projector-thread.js';
import type { ReadModelStore } from '../../foundation/read-models/read-model-store.js';
import { projections } from '../features.js';

interface OpenProjectorOptions extends Omit<ProjectorThreadOptions, 'workerUrl' | 'registryUrl' | 'storeId'> {
  /** The connections of the process; the projector does not close them. */
  readonly eventStore: EventStore;
  readonly readModelStore: ReadModelStore;
  /** For commands of the CLI: projects only when something is read. */
  readonly lazy: boolean;
  readonly onProjectionFailure: ReportFailure;
  readonly standstill: () => string | null;
  readonly onControlEvents: NonNullable<ProjectorOptions['onControlEvents']>;
}

/** The caller starts it with `start()`. */
export const openProjector = ({
  eventStore,
  readModelStore,
  lazy,
  onProjectionFailure,
  standstill,
  onControlEvents,
  ...thread
}: OpenProjectorOptions): Projector => {
  const engine = new ProjectorThread({
    ...thread,
    storeId: eventStore.storeId,
    workerUrl: threadUrl('../workers/projector.worker.js', import.meta.url),
    registryUrl: threadUrl('../features.js', import.meta.url).href,
  });
  return new Projector({
    eventStore,
    readModelStore,
    projections,
    engine,
    lazy,
    onProjectionFailure,
    standstill,
    onControlEvents,
  });
};
