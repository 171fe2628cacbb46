/**
 * One collection of one generation as its projector sees it: the stored documents, on top the commit under way, on top
 * the changes since. A bounded cache keeps documents, because events touch the same ones (a running round) again soon.
 * Only the generation's own projector writes it, so a cached document stays true until the projector changes it.
 */
import { LRUCache } from 'lru-cache';
import type { Position } from '../../event-store/event-store.js';
import { fieldsOfIndex, leadingFields } from '../../read-models/indexes.js';
import type {
  AnyCollection,
  Collection,
  Document,
  ReadView,
  Scalar,
  Write,
} from '../../read-models/read-model-store.js';
import type { AscendingScan } from '../projection.js';
import type { SeenIds } from './seen-ids.js';

/** `document` null: there is none. */
interface Entry {
  readonly document: Document | null;
}

interface Change extends Entry {
  readonly at: Position;
  /** The document before the first change; null: there was none; undefined: not known. */
  readonly previous: Document | null | undefined;
}

const MAX_REMEMBERED_CONDITIONS = 10_000;

export class CachedCollection {
  readonly #collection: AnyCollection;
  readonly #maxCached: number;
  /** All ids ever written; null: not known. */
  readonly #seen: SeenIds | null;
  /** False while the store certainly holds no documents: then no read is needed. */
  #mayBeStored: boolean;
  #changes = new ChangeSet();
  /** The changes of the commit under way, perhaps not in the store yet. */
  #committing = new ChangeSet();
  /** What the store holds. Null while the collection is only written: a history needs no cache. */
  #known: LRUCache<string, Entry> | null = null;
  /** The kinds of conditions asked for so far. */
  readonly #shapes = new Map<string, ConditionShape>();
  /** Ids of the documents that met a condition when they were last read; some may not meet it any more. */
  #remembered: LRUCache<string, Set<string>> | null = null;

  /** `seen`: all ids ever written; null: not known. */
  constructor(collection: AnyCollection, maxCached: number, seen: SeenIds | null) {
    this.#collection = collection;
    this.#maxCached = maxCached;
    this.#seen = seen;
    this.#mayBeStored = seen === null;
  }

  get changeCount(): number {
    return this.#changes.byId.size;
  }

  /** Undefined: only the store knows. */
  peek<D extends Document>(id: string): D | null | undefined {
    const known = this.#cache();
    const entry = this.#changes.byId.get(id) ?? this.#committing.byId.get(id) ?? known.get(id);
    if (entry !== undefined) return typed<D>(entry.document);
    return this.#isNowhere(id) ? null : undefined;
  }

  /** Caches what the store holds. From then on commits update the cache, so it is never older than the store. */
  learn(id: string, document: Document | null): void {
    this.#cache().set(id, { document });
  }

  put(document: Document, at: Position): void {
    const previous = this.#beforeChanges(document.id);
    this.#seen?.add(document.id);
    this.#changes.byId.set(document.id, { document, at, previous });
    for (const shape of this.#shapes.values()) {
      const key = this.#changes.index(document, shape);
      if (key !== null) this.#remembered?.get(key)?.add(document.id);
    }
  }

  remove(id: string, at: Position): void {
    this.#changes.byId.set(id, { document: null, at, previous: this.#beforeChanges(id) });
  }

  /** The documents of these ids, in their order. Reads at once those that are not known. */
  async getMany<D extends Document>(
    collection: Collection<D>,
    ids: readonly string[],
    view: ReadView,
  ): Promise<(D | null)[]> {
    const known = ids.map((id) => this.peek<D>(id));
    const missing = ids.filter((_, at) => known[at] === undefined);
    const read = missing.length === 0 ? [] : await view.getMany(collection, missing);
    for (const [at, id] of missing.entries()) this.learn(id, read[at] ?? null);
    const rest = read.values();
    return known.map((document) => (document === undefined ? (rest.next().value ?? null) : document));
  }

