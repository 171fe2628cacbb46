/**
 * Applies events to one generation of one projection and returns the batch to commit. The projection reads and writes
 * through a session: the stored documents, on top the commit under way, on top the changes since. Nothing reaches the store
 * before `take`, and each document is written once, in its last state. No one else writes, so a cached document stays true.
 */
import { LRUCache } from 'lru-cache';
import { groupedBy } from '../../../domain/grouped-by.js';
import type { Position } from '../../event-store/event-store.js';
import type {
  AnyCollection,
  Collection,
  Document,
  Generation,
  ProjectionBatch,
  ReadModelStore,
  ReadView,
  Write,
} from '../../read-models/read-model-store.js';
import type { AscendingScan, ProjectedEvent, Projection, ProjectionSession, Tags } from '../projection.js';
import { type Change, ChangedDocuments, type KnownDocuments } from './changed-documents.js';
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

/** What one call of `touch` was given. */
type Touched = readonly [tags: Tags, from: number];

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
      await this.#reading(() => this.#applyAll(condensed));
    }
    this.#applied = to;
  }

  /** Runs the projection's `finalize` before the first reader. Its writes belong to the last applied position. */
  async finalize(): Promise<void> {
    const session = this.#session;
    if (!session.finalizes) return;
    session.at = this.#applied;
    await this.#reading(async () => this.projection.finalize?.(session));
    session.finalizes = false;
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

  #reading(work: () => Promise<void>): Promise<void> {
    return this.#store.viewOf(this.generation, (view) => this.#session.reading(view, work));
  }

  async #applyAll(events: readonly ProjectedEvent[]): Promise<void> {
    const session = this.#session;
    const wanted = this.#store.isRemote ? this.projection.prefetch?.(events) : null;
    if (wanted) await session.prefetch(wanted);
    for (const event of events) {
      session.at = event.position;
      // Awaiting only promises saves a microtask for each event.
      const pending = this.projection.apply(event, session);
      if (pending) await pending;
    }
  }
}

/** Reads come from its changes, its cache or the store. */
export class GenerationSession implements ProjectionSession {
  readonly keepsTags: boolean;
  finalizes: boolean;
  /** The position of the event whose writes come next. */
  at: Position = 0;
  readonly #maxCached: number;
  /** Ids ever put into any collection; null: not known. */
  readonly #seen: SeenIds | null;
  readonly #collections = new Map<string, SessionCollection>();
  #touched: Touched[] = [];
  #view: ReadView | null = null;

  constructor({ maxCached, keepsTags, finalizes, expectedIds }: SessionOptions) {
    this.keepsTags = keepsTags;
    this.#maxCached = maxCached;
    this.finalizes = finalizes;
    this.#seen = expectedIds === null ? null : new SeenIds(expectedIds);
  }

  async reading(view: ReadView, work: () => Promise<void>): Promise<void> {
    this.#view = view;
    await work().finally(() => {
      this.#view = null;
    });
  }

  async prefetch(wanted: ReturnType<NonNullable<Projection['prefetch']>>): Promise<void> {
    const missing = wanted.filter(({ collection, id }) => this.#of(collection).peek(id) === undefined);
    for (const [collection, group] of groupedBy(missing, (one) => one.collection)) {
      const ids = [...new Set(group.map(({ id }) => id))];
      const read = await this.#reader().getMany(untyped(collection), ids);
      for (const [at, id] of ids.entries()) this.#of(collection).learn(id, read[at] ?? null);
    }
  }

  /** A known document needs no async function: nearly every read of an event is one. */
  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | null> {
    const known = this.#of(collection).peek(id);
    return known === undefined ? this.#load(collection, id) : Promise.resolve(typed<D>(known));
  }

  async #load<D extends Document>(collection: Collection<D>, id: string): Promise<D | null> {
    const document = await this.#reader().get(collection, id);
    this.#of(collection).learn(id, document);
    return document;
  }

