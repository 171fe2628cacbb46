/**
 * One collection of one generation as its projector sees it: the stored documents, on top the commit under way, on top
 * the changes since. A bounded cache keeps documents, because events touch the same ones (a running round) again soon.
 * Only the generation's own projector writes it, so a cached document stays true until the projector changes it.
 */
import { LRUCache } from 'lru-cache';
import type { Position } from '../../event-store/event-store.js';
import { fieldsOfIndex, leadingFields, valuesOf } from '../../read-models/indexes.js';
import type {
  AnyCollection,
  Collection,
  Document,
  ReadView,
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

type Changes = Map<string, Change>;

export class CachedCollection {
  readonly #collection: AnyCollection;
  readonly #maxCached: number;
  /** All ids ever written; null: not known. */
  readonly #seen: SeenIds | null;
  /** False while the store certainly holds no documents: then no read is needed. */
  #mayBeStored: boolean;
  #changes: Changes = new Map();
  /** The changes of the commit under way, perhaps not in the store yet. */
  #committing: Changes = new Map();
  /** Finds the changed documents. */
  readonly #index = new ChangeIndex();
  /** What the store holds. Null while the collection is only written: a history needs no cache. */
  #known: LRUCache<string, Entry> | null = null;

  /** `seen`: all ids ever written; null: not known. */
  constructor(collection: AnyCollection, maxCached: number, seen: SeenIds | null) {
    this.#collection = collection;
    this.#maxCached = maxCached;
    this.#seen = seen;
    this.#mayBeStored = seen === null;
  }

  get changeCount(): number {
    return this.#changes.size;
  }

  /** Undefined: only the store knows. */
  peek<D extends Document>(id: string): D | null | undefined {
    const known = this.#cache();
    const entry = this.#changes.get(id) ?? this.#committing.get(id) ?? known.get(id);
    if (entry !== undefined) return typed<D>(entry.document);
    return this.#isNowhere(id) ? null : undefined;
  }

  /** Reads what is not known at once. */
  async prefetch(collection: Collection<Document>, ids: readonly string[], view: ReadView): Promise<void> {
    const missing = ids.filter((id) => this.peek(id) === undefined);
    if (missing.length === 0) return;
    const read = await view.getMany(collection, missing);
    for (const [at, id] of missing.entries()) this.learn(id, read[at] ?? null);
  }

  /** Caches what the store holds. From then on commits update the cache, so it is never older than the store. */
  learn(id: string, document: Document | null): void {
    this.#cache().set(id, { document });
  }

  put(document: Document, at: Position): void {
    const previous = this.#beforeChanges(document.id);
    this.#seen?.add(document.id);
    this.#changes.set(document.id, { document, at, previous });
    this.#index.add(document);
  }

  remove(id: string, at: Position): void {
    this.#changes.set(id, { document: null, at, previous: this.#beforeChanges(id) });
  }

  async scan<D extends Document>(
    collection: Collection<D>,
    scan: AscendingScan<D>,
    view: ReadView,
  ): Promise<D[]> {
    const range = rangeOf(collection, scan);
    const unchanged = this.#mayBeStored ? await this.#scanUnchanged(collection, scan, view) : [];
    const changed = this.#changedIn<D>(range).filter(
      (document) => meets(document, range) && (!scan.after || range.order(document, scan.after) > 0),
    );
    const found = changed.length === 0 ? unchanged : [...unchanged, ...changed].sort(range.order);
    return found.slice(0, scan.limit);
  }

  /** Returns the changes since the last call. Call `markCommitted` when they are in the store, before the next call. */
  takeWrites(): readonly Write[] {
    const writes: Write[] = [];
    const collection = this.#collection;
    if (this.#changes.size > 0) this.#mayBeStored = true;
    for (const [id, { document, at, previous }] of this.#changes) {
      const known = previous === undefined ? {} : { previous };
      if (document === null) writes.push({ kind: 'remove', collection, id, at, ...known });
      else writes.push({ kind: 'put', collection, document, at, ...known });
    }
    this.#committing = this.#changes;
    this.#changes = new Map();
    return writes;
  }

  markCommitted(): void {
    for (const [id, { document }] of this.#committing) this.#known?.set(id, { document });
    this.#committing = new Map();
    this.#index.restart(this.#changes);
  }

  /** Stored documents that have not changed since: as many as the limit, or a few more. */
  async #scanUnchanged<D extends Document>(
    collection: Collection<D>,
    scan: AscendingScan<D>,
    view: ReadView,
  ): Promise<D[]> {
    const { limit = Number.POSITIVE_INFINITY } = scan;
    const found: D[] = [];
    let after = scan.after;
    for (;;) {
      const page = await view.scan(collection, { ...scan, ...(after && { after }) });
      for (const document of page) {
        if (this.#changes.has(document.id) || this.#committing.has(document.id)) continue;
        this.learn(document.id, document);
        found.push(document);
      }
      if (page.length < limit || found.length >= limit) return found;
      after = page.at(-1);
    }
  }

  /** The changed documents that were in the range at some time. */
  #changedIn<D extends Document>(range: Range): D[] {
    const ids = this.#index.idsIn(range, this.#committing, this.#changes);
    return ids.flatMap((id) => this.peek<D>(id) ?? []);
  }

  /** What the store holds after the commit under way; undefined: not known. */
  #beforeChanges(id: string): Document | null | undefined {
    const change = this.#changes.get(id);
    if (change) return change.previous;
    const known = this.#committing.get(id) ?? this.#known?.get(id);
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
}

/** Finds changed documents by the leading fields of an index. A rebuild has too many to look through for each scan. */
class ChangeIndex {
  /** What was asked for so far. */
  readonly #shapes = new Map<string, Shape>();
  readonly #ids = new Map<string, Set<string>>();
  /** Changed since something was last asked for. */
  #unindexed: Document[] = [];

  add(document: Document): void {
    if (this.#shapes.size > 0) this.#unindexed.push(document);
  }

  /** Ids of the changed documents that were in the range; some may have changed again. */
  idsIn({ shape, values }: Range, ...changed: readonly Changes[]): readonly string[] {
    for (const document of this.#unindexed)
      for (const known of this.#shapes.values()) this.#index(document, known);
    this.#unindexed = [];
    if (!this.#shapes.has(shape.name)) {
      this.#shapes.set(shape.name, shape);
      for (const document of changed.flatMap(documentsIn)) this.#index(document, shape);
    }
    return [...(this.#ids.get(keyOf(shape, values)) ?? [])];
  }

  /** Forgets all other changes. */
  restart(changes: Changes): void {
    this.#ids.clear();
    this.#unindexed = this.#shapes.size > 0 ? documentsIn(changes) : [];
  }

  #index(document: Document, shape: Shape): void {
    const key = keyOf(shape, valuesOf(document, shape.leading));
    const ids = this.#ids.get(key);
    if (ids) ids.add(document.id);
    else this.#ids.set(key, new Set([document.id]));
  }
}

const documentsIn = (changes: Changes): Document[] =>
  [...changes.values()].flatMap(({ document }) => document ?? []);

// --- ranges of an index -----------------------------------------------------------------------------------------------

interface Shape {
  readonly name: string;
  /** The fields of the index that have one value in the range. */
  readonly leading: readonly string[];
}

interface Range {
  readonly shape: Shape;
  readonly fields: readonly string[];
  /** Of the leading fields. */
  readonly values: ReturnType<typeof valuesOf>;
  readonly order: (a: Document, b: Document) => number;
}

const rangeOf = (collection: AnyCollection, { index, equals }: AscendingScan<Document>): Range => {
  const leading = leadingFields(collection, index, equals);
  const fields = fieldsOfIndex(collection, index);
  const shape = { name: `${index}/${leading.length}`, leading };
  return { shape, fields, values: valuesOf(equals, leading), order: inOrder([...fields, 'id']) };
};

/** Other values may have the same key: `meets` tells them apart. */
const keyOf = ({ name }: Shape, values: Range['values']): string => `${name} ${values.join(' ')}`;

/** A null in any field of the index keeps a document out. */
const meets = (document: Document, { fields, values }: Range): boolean =>
  valuesOf(document, fields).every(
    (value, at) => value !== null && (at >= values.length || value === values[at]),
  );

/** Texts by code units, which for ASCII is the order of their bytes. */
const inOrder = (fields: readonly string[]): Range['order'] => {
  return (a, b) => {
    const [of, to] = [valuesOf(a, fields), valuesOf(b, fields)];
    const at = of.findIndex((value, place) => value !== to[place]);
    if (at < 0) return 0;
    return (of[at] ?? '') < (to[at] ?? '') ? -1 : 1;
  };
};

/** Codec: collections hold documents of one type, which the caller's Collection<D> names. */
const typed = <D extends Document>(document: Document | null): D | null => document as D | null;
