/**
 * Consistent reads as of an entry of the log. Rows of later entries, and of earlier ones that are not applied, are
 * replaced by the older rows in their journals. With snapshot reads of the server only commits under way need that.
 * Without them, the view looks for later commits after each read, and takes changed rows from the journal.
 */
import type { ClientSession, Filter } from 'mongodb';
import type { Position } from '../../../foundation/event-store/event-store.js';
import { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import {
  areInPlace,
  fieldsOfIndex,
  leadingFields,
  valuesOf,
} from '../../../foundation/read-models/indexes.js';

import type {
  AnyCollection,
  Collection,
  Document,
  ReadView,
  Scan,
} from '../../../foundation/read-models/read-model-store.js';
import { rowsFault } from '../../../foundation/read-models/tally.js';
import { chunksOf, READ_AT_ONCE } from '../chunks.js';
import type { RowDocument } from './documents.js';
import {
  compareKeys,
  indexKey,
  indexName,
  isInRange,
  type KeyRange,
  rangeOf,
  rangeOfScan,
} from './index-keys.js';
import {
  bodyIn,
  decodeBody,
  documentIn,
  placeOfTable,
  READ_FIELDS,
  RowTable,
  type StoredRow,
} from './tables.js';
import type { CollectionTally } from './tallies.js';

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
  /** Its tally in this snapshot, where no row is in the overlay. Null: not known. */
  tally(table: RowTable): CollectionTally | null;
}

const NOTHING: Overlay = new Map();
export const noOverlay = async (): Promise<Overlay> => NOTHING;

/** A row that is no tombstone. */
interface Found {
  readonly id: string;
  readonly body: string;
}

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
      for (const { id, body } of await this.#find(table, byIds(some))) bodies.set(id, body);
    }
    for (const [id, body] of await this.#source.overlay(table)) bodies.set(id, body);
    return ids.map((id) => {
      const body = bodies.get(id) ?? null;
      return body === null ? null : documentIn<D>(table.name, id, body);
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
      const kept = rows.filter(({ id }) => !overlay.has(id));
      const isEnough = rows.length < limit + spare || kept.length >= limit;
      if (!isEnough) {
        // The overlay removed rows, so later rows may belong to the page.
        spare = overlay.size;
        continue;
      }
      const documents = kept.map(({ id, body }) => documentIn<D>(table.name, id, body));
      requireOrder(table, scan, { range, documents });
      if (isOfAll(scan) && overlay.size === 0 && documents.length < limit)
        this.#requireAll(table, scan.index, documents.length);
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
      if (isOfAll({ equals }) && overlay.size === 0) this.#requireAll(table, index, stored);
      return stored + [...overlaid(collection, overlay, index, range)].length;
    }
  }

  async #find(table: RowTable, filter: Filter<RowDocument>): Promise<readonly Found[]> {
    const { session } = this.#source;
    const rows = await table.rows
      .find(filter, session ? { session } : {})
      .project<StoredRow>(READ_FIELDS)
      .toArray();
    return foundIn(table, rows);
  }

  async #inRange<D extends Document>(
    table: RowTable,
    { index, descending = false }: Scan<D>,
    { range, limit }: { readonly range: KeyRange; readonly limit: number },
  ): Promise<readonly Found[]> {
    const { session } = this.#source;
    const path = RowTable.path(table.collection, index);
    const cursor = table.rows
      .find(inRange(path, range), session ? { session } : {})
      .project<StoredRow>(READ_FIELDS)
      .sort({ [path]: descending ? -1 : 1 })
      .batchSize(READ_AT_ONCE);
    const found = await (Number.isFinite(limit) ? cursor.limit(limit) : cursor).toArray();
    return foundIn(table, found);
  }

  #requireAll(table: RowTable, index: string, found: number): void {
    const tally = this.#source.tally(table);
    const written = tally?.listed[indexName(table.collection, index)] ?? 0;
    const fault = tally && rowsFault(written, found);
    if (fault) throw damagedIndex(table, index, fault);
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

const foundIn = ({ name }: RowTable, rows: readonly StoredRow[]): readonly Found[] =>
  rows.flatMap((row) => {
    const body = bodyIn(name, row);
    return body === null ? [] : { id: row._id, body };
  });

const isOfAll = ({ equals, after }: Pick<Scan<Document>, 'equals' | 'after'>): boolean =>
  after === undefined && Object.values(equals).every((value) => value === undefined);

/** A key of a row that is damaged leads to it in another place. */
const requireOrder = <D extends Document>(
  table: RowTable,
  { index, equals, descending = false }: Scan<D>,
  { range, documents }: { readonly range: KeyRange; readonly documents: readonly D[] },
): void => {
  const { collection } = table;
  const leading = leadingFields(collection, index, equals);
  const rest = fieldsOfIndex(collection, index).slice(leading.length);
  const isInPlace = areInPlace(documents, { leading, values: valuesOf(equals, leading), rest, descending });
  const ends = [documents.at(0), documents.at(-1)].flatMap((document) => document ?? []);
  const areWithin = ends.every((document) => {
    const key = indexKey(collection, index, document);
    return key !== null && isInRange(key, range);
  });
  if (!isInPlace || !areWithin) throw damagedIndex(table, index, 'it lists a document in another place');
};

const damagedIndex = ({ name, generation }: RowTable, index: string, reason: string) =>
  new DamagedGenerationError({
    generation,
    place: `${placeOfTable(name)}, index ${index}`,
    reason,
    extent: 'generation',
  });

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
