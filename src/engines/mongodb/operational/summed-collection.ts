/**
 * A collection whose documents have a checksum of their place and content. A document is held to it whenever it is read. A
 * change reads the document, and replaces it only while it is as it was read; so every change is one atomic change of one
 * document, and content and checksum always land together.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Collection, FindOptions, Sort } from 'mongodb';
import { type Damage, StoreDamagedError } from '../../../foundation/integrity/damage.js';
import type { DamageListener } from '../../../foundation/integrity/damage-log.js';
import { OperationalUnavailableError } from '../../../foundation/operational/operational-store.js';
import { chunksOf } from '../chunks.js';
import { contentSum } from '../content-sum.js';
import { isDuplicateKey, type MongoConnection } from '../mongo-connection.js';
import type { DocumentId, Inventory } from './inventory.js';
import type { OlderCode } from './older-code.js';

/** Attempts against other writers of one document. In each round one of them succeeds. */
const MAX_ATTEMPTS = 50;
const MAX_WAIT_MS = 20;

export interface Identified {
  readonly _id: DocumentId;
}

/** A document as it is stored. */
export interface StoredDocument extends Identified {
  /** Absent: older code wrote it. */
  readonly sum?: number;
  readonly [field: string]: unknown;
}

export type DocumentFilter = Readonly<Record<string, unknown>>;

export interface SummedParts {
  readonly connection: MongoConnection;
  readonly older: Pick<OlderCode, 'mayHaveWritten'>;
  readonly inventory: Inventory;
  readonly onDamage: DamageListener;
}

export interface SummedOptions {
  /** A field that the checksum leaves out. */
  readonly unsummed?: string;
  /** Whether a document that is lost is noticed. Default: true. */
  readonly isListed?: boolean;
}

export class SummedCollection<D extends Identified> {
  readonly name: string;
  readonly isListed: boolean;
  readonly #parts: SummedParts;
  readonly #unsummed: string | undefined;
  readonly #documents: Collection<StoredDocument>;

  constructor(parts: SummedParts, name: string, { unsummed, isListed = true }: SummedOptions = {}) {
    this.#parts = parts;
    this.name = name;
    this.#unsummed = unsummed;
    this.isListed = isListed;
    this.#documents = parts.connection.db.collection<StoredDocument>(name);
  }

  /** For what needs no checksum: indexes, counts, ids. */
  get raw(): Collection<StoredDocument> {
    return this.#documents;
  }

  /** Throws StoreDamagedError. */
  async find(
    filter: DocumentFilter,
    { sort, limit = 0, ...options }: { sort?: Sort; limit?: number } & FindOptions = {},
  ): Promise<readonly D[]> {
    const cursor = this.#documents.find(filter, options).limit(limit);
    const found = await (sort === undefined ? cursor : cursor.sort(sort)).toArray();
    return Promise.all(found.map((stored) => this.#whole(stored)));
  }

  /** Null when there is none. Throws StoreDamagedError. */
  async findOne(filter: DocumentFilter): Promise<D | null> {
    const stored = await this.#documents.findOne(filter);
    return stored && this.#whole(stored);
  }

  /** By id, those of these that are there. Null: it is damaged. */
  async known(ids: readonly DocumentId[]): Promise<ReadonlyMap<DocumentId, D | null>> {
    const found = new Map<DocumentId, D | null>();
    for (const some of chunksOf(ids)) {
      for (const stored of await this.#documents.find({ _id: { $in: some } }).toArray())
        found.set(stored._id, (await this.#isWhole(stored)) ? this.#typed(stored) : null);
    }
    return found;
  }

  /** Throws the driver's error when a unique index refuses it. */
  async insert(document: D): Promise<void> {
    await this.#documents.insertOne(this.summed(document));
  }

  /** Inserts each that no unique index refuses. Throws the driver's error with the others. */
  async insertMany(documents: readonly D[]): Promise<void> {
    await this.#documents.insertMany(
      documents.map((document) => this.summed(document)),
      { ordered: false },
    );
  }

  /** Inserts or replaces it, whatever was there. */
  async put(document: D): Promise<void> {
    await this.#documents.replaceOne({ _id: document._id }, this.summed(document), { upsert: true });
  }

  /**
   * Replaces the document that meets the filter. `next` returns the one to store in its place; null: leave it. Returns the stored
   * one; null when there is none, or it was left. Throws StoreDamagedError; with `damagedToo`, a damaged document is changed and
   * stays damaged.
   */
  async change(
    filter: DocumentFilter,
    next: (document: D) => D | null,
    { damagedToo = false }: { readonly damagedToo?: boolean } = {},
  ): Promise<D | null> {
    return this.#attempts(async () => {
      const stored = await this.#documents.findOne(filter);
      if (!stored) return { done: null };
      const isWhole = await this.#isWhole(stored);
      const before = isWhole || damagedToo ? this.#typed(stored) : this.#refuse(stored);
      const after = next(before);
      if (after === null) return { done: null };
      const replacement = isWhole ? this.summed(after) : { ...this.summed(after), sum: stored.sum };
      const { matchedCount } = await this.#documents.replaceOne(asRead(stored), replacement);
      return matchedCount === 0 ? null : { done: after };
    });
  }

  /** Replaces the document of this id, or inserts it where there is none (`next` gets null). Returns the stored one. */
  async upsert(id: DocumentId, next: (document: D | null) => D): Promise<D> {
    return this.#attempts(async () => {
      const changed = await this.change({ _id: id }, next);
      if (changed) return { done: changed };
      const document = next(null);
      try {
        await this.insert(document);
        return { done: document };
      } catch (error) {
        if (isDuplicateKey(error)) return null;
        throw error;
      }
    });
  }

