/**
 * Applies events to one generation of one projection and returns the batch to commit. The projection reads and writes
 * through a session, which sees its own writes at once. Nothing reaches the store before `take`, and each document is
 * written once, in its last state.
 */
import type { Position } from '../../event-store/event-store.js';
import type {
  AnyCollection,
  Collection,
  Document,
  Generation,
  ProjectionBatch,
  ReadModelStore,
  ReadView,
} from '../../read-models/read-model-store.js';
import type { AscendingScan, ProjectedEvent, Projection, ProjectionSession, Tags } from '../projection.js';
import { CachedCollection } from './cached-collection.js';
import { SeenIds } from './seen-ids.js';

export interface SessionOptions {
  /** How many documents of a collection stay in the cache between batches. */
  readonly maxCached: number;
  /** Whether tags of changes are kept. Not for a generation that is building, because no reader has a copy of it. */
  readonly keepsTags: boolean;
  /** Whether `finalize` runs before the first reader. */
  readonly finalizes: boolean;
  /** For an empty generation: about how many documents it will get. Null: it may hold documents already. */
  readonly expectedIds: number | null;
}

export interface GenerationWriterOptions extends SessionOptions {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly store: ReadModelStore;
}

/** The arguments of a call of `touch`. */
interface Touched {
  readonly tags: Tags;
  readonly from: number;
}

export interface TakenBatch {
  readonly batch: ProjectionBatch;
  readonly touched: readonly Touched[];
}

export class GenerationWriter {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly #store: ReadModelStore;
  readonly #session: GenerationSession;
  #committed: Position;
  #applied: Position;

  constructor({ projection, generation, store, ...session }: GenerationWriterOptions) {
    this.projection = projection;
    this.generation = generation;
    this.#store = store;
    this.#session = new GenerationSession(session);
    this.#committed = generation.position;
    this.#applied = generation.position;
  }

  /** The position up to which events are applied, committed or not. */
  get position(): Position {
    return this.#applied;
  }

  get changeCount(): number {
    return this.#session.changeCount;
  }