  async where<D extends Document>(
    collection: Collection<D>,
    index: string,
    equals: Partial<D>,
    view: ReadView,
  ): Promise<D[]> {
    const shape = this.#shapeOf(index, equals);
    const key = conditionKey(shape, equals);
    this.#remembered ??= new LRUCache({ max: MAX_REMEMBERED_CONDITIONS });
    const remembered = this.#remembered.get(key);
    const documents = remembered
      ? await this.getMany(collection, [...remembered], view)
      : await this.#lookUp(collection, { index, equals, key }, view);
    const matching = documents.flatMap((document) =>
      document && meets(document, shape, equals) ? document : [],
    );
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
      const known = previous === undefined ? {} : { previous };
      if (document === null) writes.push({ kind: 'remove', collection, id, at, ...known });
      else writes.push({ kind: 'put', collection, document, at, ...known });
    }
    this.#committing = this.#changes;
    this.#changes = new ChangeSet();
    return writes;
  }

  markCommitted(): void {
    for (const [id, { document }] of this.#committing.byId) this.#known?.set(id, { document });
    this.#committing = new ChangeSet();
  }

  /** Stored documents that have not changed since, and the changed ones that may meet the condition. */
  async #lookUp<D extends Document>(
    collection: Collection<D>,
    { index, equals, key }: { readonly index: string; readonly equals: Partial<D>; readonly key: string },
    view: ReadView,
  ): Promise<(D | null)[]> {
    const stored = this.#mayBeStored ? await view.scan(collection, { index, equals }) : [];
    const unchanged = stored.filter(({ id }) => !this.#isChanged(id));
    for (const document of unchanged) this.learn(document.id, document);
    const changed = new Set([...this.#committing.idsOf(key), ...this.#changes.idsOf(key)]);
    return [...unchanged, ...[...changed].map((id) => this.peek<D>(id) ?? null)];
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
    const changed = new Map([...this.#committing.byId, ...this.#changes.byId]);
    return [...changed.values()].flatMap(({ document }) => typed<D>(document) ?? []);
  }

  #isChanged(id: string): boolean {
    return this.#changes.byId.has(id) || this.#committing.byId.has(id);
  }

  /** What the store holds after the commit under way; undefined: not known. */
  #beforeChanges(id: string): Document | null | undefined {
    const change = this.#changes.byId.get(id);
    if (change) return change.previous;
    const known = this.#committing.byId.get(id) ?? this.#known?.get(id);
    if (known) return known.document;
    return this.#isNowhere(id) ? null : undefined;
  }

  #isNowhere(id: string): boolean {
    return !this.#mayBeStored || this.#seen?.mayHave(id) === false;
  }

  #cache(): LRUCache<string, Entry> {
    this.#known ??= new LRUCache({ max: this.#maxCached });
    return this.#known;
  }

  #shapeOf(index: string, equals: object): ConditionShape {
    const shape = shapeOf(this.#collection, index, equals);
    if (this.#shapes.has(shape.prefix)) return shape;
    this.#shapes.set(shape.prefix, shape);
    this.#committing.indexAll(shape);
    this.#changes.indexAll(shape);
    return shape;
  }
}

/** Changed documents, with an index of the conditions that they met when they were changed. */
class ChangeSet {
  readonly byId = new Map<string, Change>();
  readonly #ids = new Map<string, Set<string>>();

  /** Ids of the documents that met the condition when they were changed; some may have changed again. */
  idsOf(key: string): Iterable<string> {
    return this.#ids.get(key) ?? [];
  }

  /** Indexes the document under the condition of this shape. Returns its key; null: the index leaves it out. */
  index(document: Document, shape: ConditionShape): string | null {
    if (!isIndexed(document, shape)) return null;
    const key = conditionKey(shape, document);
    const ids = this.#ids.get(key);
    if (ids) ids.add(document.id);
    else this.#ids.set(key, new Set([document.id]));
    return key;
  }

  indexAll(shape: ConditionShape): void {
    for (const { document } of this.byId.values()) if (document) this.index(document, shape);
  }
}

// --- conditions: values of the leading fields of an index -----------------------------------------------------------

/** Conditions on the same fields. */
interface ConditionShape {
  readonly prefix: string;
  readonly given: readonly string[];
  /** All fields of the index: a null in any of them keeps a document out. */
  readonly fields: readonly string[];
}

const shapeOf = (collection: AnyCollection, index: string, equals: object): ConditionShape => {
  const given = leadingFields(collection, index, equals);
  return { prefix: `${index}/${given.length}`, given, fields: fieldsOfIndex(collection, index) };
};

/** The key of a condition. Every document that meets it has the same key, so changed documents are found without a scan. */
const conditionKey = ({ prefix, given }: ConditionShape, holder: object): string => {
  let key = prefix;
  for (const field of given) {
    const value = fieldOf(holder, field);
    key += typeof value === 'number' ? `\u0000n${value}` : `\u0000s${value}`;
  }
  return key;
};

const isIndexed = (document: Document, { fields }: ConditionShape): boolean =>
  fields.every((field) => fieldOf(document, field) !== null);

const meets = (document: Document, shape: ConditionShape, equals: object): boolean =>
  shape.given.every((field) => fieldOf(document, field) === fieldOf(equals, field)) &&
  isIndexed(document, shape);

/** The order of the index: by its fields, then by id; text by code units, which for ASCII is the order of its bytes. */
const inOrder = ({ fields }: ConditionShape) => {
  const compared = [...fields, 'id'];
  return (a: Document, b: Document): number => {
    const field = compared.find((one) => fieldOf(a, one) !== fieldOf(b, one));
    if (field === undefined) return 0;
    return (fieldOf(a, field) ?? '') < (fieldOf(b, field) ?? '') ? -1 : 1;
  };
};

/** Codec: an indexed field of a document or a condition. */
const fieldOf = (holder: object, field: string): Scalar =>
  (holder as Readonly<Record<string, Scalar | undefined>>)[field] ?? null;

/** Codec: collections hold documents of one type, which the caller's Collection<D> names. */
const typed = <D extends Document>(document: Document | null): D | null => document as D | null;
