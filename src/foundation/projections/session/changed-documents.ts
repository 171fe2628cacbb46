/**
 * Scans of one collection of a session: what the store finds, with the changes that are not in the store yet in their places. The
 * changes are indexed by the leading fields of the indexes that were asked for, because a rebuild has too many to look through for
 * each scan. Ranges that were read whole stay in a bounded cache till a commit changes them, because a person's events read the same
 * range again and again. A collection that was never scanned has none of this.
 */
import { LRUCache } from 'lru-cache';
import type { Position } from '../../event-store/event-store.js';
import { fieldsOfIndex, leadingFields, valuesOf } from '../../read-models/indexes.js';
import type { AnyCollection, Collection, Document, ReadView } from '../../read-models/read-model-store.js';
import type { AscendingScan } from '../projection.js';

/** The last change of a document since a commit. */
export interface Change {
  /** Null: it was removed. */
  readonly document: Document | null;
  readonly at: Position;
  /** The document before the first change; null: there was none; undefined: not known. */
  readonly previous: Document | null | undefined;
}

/** By the id of the document. */
export type Changes = ReadonlyMap<string, Change>;

/** What a session knows of the collection. */
export interface KnownDocuments {
  readonly changes: Changes;
  /** The changes of the commit under way, perhaps not in the store yet. */
  readonly committing: Changes;
  /** False while the store certainly holds no documents: then no read is needed. */
  readonly mayBeStored: boolean;
  /** Changed since something was last asked for. Null: nothing was. */
  unindexed: Document[] | null;
  learn(id: string, document: Document | null): void;
}

export class ChangedDocuments {
  readonly #known: KnownDocuments;
  /** What the store holds of whole ranges. */
  readonly #stored: LRUCache<string, readonly Document[]>;
  /** What was asked for so far. */
  readonly #shapes = new Map<string, Shape>();
  readonly #ids = new Map<string, Set<string>>();

  /** `maxCached`: how many documents of ranges stay in the cache. */
  constructor(known: KnownDocuments, maxCached: number) {
    this.#known = known;
    this.#stored = new LRUCache({
      maxSize: maxCached,
      sizeCalculation: ({ length }) => length + 1,
    });
  }

  /** Call it when the commit under way has landed: what it changed is found in the store. */
  restart(): void {
    if (this.#stored.size > 0) this.#forgetRanges(this.#known.committing);
    this.#ids.clear();
    this.#known.unindexed = documentsIn(this.#known.changes);
  }

  async scan<D extends Document>(
    collection: Collection<D>,
    scan: AscendingScan<D>,
    view: ReadView,
  ): Promise<D[]> {
    const range = rangeOf(collection, scan);
    const unchanged = this.#known.mayBeStored ? await this.#scanUnchanged(collection, scan, range, view) : [];
    const changed = this.#changedIn<D>(range).filter(
      (document) => meets(document, range) && (!scan.after || range.order(document, scan.after) > 0),
    );
    const found = changed.length === 0 ? unchanged : [...unchanged, ...changed].sort(range.order);
    return found.slice(0, scan.limit);
  }

  /** Stored documents that have not changed since: as many as the limit, or a few more. */
  async #scanUnchanged<D extends Document>(
    collection: Collection<D>,
    scan: AscendingScan<D>,
    range: Range,
    view: ReadView,
  ): Promise<D[]> {
    const { limit } = scan;
    if (limit === undefined && scan.after === undefined) {
      const key = keyOf(range.shape, range.values);
      let whole = typedAll<D>(this.#stored.get(key));
      if (!whole) {
        whole = this.#learned(await view.scan(collection, scan));
        this.#stored.set(key, whole);
      }
      return whole.filter(({ id }) => !this.#changeOf(id));
    }
    const found: D[] = [];
    let after = scan.after;
    for (;;) {
      const page = await view.scan(collection, { ...scan, ...(after && { after }) });
      found.push(...this.#learned(page).filter(({ id }) => !this.#changeOf(id)));
      if (limit === undefined || page.length < limit || found.length >= limit) return found;
      after = page.at(-1);
    }
  }

  #learned<D extends Document>(documents: readonly D[]): readonly D[] {
    for (const document of documents)
      if (!this.#changeOf(document.id)) this.#known.learn(document.id, document);
    return documents;
  }

  /** Ranges that hold one of the documents before or after its change. */
  #forgetRanges(changes: Changes): void {
    for (const { document, previous } of changes.values()) {
      if (previous === undefined) {
        // It may have been in any of them.
        this.#stored.clear();
        return;
      }
      for (const listed of [document, previous])
        for (const shape of this.#shapes.values())
          if (listed) this.#stored.delete(keyOf(shape, valuesOf(listed, shape.leading)));
    }
  }

  /** The changed documents that were in the range at some time. */
  #changedIn<D extends Document>(range: Range): D[] {
    return this.#idsIn(range).flatMap((id) => typed<D>(this.#changeOf(id)?.document ?? null) ?? []);
  }

  #changeOf(id: string): Change | undefined {
    const { changes, committing } = this.#known;
    return changes.get(id) ?? committing.get(id);
  }

  /** Ids of the changed documents that were in the range; some may have changed again. */
  #idsIn({ shape, values }: Range): readonly string[] {
    for (const document of this.#known.unindexed ?? [])
      for (const known of this.#shapes.values()) this.#index(document, known);
    this.#known.unindexed = [];
    if (!this.#shapes.has(shape.name)) {
      this.#shapes.set(shape.name, shape);
      const { changes, committing } = this.#known;
      for (const document of [committing, changes].flatMap(documentsIn)) this.#index(document, shape);
    }
    return [...(this.#ids.get(keyOf(shape, values)) ?? [])];
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

const keyOf = ({ name }: Shape, values: Range['values']): string => `${name} ${JSON.stringify(values)}`;

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
const typedAll = <D extends Document>(documents: readonly Document[] | undefined): readonly D[] | undefined =>
  documents as readonly D[] | undefined;
