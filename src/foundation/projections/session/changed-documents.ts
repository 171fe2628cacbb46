/**
 * Scans of one collection of a session: what the store finds, with the changes that are not in the store yet in their places. The
 * changes are indexed by the leading fields of the indexes that were asked for, because a rebuild has too many to look through for
 * each scan. A collection that was never scanned has none of this.
 */
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
  /** What was asked for so far. */
  readonly #shapes = new Map<string, Shape>();
  readonly #ids = new Map<string, Set<string>>();

  constructor(known: KnownDocuments) {
    this.#known = known;
  }

  /** Call it after a commit: what has landed is found in the store. */
  restart(): void {
    this.#ids.clear();
    this.#known.unindexed = documentsIn(this.#known.changes);
  }

  async scan<D extends Document>(
    collection: Collection<D>,
    scan: AscendingScan<D>,
    view: ReadView,
  ): Promise<D[]> {
    const range = rangeOf(collection, scan);
    const unchanged = this.#known.mayBeStored ? await this.#scanUnchanged(collection, scan, view) : [];
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
    view: ReadView,
  ): Promise<D[]> {
    const { limit = Number.POSITIVE_INFINITY } = scan;
    const found: D[] = [];
    let after = scan.after;
    for (;;) {
      const page = await view.scan(collection, { ...scan, ...(after && { after }) });
      for (const document of page) {
        if (this.#changeOf(document.id)) continue;
        this.#known.learn(document.id, document);
        found.push(document);
      }
      if (page.length < limit || found.length >= limit) return found;
      after = page.at(-1);
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