  scan<D extends Document>(collection: Collection<D>, scan: AscendingScan<D>): Promise<D[]> {
    const known = this.#of(collection);
    known.scans ??= new ChangedDocuments(known, this.#maxCached);
    return known.scans.scan(collection, scan, this.#reader());
  }

  put<D extends Document>(collection: Collection<D>, document: D): void {
    this.#of(collection).change(document.id, document, this.at);
  }

  remove<D extends Document>(collection: Collection<D>, id: string): void {
    this.#of(collection).change(id, null, this.at);
  }

  touch(tags: Tags, from = 0): void {
    if (this.keepsTags) this.#touched.push([tags, from]);
  }

  get changeCount(): number {
    return [...this.#collections.values()].reduce((sum, { changes }) => sum + changes.size, 0);
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

  #of(collection: AnyCollection): SessionCollection {
    let known = this.#collections.get(collection.name);
    if (!known) {
      known = new SessionCollection(collection, this.#maxCached, this.#seen);
      this.#collections.set(collection.name, known);
    }
    return known;
  }

  #reader(): ReadView {
    if (!this.#view) throw new Error('a projection may read only while it applies an event');
    return this.#view;
  }
}

/** What a session knows of one collection. A bounded cache keeps documents, because events touch the same ones again soon. */
class SessionCollection implements KnownDocuments {
  /** What the store holds. Null while the collection is only written: a history needs no cache. */
  #stored: LRUCache<string, Pick<Change, 'document'>> | null = null;
  scans: ChangedDocuments | null = null;
  unindexed: Document[] | null = null;
  mayBeStored: boolean;
  changes = new Map<string, Change>();
  committing = new Map<string, Change>();

  constructor(
    private readonly collection: AnyCollection,
    private readonly maxCached: number,
    private readonly seen: SeenIds | null,
  ) {
    this.mayBeStored = seen === null;
  }

  /** Undefined: only the store knows. */
  peek(id: string): Document | null | undefined {
    const known = this.changes.get(id) ?? this.committing.get(id) ?? this.#cache().get(id);
    return known ? known.document : this.#absent(id);
  }

  /** Caches what the store holds. From then on commits update the cache, so it is never older than the store. */
  learn(id: string, document: Document | null): void {
    this.#cache().set(id, { document });
  }

  /** `document` null: it is removed. */
  change(id: string, document: Document | null, at: Position): void {
    this.changes.set(id, { document, at, previous: this.#beforeChanges(id) });
    if (document === null) return;
    this.seen?.add(id);
    this.unindexed?.push(document);
  }

  takeWrites(): readonly Write[] {
    if (this.changes.size > 0) this.mayBeStored = true;
    const { collection } = this;
    const writes = [...this.changes].map(([id, { document, at, previous }]): Write => {
      const known = previous === undefined ? {} : { previous };
      if (document === null) return { kind: 'remove', collection, id, at, ...known };
      return { kind: 'put', collection, document, at, ...known };
    });
    this.committing = this.changes;
    this.changes = new Map();
    return writes;
  }

  markCommitted(): void {
    for (const [id, { document }] of this.committing) this.#stored?.set(id, { document });
    this.scans?.restart();
    this.committing = new Map();
  }

  /** What the store holds after the commit under way; undefined: not known. */
  #beforeChanges(id: string): Document | null | undefined {
    const change = this.changes.get(id);
    if (change) return change.previous;
    const known = this.committing.get(id) ?? this.#stored?.get(id);
    return known ? known.document : this.#absent(id);
  }

  #cache(): LRUCache<string, Pick<Change, 'document'>> {
    this.#stored ??= new LRUCache({ max: this.maxCached });
    return this.#stored;
  }

  /** Null: no such document is anywhere. Undefined: not known. */
  #absent(id: string): null | undefined {
    return !this.mayBeStored || this.seen?.mayHave(id) === false ? null : undefined;
  }
}

/** Codec: prefetching does not depend on the type of the documents. */
const untyped = (collection: AnyCollection): Collection<Document> => collection as Collection<Document>;

/** Codec: collections hold documents of one type, which the caller's Collection<D> names. */
const typed = <D extends Document>(document: Document | null): D | null => document as D | null;
