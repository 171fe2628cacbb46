/**
 * One collection of one generation as its projector sees it: the stored documents, on top the commit under way, on top
 * the changes since. A bounded cache keeps documents, because events touch the same ones (a running round) again soon.
 * Only the generation's own projector writes it, so a cached document stays true until the projector changes it.
 */
import type { Position } from '../../event-store/event-store.js';
import type {
  AnyCollection,
  Collection,
  Document,
  ReadView,
  Write,
} from '../../read-models/read-model-store.js';
import type { AscendingScan } from '../projection.js';
import { ChangeSet } from './change-set.js';
import { type ConditionShape, conditionKey, inOrder, meets, shapeOf } from './conditions.js';
import { RecentMap } from './recent-map.js';
import type { SeenIds } from './seen-ids.js';

/** `document` null: there is none. */
interface Entry {
  readonly document: Document | null;
}

const MAX_REMEMBERED_CONDITIONS = 10_000;

/** Codec: collections hold documents of one type, which the caller's Collection<D> names. */
const typed = <D extends Document>(document: Document | null): D | null => document as D | null;

export class CachedCollection {
  readonly #collection: AnyCollection;
  #changes = new ChangeSet();
  /** The changes of the commit under way, perhaps not in the store yet. */
  #committing = new ChangeSet();
  /** A collection that is only written (a history) is not cached. */
  #isRead = false;
  readonly #known: RecentMap<string, Entry>;
  readonly #shapes = new Map<string, ConditionShape>();
  /** Ids of the documents that met a condition when they were last read; some may not meet it any more. */
  readonly #remembered = new RecentMap<string, Set<string>>(MAX_REMEMBERED_CONDITIONS);

  readonly #seen: SeenIds | null;
  /** False while the store certainly holds no documents: then no read is needed. */
  #mayBeStored: boolean;

  /** `seen`: all ids ever written; null: not known. */
  constructor(collection: AnyCollection, maxCached: number, seen: SeenIds | null) {
    this.#collection = collection;
    this.#seen = seen;
    this.#mayBeStored = seen === null;
    this.#known = new RecentMap(maxCached);
  }

  get changeCount(): number {
    return this.#changes.byId.size;
  }

  /** Undefined: only the store knows. */
  peek<D extends Document>(id: string): D | null | undefined {
    this.#isRead = true;
    const entry = this.#changes.byId.get(id) ?? this.#committing.byId.get(id) ?? this.#known.get(id);
    if (entry !== undefined) return typed<D>(entry.document);
    return this.#isNowhere(id) ? null : undefined;
  }

  /** Caches what the store holds. From then on commits update the cache, so it is never older than the store. */
  learn(id: string, document: Document | null): void {
    this.#isRead = true;
    this.#known.set(id, { document });
  }

  put(document: Document, at: Position): void {
    const previous = this.#beforeChanges(document.id);
    this.#seen?.add(document.id);
    this.#changes.byId.set(document.id, { document, at, previous });
    for (const shape of this.#shapes.values()) {
      const key = this.#changes.index(document, shape);
      if (key !== null) this.#remembered.get(key)?.add(document.id);
    }
  }

  remove(id: string, at: Position): void {
    this.#changes.byId.set(id, { document: null, at, previous: this.#beforeChanges(id) });
  }

  async where<D extends Document>(
    collection: Collection<D>,
    index: string,
    equals: Partial<D>,
    view: ReadView,
  ): Promise<D[]> {
    const shape = this.#shapeOf(index, equals);
    const key = conditionKey(shape, equals);
    const remembered = this.#remembered.get(key);
    const documents = remembered
      ? await this.#recall(collection, remembered, view)
      : await this.#lookUp(collection, { index, equals, key }, view);
    const matching = documents.filter((document) => meets(document, shape, equals));
    if (matching.length !== remembered?.size) {
      this.#remembered.set(key, new Set(matching.map(({ id }) => id)));
    }
    return matching;
  }

  async scan<D extends Document>(
    collection: Collection<D>,
    scan: AscendingScan<D>,
    view: ReadView,
  ): Promise<D[]> {
    const shape = shapeOf(collection, scan.index, scan.equals);
    const order = inOrder(shape);
    const isWanted = (document: D): boolean =>
      meets(document, shape, scan.equals) && (!scan.after || order(document, scan.after) > 0);
    const changed = this.#changed<D>().filter(isWanted);
    const unchanged = await this.#scanUnchanged(collection, scan, view);
    return [...unchanged, ...changed].sort(order).slice(0, scan.limit);
  }

