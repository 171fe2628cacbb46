/**
 * Changes profiles whose association ids are claimed (claims.ts), without transactions and without unique indexes, so that
 * each command names the profiles and claims that it changes. What a reader sees changes with one document: a batch with its
 * decision, an update with the profile, a handover with the claim.
 */
import {
  AssocIdTakenError,
  type NewProfile,
  type Profile,
  type ProfileChange,
} from '../../../foundation/operational/operational-store.js';
import { chunksOf } from '../chunks.js';
import { duplicateIndexes } from '../mongo-connection.js';
import { type ClaimDocument, type Claims, inAttempts, OwnedClaims } from './claims.js';
import { assocClaim, claimKey, type ProfileDocument, profileDocument, profileIn } from './documents.js';
import type { PersonIds } from './person-ids.js';
import { ProfileBatches } from './profile-batches.js';
import type { ProfileCollections } from './profile-collections.js';
import type { ProfileReader } from './profile-reader.js';
import { type Giver, giverOf, numbered, type ProfileWriter, refuseTwice } from './profile-writer.js';
import type { DocumentFilter } from './summed-collection.js';

export class ClaimedProfileWriter implements ProfileWriter {
  readonly #reader: ProfileReader;
  readonly #ids: PersonIds;
  readonly #profiles: ProfileCollections['profiles'];
  readonly #batches: ProfileBatches;
  readonly #claims: Claims;
  readonly #ownClaims: OwnedClaims<ProfileDocument>;

