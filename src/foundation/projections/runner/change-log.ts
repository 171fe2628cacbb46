/**
 * What the last commits have changed, for the nodes that do not project: with it they retire the copies that are out
 * of date and no others. It is a ring of documents that land with the commits they tell of, so it needs nothing of a
 * store that read models do not need anyway. It may have gaps (nobody followed, the ring went round, a commit was cut
 * in two by a crash): a follower that finds one takes everything as changed, so a gap costs work and never truth.
 */
import type { Position } from '../../event-store/event-store.js';
import type {
  Collection,
  Document,
  ProjectionBatch,
  ReadModelStore,
  Write,
} from '../../read-models/read-model-store.js';
import type { Projection } from '../projection.js';

/** One commit, by the ring's own checkpoint before it and after it. Its id is its place in the ring. */
interface ChangeDocument extends Document {
  /** Ascending from commit to commit. */
  readonly number: number;
  readonly from: Position;
  readonly to: Position;
  /** Null: anything may have changed. */
  readonly tags: readonly string[] | null;
}

const changes: Collection<ChangeDocument> = { name: 'changes', indexes: { byNumber: ['number'] } };

/** Holds the ring; no event says anything to it, but it moves with all of them. */
export const changesProjection: Projection = {
  name: 'changes',
  version: 1,
  collections: [changes],
  eventTypes: [],
  apply: () => undefined,
};

/** Commits that are kept: a follower looks twenty times a second, and a commit takes a millisecond at least. */
const RING = 256;
/** A batch that touches more is told as "anything". */
const MAX_TAGS = 5_000;

const newest = async (store: ReadModelStore): Promise<ChangeDocument | null> => {
  const [last] = await store.snapshot((view) =>
    view.scan(changes, { index: 'byNumber', equals: {}, descending: true, limit: 1 }),
  );
  return last ?? null;
};

/** The projector's side. */
export class ChangeLogWriter {
  #number: number;

  private constructor(last: number) {
    this.#number = last;
  }

  /** Goes on behind what another projector has written. */
  static async open(store: ReadModelStore): Promise<ChangeLogWriter> {
    return new ChangeLogWriter((await newest(store))?.number ?? 0);
  }

  /** The batches, with what they change among them; as they are where the ring is not in this commit. */
  add(batches: readonly ProjectionBatch[], tags: ReadonlySet<string> | null): readonly ProjectionBatch[] {
    const own = batches.find(({ generation }) => generation.projection === changesProjection.name);
    if (!own) return batches;
    this.#number += 1;
    const number = this.#number;
    const listedTags = tags === null || tags.size > MAX_TAGS ? null : [...tags];
    const { from, to } = own;
    const document: ChangeDocument = { id: String(number % RING), number, from, to, tags: listedTags };
    const write: Write = { kind: 'put', collection: changes, document, at: to };
    return batches.map((batch) => (batch === own ? { ...own, writes: [...own.writes, write] } : batch));
  }
}

/** A follower's side. */
export class ChangeLogReader {
  readonly #store: ReadModelStore;
  #last: ChangeDocument | null = null;

  constructor(store: ReadModelStore) {
    this.#store = store;
  }

  /** Begins at the end of what is there now. */
  async start(): Promise<void> {
    this.#last = await newest(this.#store);
  }

  /**
   * What has changed between two checkpoints of the ring, the latter of which was seen before this is asked. Null:
   * anything may have. What lies beyond `to` is left for the next time: its rows may not have landed yet.
   */
  async between(from: Position, to: Position): Promise<ReadonlySet<string> | null> {
    const tags = new Set<string>();
    let reached = from;
    let known = true;
    for (const change of await this.#next()) {
      if (change.to > to) break;
      this.#last = change;
      if (change.tags === null || change.from > reached) known = false;
      for (const tag of change.tags ?? []) tags.add(tag);
      reached = Math.max(reached, change.to);
    }
    return known && reached === to ? tags : null;
  }

  #next(): Promise<readonly ChangeDocument[]> {
    const after = this.#last;
    return this.#store.snapshot((view) =>
      view.scan(changes, { index: 'byNumber', equals: {}, limit: RING, ...(after && { after }) }),
    );
  }
}
