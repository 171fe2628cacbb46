/**
 * The read side for the queries and caches of this process: consistent snapshots, waits for a position, and
 * notifications of changes. src/foundation/projections/projector.ts implements it, whichever process projects.
 */
import type { ChangedTags } from '../../domain/tags.js';
import type { Position } from '../event-store/event-store.js';
import type { ReadView } from '../read-models/read-model-store.js';

/** Published on the EventBus after a batch has become visible to readers. */
export class ReadModelsAdvanced {
  constructor(
    /** Every read model shows at least this position. */
    readonly position: Position,
    /** The changed tags (src/domain/tags.ts). Null: anything may have changed (a gap, a swap, a start). */
    readonly tags: ChangedTags | null,
  ) {}
}

export interface ReadModels {
  /** Every read model shows at least this position. */
  readonly position: Position;
  /** Runs `read` on one consistent snapshot. Example: `snapshot((view) => view.get(rounds, id))`. */
  snapshot<T>(read: (view: ReadView) => Promise<T>): Promise<T>;
  /** Resolves to true when the position is visible, to false after `timeoutMs`. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
}

/** Injection token of the ReadModels. */
export const READ_MODELS = Symbol('ReadModels');
