/**
 * The documents that the operational store keeps in MongoDB. An association id is a claim, which lies in the document of
 * the profile that was first to bear it and names its owner: handing it over changes one field of one document, and a
 * unique index on its key keeps it single.
 */
import { caseFolded } from '../../../foundation/operational/case-folded.js';
import type { KeyUse, NewProfile, Profile } from '../../../foundation/operational/operational-store.js';

export interface Claim {
  /** Space and association id, folded: unique. */
  readonly key: string;
  /** As it was typed. */
  readonly text: string;
  /** Whose it is: unique, as a person has one association id at most. */
  readonly owner: number;
}

/** The person's id; a text where there is nothing but a claim that had no room elsewhere. */
export type ProfileId = number | string;

export interface ProfileDocument {
  readonly _id: ProfileId;
  /** The profile; none where only the claim of somebody else is left. */
  readonly spaceId?: string;
  readonly name?: string;
  readonly localizedName?: string | null;
  /** What searchProfiles looks in besides claims, folded. */
  readonly search?: string;
  readonly claim?: Claim;
  /** Made together with others, and there only if the batch was kept. */
  readonly batch?: string;
}

/** What became of a batch: whoever writes this first decides it. */
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

export const searchText = ({ name, localizedName }: Pick<NewProfile, 'name' | 'localizedName'>): string =>
  [name, localizedName].map((text) => caseFolded(text ?? '')).join(BETWEEN);

export const profileDocument = ({ personId, assocId, ...profile }: Profile): ProfileDocument => {
  const { spaceId, name, localizedName } = profile;
  const document = { _id: personId, spaceId, name, localizedName, search: searchText(profile) };
  if (assocId === null) return document;
  return { ...document, claim: { key: claimKey(spaceId, assocId), text: assocId, owner: personId } };
};

/** Null: the document holds no profile. */
export const profileIn = (
  { _id, spaceId, name, localizedName }: ProfileDocument,
  assocId: string | null,
): Profile | null => {
  if (typeof _id !== 'number' || spaceId === undefined || name === undefined) return null;
  return { personId: _id, spaceId, name, localizedName: localizedName ?? null, assocId };
};