  /** Removes the document of this id and returns it; null when there is none. Of several callers one gets it. Not for listed ones. */
  async take(id: DocumentId): Promise<D | null> {
    const stored = await this.#documents.findOneAndDelete({ _id: id }, { includeResultMetadata: false });
    return stored && this.#whole(stored);
  }

  /** Removes the documents that meet the filter, whether they are damaged or not. */
  async remove(filter: DocumentFilter): Promise<void> {
    if (!this.isListed) {
      await this.#documents.deleteMany(filter);
      return;
    }
    const ids = await this.#ids(filter);
    const { inventory } = this.#parts;
    await inventory.remove(this.name, ids);
    await this.#documents.deleteMany(filter);
    await inventory.remove(this.name, ids);
  }

  /** Removes the documents with ids below this one. */
  async removeBefore(id: DocumentId): Promise<void> {
    const { inventory } = this.#parts;
    await inventory.removeBefore(this.name, id);
    await this.#documents.deleteMany({ _id: { $lt: id } });
    await inventory.removeBefore(this.name, id);
  }

  /** Removes all documents but these. */
  async removeOthers(ids: readonly DocumentId[]): Promise<void> {
    const { inventory } = this.#parts;
    await inventory.removeOthers(this.name, ids);
    await this.#documents.deleteMany({ _id: { $nin: [...ids] } });
    await inventory.removeOthers(this.name, ids);
  }

  /** With its checksum. */
  summed(document: Identified): StoredDocument {
    return { ...document, sum: this.#sumOf(document) };
  }

  fits(stored: StoredDocument): boolean {
    return stored.sum === this.#sumOf(stored);
  }

  /** Codec: documents of this collection are written by code that knows their type. */
  #typed({ sum: _, ...document }: StoredDocument): D {
    return document as unknown as D;
  }

  async #whole(stored: StoredDocument): Promise<D> {
    return (await this.#isWhole(stored)) ? this.#typed(stored) : this.#refuse(stored);
  }

  async #isWhole(stored: StoredDocument): Promise<boolean> {
    return stored.sum === undefined || this.fits(stored) || (await this.#parts.older.mayHaveWritten());
  }

  #refuse({ _id }: StoredDocument): never {
    const damage = documentDamage(this.name, _id, 'its checksum does not fit its content');
    this.#parts.onDamage(damage);
    throw new StoreDamagedError(damage);
  }

  #sumOf(document: Identified): number {
    const { sum: _, ...content }: StoredDocument = { ...document };
    const summed = this.#unsummed === undefined ? content : { ...content, [this.#unsummed]: undefined };
    return contentSum({ in: this.name, content: summed });
  }

  /** With the id that the filter names: that document may be lost. */
  async #ids(filter: DocumentFilter): Promise<readonly DocumentId[]> {
    const found = await this.#documents.find(filter).project<Identified>({ _id: 1 }).toArray();
    const { _id: id } = filter;
    const ids = found.map(({ _id }) => _id);
    return typeof id === 'string' || typeof id === 'number' ? [...ids, id] : ids;
  }

  /** `attempt` returns null on a conflict with another writer. */
  async #attempts<T>(attempt: () => Promise<{ readonly done: T } | null>): Promise<T> {
    for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
      const result = await attempt();
      if (result) return result.done;
      await pause(Math.random() * MAX_WAIT_MS);
    }
    throw new OperationalUnavailableError(`other writers keep changing a document of ${this.name}`, {});
  }
}

export const documentDamage = (collection: string, id: DocumentId, reason: string): Damage => ({
  store: 'operational',
  place: `${collection}, document ${id}`,
  reason,
});

/** Met by the document while no field of it has changed, not even by code that keeps no checksum. */
export const asRead = (stored: StoredDocument): DocumentFilter => ({ ...stored });
