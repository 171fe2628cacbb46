/**
 * Keeps a value unique without a unique index: its claim is one document, whose id is the value. So the insert of a claim decides,
 * also where the documents of its owners are on many shards. Guarantees that the owner of each value that a document holds is
 * named by the value's claim.
 *
 * A document says what it is about to claim before it claims it, and holds the value only after. So a claim whose owner
 * neither holds the value nor is about to is left over, and anybody may remove it. A claim that is under way is ended at the
 * owner's document first: its process then cannot finish, and begins again.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { OperationalUnavailableError } from '../../../foundation/operational/operational-store.js';
import { chunksOf } from '../chunks.js';
import { duplicateIndexes, isDuplicateKey } from '../mongo-connection.js';
import type { DocumentId } from './inventory.js';
import {
  type DocumentFilter,
  type Identified,
  SummedCollection,
  type SummedParts,
} from './summed-collection.js';

/** Attempts against claims of other writers. Each attempt settles one of them. */
const MAX_ATTEMPTS = 20;
const WAIT_MS = 10;

/** `attempt` returns null on a conflict with another writer, which it has settled. */
export const inAttempts = async <T>(attempt: () => Promise<T | null>): Promise<T> => {
  for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
    const result = await attempt();
    if (result !== null) return result;
    // Two that end each other's work again and again must not meet a third time.
    if (count > 0) await pause(Math.random() * count * WAIT_MS);
  }
  throw new OperationalUnavailableError('other writers keep changing the same documents', {});
};

export interface ClaimDocument {
  /** What is claimed; unique. */
  readonly _id: string;
  /** Id of the document that holds it, or is about to. */
  readonly owner: DocumentId;
  /** Unlike that of every other claim of the value, before or later. */
  readonly token: string;
}

/** A document that claims. */
export interface Claiming extends Identified {
  /** Absent while the document holds nothing but the claim that is under way. */
  readonly spaceId?: string;
  /** The claim that is under way. */
  readonly claiming?: { readonly key: string; readonly token: string };
  /** Token of the batch that made the document: while it is open, all that the document holds is under way. */
  readonly batch?: string;
}

export type Claimed<D> =
  | { readonly outcome: 'done'; readonly document: D }
  | { readonly outcome: 'taken'; readonly owner: DocumentId }
  /** The document is gone, or is not to change. */
  | { readonly outcome: 'refused' }
  /** Another process has ended it: try again. */
  | { readonly outcome: 'ended' };

export interface ClaimOwners<D extends Claiming> {
  readonly documents: SummedCollection<D>;
  /** What the document holds. Undefined: nothing. */
  readonly keyOf: (document: D) => string | undefined;
  /** Discards a batch that is open. Returns whether it was kept. */
  readonly settleBatch?: (token: string) => Promise<boolean>;
}

export class Claims {
  readonly documents: SummedCollection<ClaimDocument>;

  constructor(parts: SummedParts) {
    this.documents = new SummedCollection<ClaimDocument>(parts, 'claims');
  }

  async makeIndexes(): Promise<void> {
    await this.documents.raw.createIndex({ owner: 1 }, { name: 'owner' });
  }

  of(key: string): Promise<ClaimDocument | null> {
    return this.documents.findOne({ _id: key });
  }

  /** By what is claimed. */
  async ofAll(keys: readonly string[]): Promise<ReadonlyMap<string, ClaimDocument>> {
    const found = new Map<string, ClaimDocument>();
    for (const some of chunksOf(keys)) {
      for (const claim of await this.documents.find({ _id: { $in: some } })) found.set(claim._id, claim);
    }
    return found;
  }

  /** Gives a claim that is as it was read another owner. Returns false when it has changed. */
  async pass({ _id, token }: ClaimDocument, owner: DocumentId): Promise<boolean> {
    const passed = await this.documents.change({ _id }, (claim) =>
      claim.token === token ? { ...claim, owner, token: randomUUID() } : null,
    );
    return passed !== null;
  }

  /** No process passes on the claim with this token after this. Returns its owner. A later claim of the value stays as it is. */
  async end(key: string, token: string): Promise<DocumentId | null> {
    await this.documents.change({ _id: key }, (claim) =>
      claim.token === token ? { ...claim, token: randomUUID() } : null,
    );
    return (await this.of(key))?.owner ?? null;
  }

  /** Removes the claims of these values that have this token. */
  async remove(keys: readonly string[], token: string): Promise<void> {
    for (const some of chunksOf(keys)) await this.documents.remove({ _id: { $in: some }, token });
  }

  /** Removes all claims of a document that is gone and held `key`, also where that claim is lost. */
  async removeOf(owner: DocumentId, key?: string): Promise<void> {
    if (key !== undefined) await this.documents.remove({ _id: key, owner });
    const found = await this.documents.raw.find({ owner }).project<Identified>({ _id: 1 }).toArray();
    for (const { _id } of found) await this.documents.remove({ _id, owner });
  }
}

/** The claims of one kind of documents. */
export class OwnedClaims<D extends Claiming> {
  readonly #claims: Claims;
  readonly #owners: ClaimOwners<D>;

  constructor(claims: Claims, owners: ClaimOwners<D>) {
    this.#claims = claims;
    this.#owners = owners;
  }

