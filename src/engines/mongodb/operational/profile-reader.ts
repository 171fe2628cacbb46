/**
 * Reads profiles with their claims. One query reads both, so during a handover exactly one of the two profiles has the
 * association id. Guarantees that profiles of one batch are visible together or not at all.
 */

import { caseFolded } from '../../../foundation/operational/case-folded.js';
import type { Profile } from '../../../foundation/operational/operational-store.js';
import { chunksOf } from '../chunks.js';
import type { MongoConnection } from '../mongo-connection.js';
import { claimKey, type ProfileDocument, profileIn } from './documents.js';
import type { ProfileCollections } from './profile-collections.js';
import type { DocumentFilter } from './summed-collection.js';

export class ProfileReader {
  readonly #connection: MongoConnection;
  readonly #profiles: ProfileCollections['profiles'];
  readonly #batches: ProfileCollections['batches'];

  constructor(connection: MongoConnection, { profiles, batches }: ProfileCollections) {
    this.#connection = connection;
    this.#profiles = profiles;
    this.#batches = batches;
  }

  /** Returns the profiles that exist, by id. */
  async byIds(personIds: readonly number[]): Promise<ReadonlyMap<number, Profile>> {
    const found = new Map<number, Profile>();
    for (const ids of chunksOf([...new Set(personIds)])) {
      const documents = await this.#find({ $or: [{ _id: { $in: ids } }, { 'claim.owner': { $in: ids } }] });
      const claims = new Map(documents.flatMap(({ claim }) => (claim ? [[claim.owner, claim.text]] : [])));
      const wanted = new Set<unknown>(ids);
      for (const document of await this.#visible(documents.filter(({ _id }) => wanted.has(_id)))) {
        const profile = profileIn(document, claims.get(Number(document._id)) ?? null);
        if (profile) found.set(profile.personId, profile);
      }
    }
    return found;
  }

  /** By association id in lower case. */
  async byAssocIds(spaceId: string, assocIds: readonly string[]): Promise<ReadonlyMap<string, Profile>> {
    const keys = [...new Set(assocIds.map((assocId) => claimKey(spaceId, assocId)))];
    const holders = await this.#find({ 'claim.key': { $in: keys } });
    const profiles = await this.byIds(holders.flatMap(({ claim }) => claim?.owner ?? []));
    const found = new Map<string, Profile>();
    for (const profile of profiles.values()) {
      if (profile.assocId !== null) found.set(caseFolded(profile.assocId), profile);
    }
    return new Map(
      [...new Set(assocIds.map(caseFolded))].flatMap((assocId) => {
        const profile = found.get(assocId);
        return profile ? [[assocId, profile] as const] : [];
      }),
    );
  }

  /** By id. */
  async byName(spaceId: string, name: string): Promise<readonly Profile[]> {
    const named = await this.#profiles.find({ spaceId, name }, { sort: { _id: 1 } });
    const profiles = await this.byIds(named.map(({ _id }) => Number(_id)));
    return [...profiles.values()].sort((a, b) => a.personId - b.personId);
  }

  /** By name, then id. */
  async search(
    spaceId: string,
    text: string,
    { after, limit }: { readonly after?: number; readonly limit: number },
  ): Promise<readonly Profile[]> {
    let last: ProfileDocument | null = null;
    if (after !== undefined) {
      last = await this.#profiles.findOne({ _id: after });
      if (!last) return [];
    }
    const matching = await this.#matching(spaceId, caseFolded(text));
    const found: Profile[] = [];
    while (found.length < limit) {
      const page: readonly ProfileDocument[] = await this.#profiles.find(
        { $and: [matching, ...(last ? [behind(last)] : [])] },
        { sort: { name: 1, _id: 1 }, limit },
      );
      const profiles = await this.byIds(page.map(({ _id }) => Number(_id)));
      found.push(...page.flatMap(({ _id }) => profiles.get(Number(_id)) ?? []));
      last = page.at(-1) ?? null;
      if (page.length < limit) break;
    }
    return found.slice(0, limit);
  }

  /** The document that holds the claim. */
  async claimant(key: string): Promise<ProfileDocument | null> {
    return this.#profiles.findOne({ 'claim.key': key });
  }

  async #matching(spaceId: string, text: string): Promise<DocumentFilter> {
    if (text === '') return { spaceId };
    const containing = text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
    const start = claimKey(spaceId, '').replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
    const claims = await this.#find({ 'claim.key': { $regex: `^${start}.*${containing}` } });
    const owners = claims.flatMap(({ claim }) => claim?.owner ?? []);
    return { spaceId, $or: [{ search: { $regex: containing } }, { _id: { $in: owners } }] };
  }

  /** Reads one snapshot, if the server has snapshot reads. */
  async #find(filter: DocumentFilter): Promise<readonly ProfileDocument[]> {
    const { snapshotReads } = await this.#connection.capabilities();
    return this.#profiles.find(filter, snapshotReads ? { readConcern: { level: 'snapshot' } } : {});
  }

  /** Leaves out profiles of batches that are not kept. */
  async #visible(documents: readonly ProfileDocument[]): Promise<readonly ProfileDocument[]> {
    const tokens = [...new Set(documents.flatMap(({ batch }) => batch ?? []))];
    if (tokens.length === 0) return documents;
    const decided = await this.#batches.find({ _id: { $in: tokens } });
    const kept = new Map(decided.map(({ _id, isKept }) => [_id, isKept]));
    const open = documents.filter(({ batch }) => batch !== undefined && !kept.has(batch));
    // A kept batch loses its mark before its decision is deleted, so an open profile may belong to a kept batch.
    const now = await this.#profiles.find({ _id: { $in: open.map(({ _id }) => _id) } });
    const closed = new Set(now.filter(({ batch }) => batch === undefined).map(({ _id }) => _id));
    return documents.filter(({ _id, batch }) => batch === undefined || (kept.get(batch) ?? closed.has(_id)));
  }
}

const behind = ({ _id, name = '' }: ProfileDocument): DocumentFilter => ({
  $or: [{ name: { $gt: name } }, { name, _id: { $gt: _id } }],
});
