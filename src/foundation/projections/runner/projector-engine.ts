/** What does the projecting for a process: a ProjectorHost, which a ProjectorThread keeps in a thread of its own. */
import type { Position } from '../../event-store/event-store.js';
import type { NodeDescription } from './nodes.js';
import type { ReplayProgress } from './rebuild.js';

export interface ProjectorListener {
  /** Everything up to the position is visible to readers. `tags` null: anything may have changed. */
  advanced(position: Position, tags: ReadonlySet<string> | null): void;
  /** Whether this process runs the projections. */
  role(projecting: boolean): void;
  /** Why the projections cannot go on for now; null when they go on. */
  failure(reason: string | null): void;
}

/** Before anybody listens. */
export const NO_LISTENER: ProjectorListener = { advanced: () => {}, role: () => {}, failure: () => {} };

export interface ProjectorEngine {
  start(listener: ProjectorListener): void;
  /** From now on the other processes find this one among the nodes. */
  announce(node: NodeDescription): void;
  /** Rebuilds these projections and resolves when they are swapped in; throws RebuildSupersededError. */
  replay(projections: readonly string[], onProgress: (progress: ReplayProgress) => void): Promise<void>;
  /** Finishes the batch under way and gives the lease back. */
  stop(): Promise<void>;
}
