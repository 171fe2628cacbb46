/**
 * Batches of new profiles, which are invisible until one insert decides that the batch is kept. A batch that another process left
 * open, or still makes, is discarded by the process that meets it.
 */
import { randomUUID } from 'node:crypto';
import { isDuplicateKey } from '../mongo-connection.js';
import type { ProfileDocument } from './documents.js';
import type { ProfileCollections } from './profile-collections.js';
import type { DocumentFilter } from './summed-collection.js';

/** Removes what a batch that is discarded holds besides its profiles. */
export type DiscardRest = (profiles: readonly ProfileDocument[], token: string) => Promise<void>;

export class ProfileBatches {
  readonly #profiles: ProfileCollections['profiles'];
  readonly #batches: ProfileCollections['batches'];
  readonly #discardRest: DiscardRest | undefined;

  constructor({ profiles, batches }: ProfileCollections, discardRest?: DiscardRest) {
    this.#profiles = profiles;
    this.#batches = batches;
    this.#discardRest = discardRest;
  }

  newToken(): string {
    return randomUUID();
  }

  /** Makes the index, and settles batches that other processes left open. */
  async prepare(): Promise<void> {
    await this.#profiles.raw.createIndex({ batch: 1 }, { name: 'batch', sparse: true });
    const left = await this.#profiles.find({ batch: { $exists: true } });
    for (const token of new Set(left.flatMap(({ batch }) => batch ?? []))) await this.settle(token);
  }

  /** Discards a batch that is still open. Returns whether the batch was kept. */
  async settle(token: string): Promise<boolean> {
    await this.decide(token, false);
    return (await this.#batches.findOne({ _id: token }))?.isKept ?? true;
  }

  /**
   * Decides about a batch and carries the decision out. Returns false when another process had decided otherwise. `among`: meets
   * all profiles of the batch, for a process that knows them.
   */
  async decide(token: string, isKept: boolean, among: DocumentFilter = {}): Promise<boolean> {
    let decided = isKept;
    try {
      await this.#batches.insert({ _id: token, isKept });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      decided = (await this.#batches.findOne({ _id: token }))?.isKept ?? true;
    }
    const batch = { ...among, batch: token };
    if (decided) {
      await this.#profiles.raw.updateMany(batch, { $unset: { batch: '' } });
      await this.#batches.remove({ _id: token });
    } else {
      await this.#discardRest?.(await this.#profiles.find(batch), token);
      await this.#profiles.remove(batch);
    }
    return decided === isKept;
  }
}
