/**
 * The documents of the operational store in MongoDB. Where unique indexes keep association ids apart, an association id stays
 * in the document of the profile that first had it, and names its owner; a handover changes one field of one document. Where
 * claims do (claims.ts), each profile holds its own.
 */
import { caseFolded } from '../../../foundation/operational/case-folded.js';
import type { KeyUse, NewProfile, Profile } from '../../../foundation/operational/operational-store.js';
import type { ShardKeys } from '../shard-keys.js';
import type { Claiming } from './claims.js';

/** All of it is small: 2 million persons are 1 GB. So ranges of ids, which lists and retention read, matter more than an even spread. */
export const OPERATIONAL_SHARD_KEYS: ShardKeys = {
  profiles: 'ranged',
  batches: 'ranged',
  counters: 'ranged',
  key_uses: 'ranged',
  accounts: 'ranged',
  claims: 'ranged',
  layout: 'ranged',
  sessions: 'ranged',
  challenges: 'ranged',
  installation: 'ranged',
  witnesses: 'ranged',
  node_failures: 'ranged',
  log_counts: 'ranged',
  refused_entries: 'ranged',
  audit: 'ranged',
  audit_secret: 'ranged',
  alerts: 'ranged',
  inventory: 'ranged',
  checksums: 'ranged',
};

export interface Claim {
  /** Space and association id, case-folded; unique. */
  readonly key: string;
  /** The association id as it was entered. */
  readonly text: string;
  /** The owner's person id; unique, because a person has at most one association id. */
  readonly owner: number;
  /**
   * In both profiles of a handover that is under way: the token of the claim that it passes on. The profile that the claim of the key
   * names has the association id.
   */
  readonly moving?: string;
}

/** The person's id; a string for a document that holds only a claim. */
export type ProfileId = number | string;

export interface ProfileDocument extends Claiming {
  readonly _id: ProfileId;
  /** The profile; absent when only another person's claim is left. */
  readonly spaceId?: string;
  readonly name?: string;
  readonly localizedName?: string | null;
  /** Case-folded text that searchProfiles scans, besides the claims. */
  readonly search?: string;
  readonly claim?: Claim;
  /** Token of the batch that made the profile. It is visible only when the batch was kept. */
  readonly batch?: string;
}

/** The decision about a batch: the first writer of this document decides. */
export interface BatchDocument {
  readonly _id: string;
  readonly isKept: boolean;
}

export interface CounterDocument {
  readonly _id: string;
  readonly last: number;
}

export type KeyUseDocument = Omit<KeyUse, 'keyId'> & { readonly _id: string };

const BETWEEN = '\n';

export const claimKey = (spaceId: string, assocId: string): string => spaceId + BETWEEN + caseFolded(assocId);

/** Id of the claim of an association id in a space. */
export const assocClaim = (key: string): string => `person${BETWEEN}${key}`;

const OF_EMAIL = `email${BETWEEN}`;

/** Id of the claim of an email. */
export const emailClaim = (emailKey: string): string => OF_EMAIL + emailKey;

export const isEmailClaim = (id: string): boolean => id.startsWith(OF_EMAIL);

export const searchText = ({ name, localizedName }: Pick<NewProfile, 'name' | 'localizedName'>): string =>
  [name, localizedName].map((text) => caseFolded(text ?? '')).join(BETWEEN);

export const profileDocument = ({ personId, assocId, ...profile }: Profile): ProfileDocument => {
  const { spaceId, name, localizedName } = profile;
  const document = { _id: personId, spaceId, name, localizedName, search: searchText(profile) };
  if (assocId === null) return document;
  return { ...document, claim: { key: claimKey(spaceId, assocId), text: assocId, owner: personId } };
};

/** Null when the document holds no profile. */
export const profileIn = (
  { _id, spaceId, name, localizedName }: ProfileDocument,
  assocId: string | null,
): Profile | null => {
  if (typeof _id !== 'number' || spaceId === undefined || name === undefined) return null;
  return { personId: _id, spaceId, name, localizedName: localizedName ?? null, assocId };
};