  constructor(collections: ProfileCollections, reader: ProfileReader, ids: PersonIds, claims: Claims) {
    this.#reader = reader;
    this.#ids = ids;
    this.#profiles = collections.profiles;
    this.#claims = claims;
    this.#batches = new ProfileBatches(collections, (profiles, token) =>
      claims.remove(
        profiles.flatMap((profile) => heldBy(profile) ?? []),
        token,
      ),
    );
    this.#ownClaims = new OwnedClaims(claims, {
      documents: collections.profiles,
      keyOf: heldBy,
      settleBatch: (token) => this.#batches.settle(token),
    });
  }

  async prepare(): Promise<void> {
    const { raw } = this.#profiles;
    await raw.createIndex({ 'claim.key': 1 }, { name: 'claim', sparse: true });
    await raw.createIndex({ spaceId: 1, name: 1, _id: 1 }, { name: 'name' });
    await this.#claims.makeIndexes();
    await this.#batches.prepare();
  }

  create(profile: NewProfile): Promise<Profile> {
    return inAttempts(async () => {
      const created = numbered([profile], await this.#ids.take(1));
      const [first] = created;
      if (!first) return null;
      if (first.assocId !== null) return (await this.#insertBatch(created)) ? first : null;
      await this.#profiles.insert(profileDocument(first));
      return first;
    });
  }

  createAll(profiles: readonly NewProfile[]): Promise<readonly Profile[]> {
    return inAttempts(async () => {
      const created = numbered(profiles, await this.#ids.take(profiles.length));
      refuseTwice(created);
      return (await this.#insertBatch(created)) ? created : null;
    });
  }

  update(personId: number, change: ProfileChange): Promise<Profile | null> {
    return this.#change(personId, (profile) => ({ ...profile, ...change }));
  }

  handOver(from: number, into: number): Promise<boolean> {
    return inAttempts(async () => {
      for (const personId of [from, into]) await this.#settleMove(personId);
      const giver = await giverOf(this.#reader, from, into);
      if (!giver) return false;
      const key = claimKey(giver.spaceId, giver.assocId);
      // Read before the marks, which have its token: the process that settles a mark ends the claim, which is then not passed on.
      const claim = await this.#claims.of(assocClaim(key));
      const isPassed = claim?.owner === from && (await this.#pass(claim, giver, into));
      for (const personId of [from, into]) await this.#settleMove(personId);
      if (!isPassed) return null;
      // A person who was erased meanwhile must not keep the association id.
      if ((await this.#reader.byIds([into])).has(into)) return true;
      await this.erase(into);
      return false;
    });
  }

  /** The profile goes first: without it, its claims are left over. */
  async erase(personId: number): Promise<void> {
    // A damaged one is erased, too.
    const stored = await this.#profiles.raw.findOne<ProfileDocument>({ _id: personId });
    await this.#profiles.remove({ _id: personId });
    await this.#claims.removeOf(personId, stored ? heldBy(stored) : undefined);
    // A handover that was cut off has left the association id in the other profile, too.
    const key = stored?.claim?.key;
    const marked = typeof key === 'string' ? this.#profiles.raw.find({ 'claim.key': key }) : null;
    for (const { _id } of (await marked?.toArray()) ?? []) await this.#settleMove(Number(_id));
  }

  tidy(keys: readonly string[]): Promise<void> {
    return this.#ownClaims.tidy(keys);
  }

  async put(profiles: readonly Profile[]): Promise<void> {
    for (const some of chunksOf(profiles)) {
      const known = await inAttempts(async () => {
        const ids = some.map(({ personId }) => personId);
        const found = await this.#profiles.find({ _id: { $in: ids } });
        const open = new Set(found.flatMap(({ batch }) => batch ?? []));
        for (const token of open) await this.#batches.settle(token);
        if (open.size > 0) return null;
        const knownIds = new Set(found.map(({ _id }) => _id));
        const fresh = some.filter(({ personId }) => !knownIds.has(personId));
        return (await this.#insertBatch(fresh)) ? knownIds : null;
      });
      for (const profile of some)
        if (known.has(profile.personId)) await this.#change(profile.personId, () => profile);
    }
  }

  /** Null when there is no such profile. */
  async #change(personId: number, next: (profile: Profile) => Profile): Promise<Profile | null> {
    const { changed } = await inAttempts(async () => {
      await this.#settleMove(personId);
      const current = (await this.#reader.byIds([personId])).get(personId);
      if (!current) return { changed: null };
      const wanted = next(current);
      const [from, to] = [keyIn(current), keyIn(wanted)];
      const write = (document: ProfileDocument): ProfileDocument | null => {
        const { claim, ...rest } = document;
        const profile = profileIn(document, claim?.text ?? null);
        if (!profile || claim?.moving !== undefined || keyIn(profile) !== from) return null;
        return { ...rest, ...profileDocument(next(profile)) };
      };
      if (to !== undefined && to !== from) return this.#claimAndChange(wanted, to, write);
      const document = await this.#profiles.change({ _id: personId }, write);
      if (document && from !== to && from !== undefined) await this.#ownClaims.free(from);
      return document && { changed: document };
    });
    return changed && profileIn(changed, changed.claim?.text ?? null);
  }

  /** Null after a conflict. Throws AssocIdTakenError. */
  async #claimAndChange(
    { personId, assocId }: Profile,
    key: string,
    write: (document: ProfileDocument) => ProfileDocument | null,
  ): Promise<{ readonly changed: ProfileDocument } | null> {
    const claimed = await this.#ownClaims.change(personId, key, write);
    if (claimed.outcome === 'done') return { changed: claimed.document };
    // Another process may give this person the same association id at this moment.
    if (claimed.outcome !== 'taken' || claimed.owner === personId) return null;
    throw new AssocIdTakenError(assocId ?? '', Number(claimed.owner));
  }

  /** Marks both profiles, then passes the claim on, which decides. Returns false when any of the three has changed. */
  async #pass(claim: ClaimDocument, { personId, spaceId, assocId }: Giver, into: number): Promise<boolean> {
    const moving = claim.token;
    const key = claimKey(spaceId, assocId);
    const given = await this.#profiles.change({ _id: personId }, (document) =>
      document.claim?.key === key && document.claim.moving === undefined
        ? { ...document, claim: { ...document.claim, moving } }
        : null,
    );
    if (!given) return false;
    // A claim that the taker has under way ends here.
    const taken = await this.#profiles.change({ _id: into }, ({ claiming: _, ...document }) =>
      document.name !== undefined && document.claim === undefined
        ? { ...document, claim: { key, text: assocId, owner: into, moving } }
        : null,
    );
    return taken !== null && this.#claims.pass(claim, into);
  }

  /** Ends a handover that has marked this profile, as its claim says. */
  async #settleMove(personId: number): Promise<void> {
    const { claim } = (await this.#profiles.findOne({ _id: personId })) ?? {};
    if (claim?.moving === undefined) return;
    const { moving, ...settled } = claim;
    const owner = await this.#claims.end(assocClaim(claim.key), moving);
    await this.#profiles.change({ _id: personId }, ({ claim: marked, ...document }) => {
      if (marked?.moving !== moving) return null;
      return owner === personId ? { ...document, claim: settled } : document;
    });
  }

  /** Returns false after a conflict. Throws AssocIdTakenError. */
  async #insertBatch(profiles: readonly Profile[]): Promise<boolean> {
    if (profiles.length === 0) return true;
    const token = this.#batches.newToken();
    const documents = profiles.map((profile) => ({ ...profileDocument(profile), batch: token }));
    const claims = documents.flatMap((document): ClaimDocument[] => {
      const key = heldBy(document);
      return key === undefined ? [] : [{ _id: key, owner: document._id, token }];
    });
    const ids = profiles.map(({ personId }) => personId);
    const among = { _id: { $gte: Math.min(...ids), $lte: Math.max(...ids) } };
    let taken: ClaimDocument | null = null;
    try {
      await this.#profiles.insertMany(documents);
      taken = await this.#ownClaims.claimAll(claims);
      if (!taken && (await this.#batches.decide(token, true, among))) return true;
      await this.#discard(token, claims, among);
    } catch (error) {
      await this.#discard(token, claims, among);
      if (duplicateIndexes(error) === null) throw error;
    }
    if (!taken) return false;
    const { _id: key, owner } = taken;
    const refused = profiles.find((profile) => keyIn(profile) === key);
    throw new AssocIdTakenError(refused?.assocId ?? '', Number(owner));
  }

  async #discard(token: string, claims: readonly ClaimDocument[], among: DocumentFilter): Promise<void> {
    await this.#batches.decide(token, false, among);
    // Those that were claimed after another process had discarded the batch.
    const left = await this.#claims.ofAll(claims.map(({ _id }) => _id));
    for (const claim of left.values()) if (claim.token === token) await this.#ownClaims.free(claim._id);
  }
}

const keyIn = ({ spaceId, assocId }: Profile): string | undefined =>
  assocId === null ? undefined : assocClaim(claimKey(spaceId, assocId));

const heldBy = ({ claim }: Pick<ProfileDocument, 'claim'>): string | undefined =>
  claim && assocClaim(claim.key);
