/**
 * Lists what the last commits changed, so that nodes that do not project invalidate only the outdated copies. It is a
 * ring of documents, each written in the commit that it describes, so a store needs no further feature. The ring may
 * have gaps: no node followed, the ring wrapped, or a crash split a commit. A follower then takes everything as changed.
 */
import { addLeast, type ChangedTags } from '../../../domain/tags.js';
import type { Position } from '../../event-store/event-store.js';
import type {
  Collection,
  Document,
  ProjectionBatch,
  ReadModelStore,
  Write,
} from '../../read-models/read-model-store.js';
import type { Projection } from '../projection.js';

/** One commit: the ring's checkpoint before and after it. The id is its place in the ring. */
interface ChangeDocument extends Document {
  /** Ascending from commit to commit. */
  readonly number: number;
  readonly from: Position;
  readonly to: Position;
  /** Null: anything may have changed. */
  readonly tags: readonly string[] | null;
  /** For each tag the least value that changed. Missing: an older version wrote it, and each is 0. */
  readonly least?: readonly number[];
}

const changes: Collection<ChangeDocument> = { name: 'changes', indexes: { byNumber: ['number'] } };

/** Holds the ring. It applies no events, but its position moves with every event. */
export const changesProjection: Projection = {
  name: 'changes',
  version: 1,
  collections: [changes],
  eventTypes: [],
  apply: () => undefined,
};

/** How many commits the ring holds: a follower polls 20 times a second, and a commit takes at least 1 ms. */
const RING = 256;
/** A batch with more tags is listed as "anything may have changed". */
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

  /** Continues after the newest entry, which another projector may have written. */
  static async open(store: ReadModelStore): Promise<ChangeLogWriter> {
    return new ChangeLogWriter((await newest(store))?.number ?? 0);
  }

  /** Returns the batches with their changes added to the ring; unchanged when the ring is not in this commit. */
  add(batches: readonly ProjectionBatch[], changed: ChangedTags | null): readonly ProjectionBatch[] {
    const own = batches.find(({ generation }) => generation.projection === changesProjection.name);
    if (!own) return batches;
    this.#number += 1;
    const number = this.#number;
    const listed = changed === null || changed.size > MAX_TAGS ? null : changed;
    const { from, to } = own;
    const document: ChangeDocument = {
      id: String(number % RING),
      number,
      from,
      to,
      tags: listed && [...listed.keys()],
      ...(listed && { least: [...listed.values()] }),
    };
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

  /** Starts at the newest entry. */
  async start(): Promise<void> {
    this.#last = await newest(this.#store);
  }

  /**
   * Returns the tags that changed between two checkpoints of the ring; null: anything may have changed. The caller has
   * seen `to` before. Entries after `to` wait for the next call, because their rows may not be visible yet.
   */
  async between(from: Position, to: Position): Promise<ChangedTags | null> {
    const changed = new Map<string, number>();
    let reached = from;
    let known = true;
    for (const change of await this.#next()) {
      if (change.to > to) break;
      this.#last = change;
      if (change.tags === null || change.from > reached) known = false;
      for (const [at, tag] of (change.tags ?? []).entries()) addLeast(changed, tag, change.least?.[at] ?? 0);
      reached = Math.max(reached, change.to);
    }
    return known && reached === to ? changed : null;
  }

  #next(): Promise<readonly ChangeDocument[]> {
    const after = this.#last;
    return this.#store.snapshot((view) =>
      view.scan(changes, { index: 'byNumber', equals: {}, limit: RING, ...(after && { after }) }),
    );
  }
}