  /** Returns the changes since the last call. Call `markCommitted` when they are in the store, before the next call. */
  takeWrites(): readonly Write[] {
    const writes: Write[] = [];
    const collection = this.#collection;
    if (this.#changes.byId.size > 0) this.#mayBeStored = true;
    for (const [id, { document, at, previous }] of this.#changes.byId) {
      if (document === null) writes.push({ kind: 'remove', collection, id, at });
      else if (previous === undefined) writes.push({ kind: 'put', collection, document, at });
      else writes.push({ kind: 'put', collection, document, previous, at });
    }
    this.#committing = this.#changes;
    this.#changes = new ChangeSet();
    return writes;
  }

  markCommitted(): void {
    if (this.#isRead) {
      for (const [id, { document }] of this.#committing.byId) this.#known.set(id, { document });
    }
    this.#committing = new ChangeSet();
  }

  /** The documents of these ids that exist. */
  async #recall<D extends Document>(
    collection: Collection<D>,
    ids: ReadonlySet<string>,
    view: ReadView,
  ): Promise<D[]> {
    const found: D[] = [];
    const missing: string[] = [];
    for (const id of ids) {
      const document = this.peek<D>(id);
      if (document) found.push(document);
      else if (document === undefined) missing.push(id);
    }
    if (missing.length === 0) return found;
    for (const [at, document] of (await view.getMany(collection, missing)).entries()) {
      const id = missing[at];
      if (id !== undefined) this.learn(id, document);
      if (document) found.push(document);
    }
    return found;
  }

  /** Stored documents that have not changed since: as many as the limit, or a few more. */
  async #scanUnchanged<D extends Document>(
    collection: Collection<D>,
    scan: AscendingScan<D>,
    view: ReadView,
  ): Promise<D[]> {
    const { limit = Number.POSITIVE_INFINITY } = scan;
    const found: D[] = [];
    if (!this.#mayBeStored) return found;
    let after = scan.after;
    for (;;) {
      const page = await view.scan(collection, { ...scan, ...(after && { after }) });
      found.push(...page.filter(({ id }) => !this.#isChanged(id)));
      if (page.length < limit || found.length >= limit) return found;
      after = page.at(-1);
    }
  }

  /** Every changed document that was not removed. */
  #changed<D extends Document>(): D[] {
    const found: D[] = [];
    const note = (document: Document | null): void => {
      const one = typed<D>(document);
      if (one) found.push(one);
    };
    for (const { document } of this.#changes.byId.values()) note(document);
    for (const [id, { document }] of this.#committing.byId) if (!this.#changes.byId.has(id)) note(document);
    return found;
  }

  /** Stored documents that have not changed since, and the changed ones that may meet the condition. */
  async #lookUp<D extends Document>(
    collection: Collection<D>,
    { index, equals, key }: { readonly index: string; readonly equals: Partial<D>; readonly key: string },
    view: ReadView,
  ): Promise<D[]> {
    const found: D[] = [];
    const stored = this.#mayBeStored ? await view.scan(collection, { index, equals }) : [];
    for (const document of stored) {
      if (this.#isChanged(document.id)) continue;
      this.learn(document.id, document);
      found.push(document);
    }
    for (const id of new Set([...this.#committing.idsOf(key), ...this.#changes.idsOf(key)])) {
      const document = this.peek<D>(id);
      if (document) found.push(document);
    }
    return found;
  }

  #isChanged(id: string): boolean {
    return this.#changes.byId.has(id) || this.#committing.byId.has(id);
  }

  /** What the store holds after the commit under way; undefined: not known. */
  #beforeChanges(id: string): Document | null | undefined {
    const change = this.#changes.byId.get(id);
    if (change) return change.previous;
    const known = this.#committing.byId.get(id) ?? this.#known.get(id);
    if (known) return known.document;
    return this.#isNowhere(id) ? null : undefined;
  }

  #isNowhere(id: string): boolean {
    return !this.#mayBeStored || this.#seen?.mayHave(id) === false;
  }

  #shapeOf(index: string, equals: object): ConditionShape {
    const shape = shapeOf(this.#collection, index, equals);
    const known = this.#shapes.get(shape.prefix);
    if (known) return known;
    this.#shapes.set(shape.prefix, shape);
    this.#committing.indexAll(shape);
    this.#changes.indexAll(shape);
    return shape;
  }
}
