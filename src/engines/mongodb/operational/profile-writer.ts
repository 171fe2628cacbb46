/** Changes profiles. Where association ids have unique indexes and where they have claims, this takes other steps. */
import { caseFolded } from '../../../foundation/operational/case-folded.js';
import {
  AssocIdTakenError,
  type NewProfile,
  type Profile,
  type ProfileChange,
} from '../../../foundation/operational/operational-store.js';
import { claimKey } from './documents.js';
import type { ProfileReader } from './profile-reader.js';

export interface ProfileWriter {
  /** Makes the indexes, and settles what other processes left open. */
  prepare(): Promise<void>;
  create(profile: NewProfile): Promise<Profile>;
  createAll(profiles: readonly NewProfile[]): Promise<readonly Profile[]>;
  /** Null when there is no such profile. */
  update(personId: number, change: ProfileChange): Promise<Profile | null>;
  handOver(from: number, into: number): Promise<boolean>;
  erase(personId: number): Promise<void>;
  /** Inserts or replaces the profiles. The caller has checked that their association ids are free. */
  put(profiles: readonly Profile[]): Promise<void>;
  /** Of these claims of association ids, removes those that dead processes have left. Only where there are claims. */
  tidy?(keys: readonly string[]): Promise<void>;
}

/** With these ids, of which `last` is the last one. */
export const numbered = (profiles: readonly NewProfile[], last: number): readonly Profile[] =>
  profiles.map(({ spaceId, name, localizedName, assocId }, place) => ({
    ...{ spaceId, name, localizedName, assocId },
    personId: last - profiles.length + 1 + place,
  }));

export interface Giver extends Profile {
  readonly assocId: string;
}

/** Who hands an association id over to `into`. Null: `from` has none, or the other one has one or is of another space. */
export const giverOf = async (reader: ProfileReader, from: number, into: number): Promise<Giver | null> => {
  const profiles = await reader.byIds([from, into]);
  const [giver, taker] = [profiles.get(from), profiles.get(into)];
  if (!giver || !taker || giver.assocId === null || giver.spaceId !== taker.spaceId) return null;
  return taker.assocId === null ? { ...giver, assocId: giver.assocId } : null;
};

/** Throws AssocIdTakenError when another profile has the association id of one of these. */
export const refuseTaken = async (reader: ProfileReader, profiles: readonly Profile[]): Promise<void> => {
  refuseTwice(profiles);
  for (const spaceId of new Set(profiles.map((profile) => profile.spaceId))) {
    const own = profiles.filter((profile) => profile.spaceId === spaceId);
    const assocIds = own.flatMap(({ assocId }) => assocId ?? []);
    const holders = await reader.byAssocIds(spaceId, assocIds);
    for (const { personId, assocId } of own) {
      const holder = assocId !== null && holders.get(caseFolded(assocId));
      if (holder && holder.personId !== personId) throw new AssocIdTakenError(assocId, holder.personId);
    }
  }
};

/** Throws AssocIdTakenError when two of them have the same association id. */
export const refuseTwice = (profiles: readonly Profile[]): void => {
  const holders = new Map<string, number>();
  for (const { spaceId, assocId, personId } of profiles) {
    if (assocId === null) continue;
    const key = claimKey(spaceId, assocId);
    const holder = holders.get(key);
    if (holder !== undefined) throw new AssocIdTakenError(assocId, holder);
    holders.set(key, personId);
  }
};