  /** Applies the events that were not applied before, up to `to`. All that the projection handles up to there are among them. */
  async apply(events: readonly ProjectedEvent[], to: Position): Promise<void> {
    if (to <= this.#applied) return;
    const fresh = events.filter(({ position }) => position > this.#applied && position <= to);
    if (fresh.length > 0) {
      const condensed = this.projection.condense?.(fresh) ?? fresh;
      await this.#store.viewOf(this.generation, (view) =>
        this.#session.reading(view, () => this.#applyAll(condensed)),
      );
    }
    this.#applied = to;
  }

  /** Runs the projection's `finalize` before the first reader. Its writes belong to the last applied position. */
  async finalize(): Promise<void> {
    const session = this.#session;
    if (!session.finalizes) return;
    session.at(this.#applied);
    await this.#store.viewOf(this.generation, (view) =>
      session.reading(view, async () => this.projection.finalize?.(session)),
    );
    session.settled();
  }

  /**
   * Returns the batch to commit and what names the tags that it invalidates; null when the position has not moved. More events may
   * be applied during the commit. Call `markCommitted` after it, before the next call.
   */
  take(): TakenBatch | null {
    if (this.#applied === this.#committed) return null;
    const { writes, touched } = this.#session.take();
    const batch = { generation: this.generation, from: this.#committed, to: this.#applied, writes };
    this.#committed = this.#applied;
    return { batch, touched };
  }

  markCommitted(): void {
    this.#session.markCommitted();
  }

  async #applyAll(events: readonly ProjectedEvent[]): Promise<void> {
    const session = this.#session;
    if (this.#store.isRemote && this.projection.prefetch) {
      await session.prefetch(this.projection.prefetch(events));
    }
    for (const event of events) {
      session.at(event.position);
      // Awaiting only promises saves a microtask for each event.
      const pending = this.projection.apply(event, session);
      if (pending) await pending;
    }
  }
}

/** The session of one generation. Reads come from its changes, its cache or the store. */
export class GenerationSession implements ProjectionSession {
  readonly keepsTags: boolean;
  readonly #maxCached: number;
  /** Ids ever put into any collection; null: not known. */
  readonly #seen: SeenIds | null;
  readonly #collections = new Map<string, CachedCollection>();
  #touched: Touched[] = [];
  #finalizes: boolean;
  #view: ReadView | null = null;
  #at: Position = 0;

  constructor({ maxCached, keepsTags, finalizes, expectedIds }: SessionOptions) {
    this.keepsTags = keepsTags;
    this.#maxCached = maxCached;
    this.#finalizes = finalizes;
    this.#seen = expectedIds === null ? null : new SeenIds(expectedIds);
  }

  /** Lets `work` read the generation through the view. */
  async reading(view: ReadView, work: () => Promise<void>): Promise<void> {
    this.#view = view;
    try {
      await work();
    } finally {
      this.#view = null;
    }
  }

  /** The position of the event whose writes come next. */
  at(position: Position): void {
    this.#at = position;
  }

  /** From now on `apply` may leave nothing to `finalize`. */
  settled(): void {
    this.#finalizes = false;
  }

  get changeCount(): number {
    let count = 0;
    for (const collection of this.#collections.values()) count += collection.changeCount;
    return count;
  }

  /** Returns the changes since the last call. Call `markCommitted` when they are in the store, before the next call. */
  take() {
    const writes = [...this.#collections.values()].flatMap((collection) => collection.takeWrites());
    const touched: readonly Touched[] = this.#touched;
    this.#touched = [];
    return { writes, touched };
  }

  markCommitted(): void {
    for (const collection of this.#collections.values()) collection.markCommitted();
  }

  async prefetch(
    wanted: readonly { readonly collection: AnyCollection; readonly id: string }[],
  ): Promise<void> {
    const ids = new Map<AnyCollection, Set<string>>();
    for (const { collection, id } of wanted) {
      ids.set(collection, (ids.get(collection) ?? new Set<string>()).add(id));
    }
    for (const [collection, unique] of ids) {
      await this.#cached(collection).prefetch(untyped(collection), [...unique], this.#reader());
    }
  }

  /** A cached document needs no async function: nearly every read of an event is one. */
  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | null> {
    const cached = this.#cached(collection);
    const known = cached.peek<D>(id);
    return known === undefined ? this.#load(collection, id, cached) : Promise.resolve(known);
  }

  scan<D extends Document>(collection: Collection<D>, scan: AscendingScan<D>): Promise<D[]> {
    return this.#cached(collection).scan(collection, scan, this.#reader());
  }

  put<D extends Document>(collection: Collection<D>, document: D): void {
    this.#cached(collection).put(document, this.#at);
  }

  remove<D extends Document>(collection: Collection<D>, id: string): void {
    this.#cached(collection).remove(id, this.#at);
  }

  get finalizes(): boolean {
    return this.#finalizes;
  }

  touch(tags: Tags, from = 0): void {
    if (this.keepsTags) this.#touched.push({ tags, from });
  }

  async #load<D extends Document>(
    collection: Collection<D>,
    id: string,
    cached: CachedCollection,
  ): Promise<D | null> {
    const document = await this.#reader().get(collection, id);
    cached.learn(id, document);
    return document;
  }

  #cached(collection: AnyCollection): CachedCollection {
    let cached = this.#collections.get(collection.name);
    if (!cached) {
      cached = new CachedCollection(collection, this.#maxCached, this.#seen);
      this.#collections.set(collection.name, cached);
    }
    return cached;
  }

  #reader(): ReadView {
    if (!this.#view) throw new Error('a projection may read only while it applies an event');
    return this.#view;
  }
}

/** Codec: prefetching does not depend on the type of the documents. */
const untyped = (collection: AnyCollection): Collection<Document> => collection as Collection<Document>;
