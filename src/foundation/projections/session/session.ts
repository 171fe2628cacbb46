/**
 * The session through which a projection reads and writes one generation. It sees its own writes at once, and reads the
 * rest from the cache or the store. Nothing reaches the store before `take`, and each document is written once, in its
 * last state.
 */
import type { Position } from '../../event-store/event-store.js';
import type { AnyCollection, Collection, Document, ReadView } from '../../read-models/read-model-store.js';
import type { AscendingScan, ProjectionSession } from '../projection.js';
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

export class GenerationSession implements ProjectionSession {
  readonly #options: SessionOptions;
  /** Ids ever put into any collection; null: not known. */
  readonly #seen: SeenIds | null;
  readonly #collections = new Map<string, CachedCollection>();
  #tags = new Set<string>();
  #finalizes: boolean;
  #view: ReadView | null = null;
  #at: Position = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#finalizes = options.finalizes;
    this.#seen = options.expectedIds === null ? null : new SeenIds(options.expectedIds);
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
    const tags: ReadonlySet<string> = this.#tags;
    this.#tags = new Set();
    return { writes, tags };
  }

  markCommitted(): void {
    for (const collection of this.#collections.values()) collection.markCommitted();
  }

  async prefetch(
    wanted: readonly { readonly collection: AnyCollection; readonly id: string }[],
  ): Promise<void> {
    const missing = new Map<AnyCollection, Set<string>>();
    for (const { collection, id } of wanted) {
      if (this.#cached(collection).peek(id) !== undefined) continue;
      const ids = missing.get(collection) ?? new Set();
      missing.set(collection, ids.add(id));
    }
    for (const [collection, ids] of missing) {
      const list = [...ids];
      const documents = await this.#reader().getMany(untyped(collection), list);
      for (const [index, id] of list.entries()) this.#cached(collection).learn(id, documents[index] ?? null);
    }
  }

  /** A cached document needs no async function: nearly every read of an event is one. */
  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | null> {
    const cached = this.#cached(collection);
    const known = cached.peek<D>(id);
    return known === undefined ? this.#load(collection, id, cached) : Promise.resolve(known);
  }

  where<D extends Document>(collection: Collection<D>, index: string, equals: Partial<D>): Promise<D[]> {
    return this.#cached(collection).where(collection, index, equals, this.#reader());
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

  get keepsTags(): boolean {
    return this.#options.keepsTags;
  }

  get finalizes(): boolean {
    return this.#finalizes;
  }

  touch(tag: string): void {
    if (this.#options.keepsTags) this.#tags.add(tag);
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
      cached = new CachedCollection(collection, this.#options.maxCached, this.#seen);
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
