/**
 * Which documents there are: an entry for each, so that one that is lost is noticed. A scrub makes the entries, and the process that removes
 * a document removes its entry before and after. So after a crash an entry may be missing, and the next scrub makes it
 * again; an entry without its document is a loss.
 */
import type { Collection } from 'mongodb';
import { chunksOf } from '../chunks.js';
import { duplicateIndexes, type MongoConnection } from '../mongo-connection.js';

export type DocumentId = string | number;

interface EntryDocument {
  /** The collection, `/`, and the document's id. */
  readonly _id: string;
  readonly id: DocumentId;
}

export class Inventory {
  readonly #entries: Collection<EntryDocument>;

  constructor({ db }: MongoConnection) {
    this.#entries = db.collection<EntryDocument>('inventory');
  }

  /** Returns the ids that had no entry. */
  async add(collection: string, ids: readonly DocumentId[]): Promise<readonly DocumentId[]> {
    const known = new Set(await this.present(collection, ids));
    const added = ids.filter((id) => !known.has(id));
    if (added.length === 0) return [];
    try {
      const entries = added.map((id) => ({ _id: entryId(collection, id), id }));
      await this.#entries.insertMany(entries, { ordered: false });
    } catch (error) {
      // Another node scrubs, too.
      if (duplicateIndexes(error) === null) throw error;
    }
    return added;
  }

  async remove(collection: string, ids: readonly DocumentId[]): Promise<void> {
    for (const some of chunksOf(ids))
      await this.#entries.deleteMany({ _id: { $in: some.map((id) => entryId(collection, id)) } });
  }

  /** Of ids below this one. */
  async removeBefore(collection: string, id: DocumentId): Promise<void> {
    await this.#entries.deleteMany({ _id: { $gte: entryId(collection, ''), $lt: entryId(collection, id) } });
  }

  /** Of all ids but these. */
  async removeOthers(collection: string, ids: readonly DocumentId[]): Promise<void> {
    const kept = ids.map((id) => entryId(collection, id));
    await this.#entries.deleteMany({ _id: { ...rangeOf(collection), $nin: kept } });
  }

  /** The ids of these that have an entry. */
  async present(collection: string, ids: readonly DocumentId[]): Promise<readonly DocumentId[]> {
    if (ids.length === 0) return [];
    const entries = ids.map((id) => entryId(collection, id));
    return (await this.#entries.find({ _id: { $in: entries } }).toArray()).map(({ id }) => id);
  }

  /** The ids of a collection, `limit` at a time. */
  async *pages(collection: string, limit: number): AsyncIterable<readonly DocumentId[]> {
    for (let after = ''; ; ) {
      const page = await this.#entries
        .find({ _id: { ...rangeOf(collection), $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      const last = page.at(-1);
      if (!last) return;
      yield page.map(({ id }) => id);
      after = last._id;
    }
  }
}

/** A profile's id is a number, or a text for a document that holds only a claim. */
const entryId = (collection: string, id: DocumentId): string => `${collection}/${id}`;

/** `0` is the character behind `/`. */
const rangeOf = (collection: string) => ({ $gte: entryId(collection, ''), $lt: `${collection}0` });
