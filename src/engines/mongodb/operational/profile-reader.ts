/**
 * Reads profiles with their association ids. During a handover exactly one of the two profiles has the association id: where
 * unique indexes keep them apart, one query reads both; where claims do, the claim names the one that has it. Guarantees that
 * profiles of one batch are visible together or not at all.
 */

import { caseFolded } from '../../../foundation/operational/case-folded.js';
import {
  OperationalUnavailableError,
  type Profile,
} from '../../../foundation/operational/operational-store.js';
import { chunksOf } from '../chunks.js';
import type { MongoConnection } from '../mongo-connection.js';
import type { Claims } from './claims.js';
import { assocClaim, claimKey, type ProfileDocument, profileIn } from './documents.js';
import type { Layout } from './layout.js';
import type { ProfileCollections } from './profile-collections.js';
import type { DocumentFilter } from './summed-collection.js';

/** Attempts against a handover that is under way. */
const MAX_ATTEMPTS = 20;

export interface ProfileReaderParts {
  readonly connection: MongoConnection;
  readonly layout: Layout;
  readonly claims: Claims;
}

export class ProfileReader {
  readonly #connection: MongoConnection;
  readonly #layout: Layout;
  readonly #claims: Claims;
  readonly #profiles: ProfileCollections['profiles'];
  readonly #batches: ProfileCollections['batches'];

  constructor({ connection, layout, claims }: ProfileReaderParts, { profiles, batches }: ProfileCollections) {
    this.#connection = connection;
    this.#layout = layout;
    this.#claims = claims;
    this.#profiles = profiles;
    this.#batches = batches;
  }

  /** Returns the profiles that exist, by id. */
  async byIds(personIds: readonly number[]): Promise<ReadonlyMap<number, Profile>> {
    const found = new Map<number, Profile>();
    const hasClaims = await this.#layout.hasClaims();
    for (const ids of chunksOf([...new Set(personIds)])) {
      const documents = hasClaims
        ? await this.#withOwnClaims(ids)
        : await this.#find({ $or: [{ _id: { $in: ids } }, { 'claim.owner': { $in: ids } }] });
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
    const wanted = new Map(assocIds.map((assocId) => [claimKey(spaceId, assocId), caseFolded(assocId)]));
    const found = new Map<string, Profile>();
    let owners = await this.#ownersOf([...wanted.keys()]);
    for (let count = 0; owners.size > 0 && count < MAX_ATTEMPTS; count += 1) {
      const profiles = await this.byIds([...owners.values()]);
      for (const profile of profiles.values()) {
        if (profile.spaceId === spaceId && profile.assocId !== null)
          found.set(caseFolded(profile.assocId), profile);
      }
      // One that was handed over between the two reads has another owner now.
      const missing = [...owners.keys()].filter((key) => !found.has(wanted.get(key) ?? ''));
      const before = owners;
      owners = missing.length === 0 ? new Map() : await this.#ownersOf(missing);
      if (missing.every((key) => owners.get(key) === before.get(key))) break;
    }
    return new Map(
      [...new Set(wanted.values())].flatMap((assocId) => {
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

  /** Who has these association ids, or is about to, by their keys. */
  async #ownersOf(keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (await this.#layout.hasClaims()) {
      const claims = await this.#claims.ofAll(keys.map(assocClaim));
      return new Map(
        keys.flatMap((key) => {
          const claim = claims.get(assocClaim(key));
          return claim ? [[key, Number(claim.owner)] as const] : [];
        }),
      );
    }
    const holders = await this.#find({ 'claim.key': { $in: keys } });
    return new Map(holders.flatMap(({ claim }) => (claim ? [[claim.key, claim.owner] as const] : [])));
  }

  /** The profiles' documents, of which each has the claims that are its own. */
  async #withOwnClaims(ids: readonly number[]): Promise<readonly ProfileDocument[]> {
    let documents = await this.#find({ _id: { $in: ids } });
    for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
      const moving = documents.flatMap(({ claim }) =>
        claim?.moving === undefined ? [] : assocClaim(claim.key),
      );
      if (moving.length === 0) return documents;
      const owners = await this.#claims.ofAll(moving);
      const again = await this.#find({ _id: { $in: ids } });
      // The marks were there before and after, so they were when the claims were read.
      if (marksIn(again) === marksIn(documents))
        return again.map(({ claim, ...document }) =>
          claim && (claim.moving === undefined || owners.get(assocClaim(claim.key))?.owner === document._id)
            ? { ...document, claim }
            : document,
        );
      documents = again;
    }
    throw new OperationalUnavailableError('association ids are being handed over again and again', {});
  }

  async #matching(spaceId: string, text: string): Promise<DocumentFilter> {
    if (text === '') return { spaceId };
    const containing = text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
    const start = claimKey(spaceId, '').replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
    const claims = await this.#find({ 'claim.key': { $regex: `^${start}.*${containing}` } });
    const moving = claims.flatMap(({ claim }) => (claim?.moving === undefined ? [] : claim.owner));
    const moved = moving.length === 0 ? null : await this.byIds(moving);
    const owners = claims.flatMap(({ claim }) => {
      const isMoved = claim?.moving !== undefined && (moved?.get(claim.owner)?.assocId ?? null) === null;
      return claim && !isMoved ? claim.owner : [];
    });
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

const marksIn = (documents: readonly ProfileDocument[]): string =>
  JSON.stringify(documents.map(({ _id, claim }) => [_id, claim?.key, claim?.moving]).sort());

const behind = ({ _id, name = '' }: ProfileDocument): DocumentFilter => ({
  $or: [{ name: { $gt: name } }, { name, _id: { $gt: _id } }],
});
