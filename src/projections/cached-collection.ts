/**
 * One collection of one generation as its projector sees it: what the store holds, what has been written since the
 * last commit on top of it, and a bounded memory of both, because the documents that events touch (the round that is
 * running, its results) are the ones touched again a moment later. Only the generation's own projector writes it, so
 * what was read once stays true until the projector itself changes it.
 */
import type { Position } from '../eventstore/event-store.js';
import type {
  AnyCollection,
  Collection,
  Document,
  ReadView,
  Scalar,
  Write,
} from '../readmodel/read-model-store.js';
import { RecentMap } from './recent-map.js';

/** `document` null: there is none. */
interface Entry {
  readonly document: Document | null;
}

interface Change extends Entry {
  readonly at: Position;
  /** What is stored, if that is known. */
  readonly previous: Document | null | undefined;
}

/** A way in which documents were asked for: the leading fields of an index. */
interface Shape {
  readonly prefix: string;
  readonly given: readonly string[];
  /** All fields of the index: a null in any of them keeps a document out. */
  readonly fields: readonly string[];
}

const MOST_REMEMBERED_CONDITIONS = 10_000;

/** Codec: collections hold documents of one type, which the caller's Collection<D> names. */
const typed = <D extends Document>(document: Document | null): D | null => document as D | null;

const fieldOf = (holder: object, field: string): Scalar | undefined =>
  (holder as Readonly<Record<string, Scalar | undefined>>)[field];

export class CachedCollection {
  readonly #collection: AnyCollection;
  readonly #changes = new Map<string, Change>();
  /** A collection that is only written (a history) is not worth remembering. */
  #isRead = false;
  readonly #known: RecentMap<string, Entry>;
  readonly #shapes = new Map<string, Shape>();
  /** Ids of the documents that met a condition when they were last seen; some may have ceased to. */
  readonly #remembered = new RecentMap<string, Set<string>>(MOST_REMEMBERED_CONDITIONS);
  /** The same for uncommitted documents, for conditions that are not remembered yet. */
  readonly #changedIds = new Map<string, Set<string>>();

  constructor(collection: AnyCollection, mostKnown: number) {
    this.#collection = collection;
    this.#known = new RecentMap(mostKnown);
  }

  get changeCount(): number {
    return this.#changes.size;
  }

  /** Undefined: not known without asking the store. */
  peek<D extends Document>(id: string): D | null | undefined {
    this.#isRead = true;
    const entry = this.#changes.get(id) ?? this.#known.get(id);
    return entry === undefined ? undefined : typed<D>(entry.document);
  }

  learn(id: string, document: Document | null): void {
    this.#known.set(id, { document });
  }

  put(document: Document, at: Position): void {
    const previous = this.#stored(document.id);
    this.#changes.set(document.id, { document, at, previous });
    for (const shape of this.#shapes.values()) this.#index(document, shape);
  }

  remove(id: string, at: Position): void {
    this.#changes.set(id, { document: null, at, previous: this.#stored(id) });
  }

  async where<D extends Document>(
    collection: Collection<D>,
    index: string,
    equals: Partial<D>,
    view: ReadView,
  ): Promise<D[]> {
    const shape = this.#shapeOf(index, equals);
    const key = keyOf(shape, equals);
    let ids = this.#remembered.get(key);
    if (!ids) {
      const stored = await view.scan(collection, { index, equals });
      for (const document of stored) if (!this.#changes.has(document.id)) this.learn(document.id, document);
      ids = new Set(stored.map(({ id }) => id));
      for (const id of this.#changedIds.get(key) ?? []) ids.add(id);
      this.#remembered.set(key, ids);
    }
    await this.#load(collection, ids, view);
    return this.#matching<D>(ids, shape, equals);
  }

  async #load<D extends Document>(
    collection: Collection<D>,
    ids: Set<string>,
    view: ReadView,
  ): Promise<void> {
    const missing = [...ids].filter((id) => this.peek(id) === undefined);
    if (missing.length === 0) return;
    const documents = await view.getMany(collection, missing);
    for (const [at, id] of missing.entries()) this.learn(id, documents[at] ?? null);
  }

  #matching<D extends Document>(ids: Set<string>, shape: Shape, equals: Partial<D>): D[] {
    const documents: D[] = [];
    for (const id of ids) {
      const document = this.peek<D>(id);
      if (document && meets(document, shape, equals)) documents.push(document);
      else ids.delete(id);
    }
    return documents;
  }

  /** What has changed since the last time; from here on it counts as stored. */
  takeWrites(writes: Write[]): void {
    const collection = this.#collection;
    for (const [id, { document, at, previous }] of this.#changes) {
      if (this.#isRead) this.#known.set(id, { document });
      if (document === null) writes.push({ kind: 'remove', collection, id, at });
      else if (previous === undefined) writes.push({ kind: 'put', collection, document, at });
      else writes.push({ kind: 'put', collection, document, previous, at });
    }
    this.#changes.clear();
    this.#changedIds.clear();
  }

  #stored(id: string): Document | null | undefined {
    const change = this.#changes.get(id);
    return change ? change.previous : this.#known.get(id)?.document;
  }

  #shapeOf(index: string, equals: object): Shape {
    const fields = this.#collection.indexes[index];
    if (!fields) throw new Error(`collection ${this.#collection.name} has no index ${index}`);
    const given = fields.filter((field) => fieldOf(equals, field) !== undefined);
    const prefix = `${index}/${given.length}`;
    let shape = this.#shapes.get(prefix);
    if (!shape) {
      shape = { prefix, given, fields };
      this.#shapes.set(prefix, shape);
      for (const { document } of this.#changes.values()) if (document) this.#index(document, shape);
    }
    return shape;
  }

  #index(document: Document, shape: Shape): void {
    if (shape.fields.some((field) => (fieldOf(document, field) ?? null) === null)) return;
    const key = keyOf(shape, document);
    this.#remembered.get(key)?.add(document.id);
    const changed = this.#changedIds.get(key);
    if (changed) changed.add(document.id);
    else this.#changedIds.set(key, new Set([document.id]));
  }
}

const keyOf = ({ prefix, given }: Shape, holder: object): string => {
  let key = prefix;
  for (const field of given) {
    const value = fieldOf(holder, field);
    key += typeof value === 'number' ? `\u0000n${value}` : `\u0000s${value}`;
  }
  return key;
};

const meets = (document: Document, { given, fields }: Shape, equals: object): boolean =>
  given.every((field) => fieldOf(document, field) === fieldOf(equals, field)) &&
  fields.every((field) => (fieldOf(document, field) ?? null) !== null);
