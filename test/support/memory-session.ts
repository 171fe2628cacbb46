/**
 * Read models in memory: what projections write through the session is read back through views and snapshots, with
 * the index rules of the port (nulls are in no index, order by fields then id), so that projections, lists and
 * queries can be tested as tables without a store.
 */
import { addLeast, type ChangedTags } from '../../src/domain/tags.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
  Tags,
} from '../../src/foundation/projections/projection.js';
import type { ReadModels } from '../../src/foundation/projections/read-models.js';
import type {
  AnyCollection,
  Collection,
  Document,
  ReadView,
  Scalar,
  Scan,
} from '../../src/foundation/read-models/read-model-store.js';

const fieldOf = (holder: object, field: string): Scalar => {
  const value: unknown = Reflect.get(holder, field);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
};

const compareScalars = (a: Scalar, b: Scalar): number => {
  if (a === b || a === null || b === null) return 0;
  return a < b ? -1 : 1;
};

export class MemorySession implements ProjectionSession, ReadView {
  /** Since the last `takeTags`. */
  #tags = new Map<string, number>();
  /** How many documents were written or removed. */
  writes = 0;
  readonly #collections = new Map<string, Map<string, Document>>();

  async apply(projections: readonly Projection[], events: readonly ProjectedEvent[]): Promise<void> {
    for (const event of events) {
      for (const projection of projections) {
        if (projection.eventTypes.includes(event.type)) await projection.apply(event, this);
      }
    }
  }

  takeTags(): ChangedTags {
    const tags = this.#tags;
    this.#tags = new Map();
    return tags;
  }

  /** All documents by id, as one value to compare. */
  all<D extends Document>(collection: Collection<D>): readonly D[] {
    return [...this.#documents<D>(collection).values()].sort((a, b) => compareScalars(a.id, b.id));
  }

  // --- the session ---

  put<D extends Document>(collection: Collection<D>, document: D): void {
    this.writes += 1;
    this.#documents(collection).set(document.id, document);
  }

  remove<D extends Document>(collection: Collection<D>, id: string): void {
    this.writes += 1;
    this.#documents(collection).delete(id);
  }

  readonly keepsTags = true;
  finalizes = false;

  touch(tags: Tags, from = 0): void {
    for (const tag of [typeof tags === 'function' ? tags() : tags].flat()) addLeast(this.#tags, tag, from);
  }

  // --- the view ---

  async get<D extends Document>(collection: Collection<D>, id: string): Promise<D | null> {
    return this.#documents<D>(collection).get(id) ?? null;
  }

  async getMany<D extends Document>(
    collection: Collection<D>,
    ids: readonly string[],
  ): Promise<(D | null)[]> {
    return ids.map((id) => this.#documents<D>(collection).get(id) ?? null);
  }

  async scan<D extends Document>(
    collection: Collection<D>,
    { index, equals, after, limit = Number.POSITIVE_INFINITY, descending = false }: Scan<D>,
  ): Promise<D[]> {
    const fields = collection.indexes[index];
    if (!fields) throw new Error(`collection ${collection.name} has no index ${index}`);
    const given = Object.keys(equals);
    if (fields.slice(0, given.length).some((field) => !given.includes(field))) {
      throw new Error(`${given.join(', ')} do not lead index ${index} of ${collection.name}`);
    }
    const order = [...fields, 'id'];
    const compare = (a: D, b: D): number => {
      for (const field of order) {
        const sign = compareScalars(fieldOf(a, field), fieldOf(b, field));
        if (sign !== 0) return descending ? -sign : sign;
      }
      return 0;
    };
    return [...this.#documents<D>(collection).values()]
      .filter((document) => fields.every((field) => fieldOf(document, field) !== null))
      .filter((document) => given.every((field) => fieldOf(document, field) === fieldOf(equals, field)))
      .filter((document) => after === undefined || compare(document, after) > 0)
      .sort(compare)
      .slice(0, limit);
  }

  async count<D extends Document>(
    collection: Collection<D>,
    index: string,
    equals: Partial<D>,
  ): Promise<number> {
    return (await this.scan(collection, { index, equals })).length;
  }

  async position(): Promise<number> {
    return 0;
  }

  // --- the read models ---

  readonly readModels: ReadModels = {
    position: 0,
    snapshot: (read) => read(this),
    waitFor: async () => true,
  };

  /** Codec: a collection holds documents of one type, which the caller's Collection<D> names. */
  #documents<D extends Document>({ name }: AnyCollection): Map<string, D> {
    let documents = this.#collections.get(name);
    if (!documents) {
      documents = new Map();
      this.#collections.set(name, documents);
    }
    return documents as Map<string, Document> as Map<string, D>;
  }
}