  /**
   * Changes the document to `next`, which holds `key`, and frees what it held before. `next` returns null to refuse. A new
   * one is inserted first, with nothing but the claim under way. Throws the driver's error when it is not new.
   */
  async change(
    id: DocumentId,
    key: string,
    next: (document: D) => D | null,
    { isNew = false }: { readonly isNew?: boolean } = {},
  ): Promise<Claimed<D>> {
    const { documents, keyOf } = this.#owners;
    const claiming = { key, token: randomUUID() };
    let left: string | undefined;
    if (isNew) await documents.insert({ _id: id, claiming } as D);
    else {
      const announced = await documents.change({ _id: id }, (document) => {
        left = document.claiming?.key;
        return next(document) === null ? null : { ...document, claiming };
      });
      if (!announced) return { outcome: 'refused' };
    }
    const owner = await this.#claim({ _id: key, owner: id, token: claiming.token });
    if (owner !== null) {
      await this.#withdraw(id, claiming);
      await this.#freeOthers(key, left);
      return { outcome: 'taken', owner };
    }
    let held: string | undefined;
    let isRefused = false;
    const document = await documents.change({ _id: id }, (current) => {
      isRefused = false;
      if (current.claiming?.token !== claiming.token) return null;
      held = keyOf(current);
      const { claiming: _, ...rest } = current;
      const changed = next(rest as D);
      isRefused = changed === null;
      return changed;
    });
    if (!document) {
      await this.#withdraw(id, claiming);
      await this.free(key);
    }
    await this.#freeOthers(key, left, held);
    if (document) return { outcome: 'done', document };
    return { outcome: isRefused ? 'refused' : 'ended' };
  }

  /**
   * Claims values for documents that are there and hold them in an open batch of this token. Returns the first that another
   * document has; null: all are claimed.
   */
  async claimAll(claims: readonly ClaimDocument[]): Promise<ClaimDocument | null> {
    for (const some of chunksOf(claims)) {
      try {
        await this.#claims.documents.insertMany(some);
      } catch (error) {
        const known = duplicateIndexes(error);
        if (known === null) throw error;
        for (const claim of known.flatMap((place) => some[place] ?? [])) {
          const owner = await this.#claim(claim);
          if (owner !== null) return { ...claim, owner };
        }
      }
    }
    return null;
  }

  /**
   * Removes those of these claims that are left over: their process died before it held or freed the value. One that is under way
   * at this moment is ended, and its process begins again.
   */
  async tidy(keys: readonly string[]): Promise<void> {
    const { documents, keyOf } = this.#owners;
    const claims = [...(await this.#claims.ofAll(keys)).values()];
    const owners = await documents.known(claims.map(({ owner }) => owner));
    for (const claim of claims) {
      const owner = owners.get(claim.owner);
      const isHeld = owner === null || (owner !== undefined && keyOf(owner) === claim._id);
      if (!isHeld) await this.#release(claim, { ends: true });
    }
  }

  /** Removes those of these documents that hold nothing: their process died before it claimed. */
  async removeUnheld(ids: readonly DocumentId[]): Promise<void> {
    for (const document of (await this.#owners.documents.known(ids)).values()) {
      if (!document?.claiming || document.spaceId !== undefined) continue;
      await this.#withdraw(document._id, document.claiming);
      await this.free(document.claiming.key);
    }
  }

  /** Removes the claim when it is left over. */
  async free(key: string): Promise<void> {
    const claim = await this.#claims.of(key);
    if (claim) await this.#release(claim, { ends: false });
  }

  async #freeOthers(key: string, ...others: readonly (string | undefined)[]): Promise<void> {
    for (const other of new Set(others)) if (other !== undefined && other !== key) await this.free(other);
  }

  /** Returns null once it is claimed, or the owner that has it. */
  async #claim(claim: ClaimDocument): Promise<DocumentId | null> {
    const { owner } = await inAttempts(async () => {
      try {
        await this.#claims.documents.insert(claim);
        return { owner: null };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const known = await this.#claims.of(claim._id);
        if (known?.token === claim.token) return { owner: null };
        return known && !(await this.#release(known, { ends: true })) ? { owner: known.owner } : null;
      }
    });
    return owner;
  }

  /** Removes a claim that is left over; with `ends`, also one that is under way. Returns false when its owner keeps it. */
  async #release(claim: ClaimDocument, { ends }: { readonly ends: boolean }): Promise<boolean> {
    const { documents, keyOf, settleBatch } = this.#owners;
    const { _id: key, owner, token } = claim;
    return inAttempts(async () => {
      const document = await documents.findOne({ _id: owner });
      if (document?.batch !== undefined && settleBatch) {
        if (!ends) return false;
        if (!(await settleBatch(document.batch))) return null;
      }
      if (document && keyOf(document) === key) return false;
      const claiming = document?.claiming;
      if (claiming?.token === token) {
        if (!ends) return false;
        await this.#withdraw(owner, claiming);
        return null;
      }
      await this.#claims.remove([key], token);
      return true;
    });
  }

  /** Ends a claim that is under way. A document that holds nothing else goes. */
  async #withdraw(id: DocumentId, { token }: { readonly token: string }): Promise<void> {
    const { documents } = this.#owners;
    const mine: DocumentFilter = { _id: id, 'claiming.token': token };
    const document = await documents.findOne(mine);
    if (document?.spaceId === undefined) {
      if (document) await documents.remove({ ...mine, spaceId: { $exists: false } });
      return;
    }
    await documents.change(mine, ({ claiming: _, ...rest }) => rest as D);
  }
}
