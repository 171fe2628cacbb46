/**
 * The read side as queries and caches see it in this process: consistent snapshots, waiting for a position, and word
 * of what has changed. Implemented by src/foundation/projections/projector.ts, wherever the projections run.
 */
import type { Position } from '../event-store/event-store.js';
import type { ReadView } from '../read-models/read-model-store.js';

/** Published on the EventBus after a batch has become visible to readers. */
export class ReadModelsAdvanced {
  constructor(
    /** All read models have come at least this far. */
    readonly position: Position,
    /** What has changed (src/competition/tags.ts). Null: unknown, everything may have (a gap, a swap, a start). */
    readonly tags: ReadonlySet<string> | null,
  ) {}
}

export interface ReadModels {
  /** All read models have come at least this far. */
  readonly position: Position;
  snapshot<T>(read: (view: ReadView) => Promise<T>): Promise<T>;
  /** True as soon as the read models have come that far, false after `timeoutMs`. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
}

/** Injection token of the ReadModels. */
export const READ_MODELS = Symbol('ReadModels');
