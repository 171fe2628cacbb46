/**
 * Changes profiles without transactions. Every atomic step changes one document: creating a profile, handing over an
 * association id, keeping a batch. After a crash, half-done work is not visible, and the next writer removes it.
 */
import { randomUUID } from 'node:crypto';
import { caseFolded } from '../../../foundation/operational/case-folded.js';
import {
  AssocIdTakenError,
  type NewProfile,
  OperationalUnavailableError,
  type Profile,
  type ProfileChange,
} from '../../../foundation/operational/operational-store.js';
import { duplicateIndexes, isDuplicateKey } from '../mongo-connection.js';
import { claimKey, profileDocument, searchText } from './documents.js';
import type { ProfileCollections } from './profile-collections.js';
import type { ProfileReader } from './profile-reader.js';
import type { DocumentFilter } from './summed-collection.js';

const LAST_PERSON = 'last-person';
/** Attempts against conflicting claims of other writers. Each attempt settles one of them. */
const MAX_ATTEMPTS = 20;

export class ProfileWriter {
  readonly #reader: ProfileReader;
  readonly #profiles: ProfileCollections['profiles'];
  readonly #batches: ProfileCollections['batches'];
  readonly #counters: ProfileCollections['counters'];

  constructor({ profiles, batches, counters }: ProfileCollections, reader: ProfileReader) {
    this.#reader = reader;
    this.#profiles = profiles;
    this.#batches = batches;
    this.#counters = counters;
  }

  /** Makes the indexes, and settles batches that other processes left open. */
  async prepare(): Promise<void> {
    const { raw } = this.#profiles;
    await raw.createIndex({ 'claim.key': 1 }, { name: 'claim', unique: true, sparse: true });
    await raw.createIndex({ 'claim.owner': 1 }, { name: 'owner', unique: true, sparse: true });
    await raw.createIndex({ spaceId: 1, name: 1, _id: 1 }, { name: 'name' });
    await raw.createIndex({ batch: 1 }, { name: 'batch', sparse: true });
    const left = await this.#profiles.find({ batch: { $exists: true } });
    for (const token of new Set(left.flatMap(({ batch }) => batch ?? []))) await this.#settle(token);
  }

  create(profile: NewProfile): Promise<Profile> {
    return this.#attempts(async () => {
      const created = { ...plain(profile), personId: await this.#takeIds(1) };
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
    return this.#attempts(async () => {
      const last = await this.#takeIds(profiles.length);
      const first = last - profiles.length + 1;
      const created = profiles.map((profile, place) => ({ ...plain(profile), personId: first + place }));
      refuseTwice(created);
      const token = randomUUID();
      try {
        await this.#profiles.insertMany(
          created.map((profile) => ({ ...profileDocument(profile), batch: token })),
        );
      } catch (error) {
        const taken = duplicateIndexes(error);
        await this.#settle(token);
        if (taken === null) throw error;
        for (const place of taken) {
          const refused = created[place];
          if (refused) await this.#clearClaim(refused);
        }
        return null;
      }
      return (await this.#decide(token, true)) ? created : null;
    });
  }

  /** Null when there is no such profile. */
  update(personId: number, change: ProfileChange): Promise<Profile | null> {
    return this.#attempts(async () => {
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
    const profiles = await this.#reader.byIds([from, into]);
    const [giver, taker] = [profiles.get(from), profiles.get(into)];
    if (!giver || !taker || giver.assocId === null || giver.spaceId !== taker.spaceId) return false;
    if (taker.assocId !== null) return false;
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

  /** Inserts or replaces the profiles. The caller has checked that their association ids are free. */
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

  /** Throws AssocIdTakenError when another profile has the association id of one of these. */
  async refuseTaken(profiles: readonly Profile[]): Promise<void> {
    refuseTwice(profiles);
    for (const spaceId of new Set(profiles.map((profile) => profile.spaceId))) {
      const own = profiles.filter((profile) => profile.spaceId === spaceId);
      const assocIds = own.flatMap(({ assocId }) => assocId ?? []);
      const holders = await this.#reader.byAssocIds(spaceId, assocIds);
      for (const { personId, assocId } of own) {
        const holder = assocId !== null && holders.get(caseFolded(assocId));
        if (holder && holder.personId !== personId) throw new AssocIdTakenError(assocId, holder.personId);
      }
    }
  }

  async lastId(): Promise<number> {
    return (await this.#counters.findOne({ _id: LAST_PERSON }))?.last ?? 0;
  }

  async raiseLastId(personId: number): Promise<void> {
    await this.#counters.upsert(LAST_PERSON, (counter) => ({
      _id: LAST_PERSON,
      last: Math.max(personId, counter?.last ?? 0),
    }));
  }

  /** Reserves `count` ids and returns the last one. No other profile ever gets them. */
  async #takeIds(count: number): Promise<number> {
    const { last } = await this.#counters.upsert(LAST_PERSON, (counter) => ({
      _id: LAST_PERSON,
      last: (counter?.last ?? 0) + count,
    }));
    return last;
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
    if (holder.batch !== undefined && !(await this.#settle(holder.batch))) return;
    if ((await this.#reader.byIds([owner])).has(owner)) throw new AssocIdTakenError(assocId, owner);
    await this.#removeClaim({ _id: holder._id, 'claim.owner': owner });
    await this.#dropEmpty();
  }

  async #removeClaim(filter: DocumentFilter): Promise<void> {
    await this.#profiles.change(filter, ({ claim: _, ...document }) => document, { damagedToo: true });
  }

  /** Discards a batch that is still open. Returns whether the batch was kept. */
  async #settle(token: string): Promise<boolean> {
    await this.#decide(token, false);
    return (await this.#batches.findOne({ _id: token }))?.isKept ?? true;
  }

  /** Decides about a batch and carries the decision out. Returns false when another process had decided otherwise. */
  async #decide(token: string, isKept: boolean): Promise<boolean> {
    let decided = isKept;
    try {
      await this.#batches.insert({ _id: token, isKept });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      decided = (await this.#batches.findOne({ _id: token }))?.isKept ?? true;
    }
    if (decided) {
      await this.#profiles.raw.updateMany({ batch: token }, { $unset: { batch: '' } });
      await this.#batches.remove({ _id: token });
    } else {
      await this.#profiles.remove({ batch: token });
    }
    return decided === isKept;
  }

  async #dropEmpty(): Promise<void> {
    await this.#profiles.remove({ name: { $exists: false }, claim: { $exists: false } });
  }

  async #attempts<T>(attempt: () => Promise<T | null>): Promise<T> {
    for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
      const result = await attempt();
      if (result !== null) return result;
    }
    throw new OperationalUnavailableError('other writers keep changing the same profiles', {});
  }
}

const plain = ({ spaceId, name, localizedName, assocId }: NewProfile): NewProfile => ({
  spaceId,
  name,
  localizedName,
  assocId,
});

/** Throws AssocIdTakenError when two of them have the same association id. */
const refuseTwice = (profiles: readonly Profile[]): void => {
  const holders = new Map<string, number>();
  for (const { spaceId, assocId, personId } of profiles) {
    if (assocId === null) continue;
    const key = claimKey(spaceId, assocId);
    const holder = holders.get(key);
    if (holder !== undefined) throw new AssocIdTakenError(assocId, holder);
    holders.set(key, personId);
  }
};
