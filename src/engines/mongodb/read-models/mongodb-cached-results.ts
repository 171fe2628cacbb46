/**
 * Cached results, one document each. Every change is one conditional write of one document, so no transaction is needed. A
 * result or recipe that does not fit its checksum counts as none: it is removed, and the next request makes it anew.
 */
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { lazy } from '../../../foundation/basics/lazy.js';
import type {
  CachedResult,
  CachedResults,
  DueResult,
  RenewedResult,
  ResultUse,
} from '../../../foundation/read-models/cached-results.js';
import { beyondShares, type SizedResult } from '../../../foundation/read-models/result-shares.js';
import { contentSum } from '../content-sum.js';
import { isDuplicateKey } from '../mongo-connection.js';

/** The key is the document's id; the bytes are what the sweep counts. Documents of older code have no tenant. */
export type CachedResultDocument = Omit<CachedResult, 'key' | 'tenant'> & {
  readonly _id: string;
  readonly tenant?: string;
  readonly bodyBytes: number;
  readonly recipeBytes: number;
  /** Checksums. Absent: older code made the result. */
  readonly bodySum?: number;
  readonly recipeSum?: number;
};

export class MongodbCachedResults implements CachedResults {
  readonly #results: Collection<CachedResultDocument>;
  /** Maps an outage to the store's error. */
  readonly #guarded: <T>(work: () => Promise<T>) => Promise<T>;
  readonly #makeIndexes = lazy(async () => {
    await this.#results.createIndex({ warmAt: 1 }, { name: 'due' });
    await this.#results.createIndex(
      { usedAt: -1, _id: 1, tenant: 1, bodyBytes: 1, recipeBytes: 1 },
      { name: 'recent' },
    );
    await this.#results.createIndex({ keepUntil: 1 }, { name: 'kept' });
  });

  constructor(results: Collection<CachedResultDocument>, guarded: <T>(work: () => Promise<T>) => Promise<T>) {
    this.#results = results;
    this.#guarded = guarded;
  }

  get(key: string): Promise<CachedResult | null> {
    return this.#guarded(async () => {
      const found = await this.#results.findOne({ _id: key });
      if (!found) return null;
      const { _id, tenant = '', bodyBytes: _, recipeBytes: __, bodySum, recipeSum, ...stored } = found;
      const result = { key: _id, tenant, ...stored };
      if (fits(bodySum, bodySumOf(result)) && fits(recipeSum, recipeSumOf(result))) return result;
      await this.#results.deleteOne({ _id, madeAt: result.madeAt });
      return null;
    });
  }

  put(result: CachedResult): Promise<void> {
    const { key, usedAt, keepUntil, ...made } = result;
    const bodyBytes = Buffer.byteLength(result.body);
    const recipeBytes = Buffer.byteLength(result.recipe);
    return this.#guarded(async () => {
      await this.#makeIndexes();
      const sums = { bodySum: bodySumOf(result), recipeSum: recipeSumOf(result) };
      const fields = { ...made, bodyBytes, recipeBytes, ...sums };
      try {
        await this.#results.insertOne({ _id: key, ...fields, usedAt, keepUntil });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        await this.#results.updateOne(
          { _id: key, madeAt: { $lte: made.madeAt } },
          { $set: fields, $max: { usedAt, keepUntil } },
        );
      }
    });
  }

  renew(result: RenewedResult): Promise<void> {
    const { key, ...made } = result;
    const bodyBytes = Buffer.byteLength(made.body);
    const bodySum = bodySumOf(result);
    return this.#guarded(async () => {
      await this.#results.updateOne(
        { _id: key, madeAt: { $lte: made.madeAt } },
        { $set: { ...made, bodyBytes, bodySum } },
      );
    });
  }

  async touch(uses: readonly ResultUse[]): Promise<void> {
    if (uses.length === 0) return;
    const changes = uses.map(
      ({ key, usedAt, keepUntil }): AnyBulkWriteOperation<CachedResultDocument> => ({
        updateOne: { filter: { _id: key }, update: { $max: { usedAt, keepUntil } } },
      }),
    );
    await this.#guarded(() => this.#results.bulkWrite(changes, { ordered: false }));
  }

  dueTenants(now: number): Promise<readonly string[]> {
    return this.#guarded(async () => {
      const tenants = await this.#results.distinct('tenant', dueAt(now));
      return tenants.filter((tenant) => typeof tenant === 'string');
    });
  }

  due(tenant: string, now: number, limit: number): Promise<readonly DueResult[]> {
    return this.#guarded(async () => {
      const found = await this.#results
        .find({ tenant, ...dueAt(now) })
        .project<DueDocument>({ recipe: 1, recipeSum: 1, warmAt: 1 })
        .sort({ warmAt: 1 })
        .limit(limit)
        .toArray();
      return found
        .map(({ _id, ...due }) => ({ key: _id, ...due }))
        .filter((due) => fits(due.recipeSum, recipeSumOf({ tenant, ...due })))
        .map(({ key, recipe, warmAt }) => ({ key, recipe, warmAt }));
    });
  }

  claim({ key, warmAt }: Pick<DueResult, 'key' | 'warmAt'>, until: number): Promise<boolean> {
    return this.#guarded(async () => {
      const { matchedCount } = await this.#results.updateOne(
        { _id: key, warmAt },
        { $set: { warmAt: until } },
      );
      return matchedCount === 1;
    });
  }

  async remove(key: string): Promise<void> {
    await this.#guarded(() => this.#results.deleteOne({ _id: key }));
  }

  readonly sweep: CachedResults['sweep'] = (now, bounds) =>
    this.#guarded(async () => {
      const expired = await this.#results.deleteMany({ keepUntil: { $lte: now } });
      const beyond = beyondShares(await this.#sizes(), bounds);
      if (beyond.length === 0) return expired.deletedCount;
      const trimmed = await this.#results.deleteMany({ _id: { $in: beyond } });
      return expired.deletedCount + trimmed.deletedCount;
    });

  async #sizes(): Promise<SizedResult[]> {
    const sizes = await this.#results
      .find()
      .project<Pick<CachedResultDocument, '_id' | 'tenant' | 'bodyBytes' | 'recipeBytes'>>({
        tenant: 1,
        bodyBytes: 1,
        recipeBytes: 1,
      })
      .sort({ usedAt: -1, _id: 1 })
      .toArray();
    return sizes.map(({ _id, tenant = '', bodyBytes, recipeBytes }) => ({
      key: _id,
      tenant,
      bytes: bodyBytes + recipeBytes,
    }));
  }
}

type DueDocument = Pick<CachedResultDocument, '_id' | 'recipe' | 'recipeSum'> & { readonly warmAt: number };

const dueAt = (now: number) => ({ warmAt: { $lte: now }, keepUntil: { $gt: now } });

const bodySumOf = ({ key, body, truncated, madeAt }: RenewedResult): number =>
  contentSum({ key, body, truncated, madeAt });

const recipeSumOf = ({ key, tenant, recipe }: Pick<CachedResult, 'key' | 'tenant' | 'recipe'>): number =>
  contentSum({ key, tenant, recipe });

const fits = (stored: number | undefined, now: number): boolean => stored === undefined || stored === now;
