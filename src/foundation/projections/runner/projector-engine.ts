/** The port that runs the projections of a process: a ProjectorHost, or a ProjectorThread that runs one in its own thread. */
import type { ChangedTags } from '../../../domain/tags.js';
import type { HandedEvents } from '../../aggregates/event-feed.js';
import type { Position } from '../../event-store/event-store.js';
import type { NodeDescription } from './nodes.js';
import type { ReplayProgress } from './rebuild.js';
import type { ForeignEvents } from './subscribed-events.js';

export interface ProjectionFailure {
  readonly reason: string;
  /** Whether an event stops them that this version does not know. Then only newer code goes on. */
  readonly isUnknownEvent: boolean;
}

export interface ProjectorListener {
  /** Everything up to the position is visible to readers. `tags` null: anything may have changed. */
  advanced(position: Position, tags: ChangedTags | null): void;
  /** Whether this process runs the projections. */
  role(projecting: boolean): void;
  /** Why the projections stand still; null when they continue. */
  failure(failure: ProjectionFailure | null): void;
  /** Which events were passed over since this process began. */
  foreign(foreign: ForeignEvents): void;
  /** The control events that the live read models have read, handed on before they are applied. */
  controlEvents(handed: HandedEvents): void;
}

/** The listener before `start`. */
export const NO_LISTENER: ProjectorListener = {
  advanced: () => {},
  role: () => {},
  failure: () => {},
  foreign: () => {},
  controlEvents: () => {},
};

export interface ProjectorEngine {
  /** The name under which it takes leases. */
  readonly holder: string;
  /** Competes for the projections from now on. */
  start(listener: ProjectorListener): void;
  /** Announces this process to the other nodes from now on. */
  announce(node: NodeDescription): void;
  /** Rebuilds these projections and resolves when they are swapped in; throws RebuildSupersededError. */
  replay(projections: readonly string[], onProgress: (progress: ReplayProgress) => void): Promise<void>;
  /** Finishes the batch under way and releases the lease. */
  stop(): Promise<void>;
}
