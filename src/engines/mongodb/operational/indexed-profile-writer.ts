/**
 * Changes profiles whose association ids are kept unique by an index, without transactions. Every atomic step changes one
 * document: creating a profile, handing over an association id, keeping a batch. After a crash, half-done work is not visible,
 * and the next writer removes it.
 */
import { randomUUID } from 'node:crypto';
import {
  AssocIdTakenError,
  type NewProfile,
  type Profile,
  type ProfileChange,
} from '../../../foundation/operational/operational-store.js';
import { duplicateIndexes, isDuplicateKey } from '../mongo-connection.js';
import { inAttempts } from './claims.js';
import { claimKey, profileDocument, searchText } from './documents.js';
import type { PersonIds } from './person-ids.js';
import { ProfileBatches } from './profile-batches.js';
import type { ProfileCollections } from './profile-collections.js';
import type { ProfileReader } from './profile-reader.js';
import { giverOf, numbered, type ProfileWriter, refuseTwice } from './profile-writer.js';
import type { DocumentFilter } from './summed-collection.js';

export class IndexedProfileWriter implements ProfileWriter {
  readonly #reader: ProfileReader;
  readonly #ids: PersonIds;
  readonly #profiles: ProfileCollections['profiles'];
  readonly #batches: ProfileBatches;

  constructor(collections: ProfileCollections, reader: ProfileReader, ids: PersonIds) {
    this.#reader = reader;
    this.#ids = ids;
    this.#profiles = collections.profiles;
    this.#batches = new ProfileBatches(collections);
  }

  async prepare(): Promise<void> {
    const { raw } = this.#profiles;
    await raw.createIndex({ 'claim.key': 1 }, { name: 'claim', unique: true, sparse: true });
    await raw.createIndex({ 'claim.owner': 1 }, { name: 'owner', unique: true, sparse: true });
    await raw.createIndex({ spaceId: 1, name: 1, _id: 1 }, { name: 'name' });
    await this.#batches.prepare();
  }

  create(profile: NewProfile): Promise<Profile> {
    return inAttempts(async () => {
      const [created] = numbered([profile], await this.#ids.take(1));
      if (!created) return null;
      try {
        await this.#profiles.insert(profileDocument(created));
        return created;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        await this.#clearClaim(created);
        return null;
      }
    });
  }

  createAll(profiles: readonly NewProfile[]): Promise<readonly Profile[]> {
    return inAttempts(async () => {
      const created = numbered(profiles, await this.#ids.take(profiles.length));
      refuseTwice(created);
      const token = this.#batches.newToken();
      try {
        await this.#profiles.insertMany(
          created.map((profile) => ({ ...profileDocument(profile), batch: token })),
        );
      } catch (error) {
        const taken = duplicateIndexes(error);
        await this.#batches.settle(token);
        if (taken === null) throw error;
        for (const place of taken) {
          const refused = created[place];
          if (refused) await this.#clearClaim(refused);
        }
        return null;
      }
      return (await this.#batches.decide(token, true)) ? created : null;
    });
  }

  update(personId: number, change: ProfileChange): Promise<Profile | null> {
    return inAttempts(async () => {
      const current = (await this.#reader.byIds([personId])).get(personId);
      if (!current) return { updated: null };
      const updated = { ...current, ...change };
      try {
        if (updated.assocId !== current.assocId) await this.#changeClaim(current, updated.assocId);
        const { name, localizedName } = updated;
        const fields = { name, localizedName, search: searchText(updated) };
        // A person who was erased meanwhile must not get a name again.
        await this.#profiles.change({ _id: personId }, (document) =>
          document.name === undefined ? null : { ...document, ...fields },
        );
        return { updated };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        await this.#clearClaim(updated);
        return null;
      }
    }).then(({ updated }) => updated);
  }

  async handOver(from: number, into: number): Promise<boolean> {
    const giver = await giverOf(this.#reader, from, into);
    if (!giver) return false;
    try {
      const key = claimKey(giver.spaceId, giver.assocId);
      const handed = await this.#profiles.change({ 'claim.key': key, 'claim.owner': from }, (document) =>
        document.claim ? { ...document, claim: { ...document.claim, owner: into } } : null,
      );
      if (!handed) return false;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
    // A person who was erased meanwhile must not keep the association id.
    if ((await this.#reader.byIds([into])).has(into)) return true;
    await this.erase(into);
    return false;
  }

  /** Keeps the document while it holds another person's claim, but removes all data of this person. */
  async erase(personId: number): Promise<void> {
    await this.#removeClaim({ 'claim.owner': personId });
    await this.#profiles.remove({ _id: personId, claim: { $exists: false } });
    const isOther = { _id: personId, name: { $exists: true } };
    await this.#profiles.change(isOther, ({ _id, claim }) => ({ _id, ...(claim && { claim }) }), {
      damagedToo: true,
    });
    await this.#dropEmpty();
  }

  async put(profiles: readonly Profile[]): Promise<void> {
    const documents = profiles.map(profileDocument);
    try {
      await this.#profiles.insertMany(documents);
    } catch (error) {
      const taken = duplicateIndexes(error);
      if (taken === null) throw error;
      for (const place of taken) {
        const profile = profiles[place];
        if (profile) await this.#replace(profile);
      }
    }
  }

  async #replace(profile: Profile): Promise<void> {
    const { personId, spaceId, name, localizedName, assocId } = profile;
    const fields = { spaceId, name, localizedName, search: searchText(profile) };
    await this.#profiles.upsert(personId, (document) => ({ _id: personId, ...document, ...fields }));
    const current = (await this.#reader.byIds([personId])).get(personId);
    if (current && current.assocId !== assocId) await this.#changeClaim(current, assocId);
  }

  async #changeClaim({ personId, spaceId, assocId }: Profile, text: string | null): Promise<void> {
    if (text === null) {
      await this.#removeClaim({ 'claim.owner': personId });
      await this.#dropEmpty();
      return;
    }
    const claim = { key: claimKey(spaceId, text), text, owner: personId };
    const holder =
      assocId === null ? { _id: personId, claim: { $exists: false } } : { 'claim.owner': personId };
    const changed = await this.#profiles.change(holder, (document) => ({ ...document, claim }));
    // The own document already holds a claim that was handed over to another person.
    if (!changed && assocId === null) await this.#profiles.insert({ _id: randomUUID(), claim });
  }

  /**
   * Throws AssocIdTakenError when another person has the association id. Otherwise frees it: the claim was of a batch that
   * is not kept, or of an erased person.
   */
  async #clearClaim({ personId, spaceId, assocId }: Profile): Promise<void> {
    if (assocId === null) return;
    const holder = await this.#reader.claimant(claimKey(spaceId, assocId));
    if (!holder?.claim || holder.claim.owner === personId) return;
    const { owner } = holder.claim;
    if (holder.batch !== undefined && !(await this.#batches.settle(holder.batch))) return;
    if ((await this.#reader.byIds([owner])).has(owner)) throw new AssocIdTakenError(assocId, owner);
    await this.#removeClaim({ _id: holder._id, 'claim.owner': owner });
    await this.#dropEmpty();
  }

  async #removeClaim(filter: DocumentFilter): Promise<void> {
    await this.#profiles.change(filter, ({ claim: _, ...document }) => document, { damagedToo: true });
  }

  async #dropEmpty(): Promise<void> {
    await this.#profiles.remove({ name: { $exists: false }, claim: { $exists: false } });
  }
}
