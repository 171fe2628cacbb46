/**
 * Consistent reads as of an entry of the log. Rows of later entries, and of earlier ones that are not applied, are
 * replaced by the older rows in their journals. With snapshot reads of the server only commits under way need that.
 * Without them, the view looks for later commits after each read, and takes changed rows from the journal.
 */
import type { ClientSession, Filter } from 'mongodb';
import type { Position } from '../../../foundation/event-store/event-store.js';
import type {
  AnyCollection,
  Collection,
  Document,
  ReadView,
  Scan,
} from '../../../foundation/read-models/read-model-store.js';
import { chunksOf, READ_AT_ONCE } from '../chunks.js';
import type { RowDocument } from './documents.js';
import { compareKeys, indexKey, isInRange, type KeyRange, rangeOf, rangeOfScan } from './index-keys.js';
import { decodeBody, RowTable } from './tables.js';

/** Rows of a table that may have changed since the snapshot, as they were in it: JSON by id; null: there was no row. */
export type Overlay = ReadonlyMap<string, string | null>;

/** What a view reads from. */
export interface ReadSource {
  readonly session: ClientSession | undefined;
  position(projection: string): Promise<Position>;
  /** Null: no generation with documents exists yet. Throws when the collection was not prepared. */
  table(collection: AnyCollection): RowTable | null;
  /** Called before the first use of an index of the table. */
  beforeScan(table: RowTable, index: string): Promise<void>;
  /** Call it after the rows were read. Throws when the snapshot is too old. */
  overlay(table: RowTable): Promise<Overlay>;
}

const NOTHING: Overlay = new Map();
export const noOverlay = async (): Promise<Overlay> => NOTHING;

/** The fields of a row that a read needs. */
type Found = Pick<RowDocument, '_id'> & { readonly r: { readonly b: string } };

export class MongoReadView implements ReadView {
  readonly #source: ReadSource;

  constructor(source: ReadSource) {
    this.#source = source;
  }

  position(projection: string): Promise<Position> {
    return this.#source.position(projection);
  }

  async get<D extends Document>(collection: Collection<D>, id: string): Promise<D | null> {
    const [document] = await this.getMany(collection, [id]);
    return document ?? null;
  }

  async getMany<D extends Document>(
    collection: Collection<D>,
    ids: readonly string[],
  ): Promise<(D | null)[]> {
    const table = this.#source.table(collection);
    if (!table || ids.length === 0) return ids.map(() => null);
    const bodies = new Map<string, string | null>();
    for (const some of chunksOf([...new Set(ids)])) {
      for (const { _id, r } of await this.#find(table, byIds(some))) bodies.set(_id, r.b);
    }
    for (const [id, body] of await this.#source.overlay(table)) bodies.set(id, body);
    return ids.map((id) => {
      const body = bodies.get(id) ?? null;
      return body === null ? null : decodeBody<D>(body);
    });
  }

  async scan<D extends Document>(collection: Collection<D>, scan: Scan<D>): Promise<D[]> {
    const range = rangeOfScan(collection, scan);
    const table = this.#source.table(collection);
    if (!table || !range || scan.limit === 0) return [];
    await this.#source.beforeScan(table, scan.index);
    const limit = scan.limit ?? Number.POSITIVE_INFINITY;
    for (let spare = 0; ; ) {
      const rows = await this.#inRange(table, scan, { range, limit: limit + spare });
      const overlay = await this.#source.overlay(table);
      const kept = rows.filter(({ _id }) => !overlay.has(_id));
      const isEnough = rows.length < limit + spare || kept.length >= limit;
      if (!isEnough) {
        // The overlay removed rows, so later rows may belong to the page.
        spare = overlay.size;
        continue;
      }
      const documents = kept.map(({ r }) => decodeBody<D>(r.b));
      const added = [...overlaid<D>(collection, overlay, scan.index, range)];
      return added.length === 0
        ? documents.slice(0, limit)
        : merged(collection, scan, [...documents, ...added]);
    }
  }

  async count<D extends Document>(
    collection: Collection<D>,
    index: string,
    equals: Partial<D>,
  ): Promise<number> {
    const range = rangeOf(collection, index, equals);
    const table = this.#source.table(collection);
    if (!table || !range) return 0;
    await this.#source.beforeScan(table, index);
    for (let without: readonly string[] = []; ; ) {
      const stored = await this.#count(table, index, { range, without });
      const overlay = await this.#source.overlay(table);
      if (overlay.size > without.length) {
        without = [...overlay.keys()];
        continue;
      }
      return stored + [...overlaid(collection, overlay, index, range)].length;
    }
  }

  async #find(table: RowTable, filter: Filter<RowDocument>): Promise<readonly Found[]> {
    const { session } = this.#source;
    const rows = await table.rows
      .find(filter, session ? { session } : {})
      .project<RowDocument>({ 'r.b': 1 })
      .toArray();
    return rows.filter(isThere);
  }

  async #inRange<D extends Document>(
    { rows, collection }: RowTable,
    { index, descending = false }: Scan<D>,
    { range, limit }: { readonly range: KeyRange; readonly limit: number },
  ): Promise<readonly Found[]> {
    const { session } = this.#source;
    const path = RowTable.path(collection, index);
    const cursor = rows
      .find(inRange(path, range), session ? { session } : {})
      .project<RowDocument>({ 'r.b': 1 })
      .sort({ [path]: descending ? -1 : 1 })
      .batchSize(READ_AT_ONCE);
    const found = await (Number.isFinite(limit) ? cursor.limit(limit) : cursor).toArray();
    return found.filter(isThere);
  }

  #count(
    { rows, collection }: RowTable,
    index: string,
    { range, without }: { readonly range: KeyRange; readonly without: readonly string[] },
  ): Promise<number> {
    const { session } = this.#source;
    const filter = inRange(RowTable.path(collection, index), range);
    const others = without.length === 0 ? filter : { ...filter, _id: { $nin: [...without] } };
    return rows.countDocuments(others, session ? { session } : {});
  }
}

/** A single id has its own form, which every server answers from its index. */
const byIds = (ids: readonly string[]): Filter<RowDocument> => {
  const [only] = ids;
  return ids.length === 1 && only !== undefined ? { _id: only } : { _id: { $in: [...ids] } };
};

const inRange = (path: string, { from, to }: KeyRange): Filter<RowDocument> => ({
  [path]: { $gte: from, $lt: to },
});

const isThere = (row: RowDocument): row is RowDocument & Found => row.r?.b !== undefined;

/** Documents of the overlay in the range. */
function* overlaid<D extends Document>(
  collection: AnyCollection,
  overlay: Overlay,
  index: string,
  range: KeyRange,
): Generator<D> {
  for (const body of overlay.values()) {
    if (body === null) continue;
    const document = decodeBody<D>(body);
    const key = indexKey(collection, index, document);
    if (key !== null && isInRange(key, range)) yield document;
  }
}

const merged = <D extends Document>(
  collection: AnyCollection,
  { index, descending = false, limit }: Scan<D>,
  documents: readonly D[],
): D[] => {
  const keyed = documents.map((document) => ({ document, key: indexKey(collection, index, document) ?? '' }));
  keyed.sort((a, b) => (descending ? -1 : 1) * compareKeys(a.key, b.key));
  return keyed.slice(0, limit).map(({ document }) => document);
};
