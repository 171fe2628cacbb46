/**
 * The port to what is not derived from events and must not be: person profiles (personal data that can be erased),
 * accounts and their sessions, and when an API key was last used. It is backed up, never touched by replay. It also keeps what only a unique
 * index can keep: person ids, unique in the database, and association ids, unique in a space without regard to case.
 * Adapters: SQLite (embedded) and MongoDB, both held to test/contract/foundation/operational/operational-store.contract.ts.
 */
import { StoreUnavailableError } from '../basics/store-unavailable.js';
import type { AccountStore, StoredAccount, StoredSession } from './account-store.js';

/** Use of one API key since it was issued. */
export interface KeyUse {
  readonly keyId: string;
  /** Milliseconds since 1970; null: never used. */
  readonly lastUsedAt: number | null;
  readonly accepted: number;
  readonly refused: number;
}

/** Personal data of a person. */
export interface Profile {
  readonly personId: number;
  readonly spaceId: string;
  readonly name: string;
  /** The name in the person's own script. */
  readonly localizedName: string | null;
  /** The association's id as it was typed; compared without case. */
  readonly assocId: string | null;
}

export type NewProfile = Omit<Profile, 'personId'>;
export type ProfileChange = Partial<Pick<Profile, 'name' | 'localizedName' | 'assocId'>>;

/** A piece of what an operational store holds, for moving it to another. */
export type OperationalRecord =
  /** The newest person id that was ever given, also to somebody who was erased since. */
  | { readonly kind: 'last-person-id'; readonly personId: number }
  | { readonly kind: 'profile'; readonly profile: Profile }
  | { readonly kind: 'key-use'; readonly use: KeyUse }
  | { readonly kind: 'account'; readonly account: StoredAccount }
  | { readonly kind: 'session'; readonly session: StoredSession };

export interface OperationalStore {
  /** Who may sign in, and who is signed in. */
  readonly accounts: AccountStore;

  /** Gives the person the next id of the database; an id is never given twice, even after an erasure. */
  createProfile(profile: NewProfile): Promise<Profile>;
  /** Many at once, all or none, in order. */
  createProfiles(profiles: readonly NewProfile[]): Promise<readonly Profile[]>;
  /** Null when there is no such profile. */
  updateProfile(personId: number, change: ProfileChange): Promise<Profile | null>;
  /**
   * Moves the association id of one profile to another of the same space that has none, in one step. False when there
   * is nothing to move, or nowhere to move it to.
   */
  handOverAssocId(from: number, into: number): Promise<boolean>;
  /** Removes every trace of the profile. */
  eraseProfile(personId: number): Promise<void>;
  /** Those that exist. */
  profiles(personIds: readonly number[]): Promise<ReadonlyMap<number, Profile>>;
  /** By association id in lower case; those that exist. */
  profilesByAssocId(spaceId: string, assocIds: readonly string[]): Promise<ReadonlyMap<string, Profile>>;
  /** Whose name is exactly this. */
  profilesByName(spaceId: string, name: string): Promise<readonly Profile[]>;
  /** Whose name, localized name or association id contains the text, by name then id. Empty text: all. */
  searchProfiles(
    spaceId: string,
    text: string,
    page: { readonly after?: number; readonly limit: number },
  ): Promise<readonly Profile[]>;

  /** Adds to a key's counters. Best effort: written soon, not awaited by entry. */
  recordKeyUse(
    keyId: string,
    use: { readonly at: number; readonly accepted: number; readonly refused: number },
  ): void;
  keyUses(keyIds: readonly string[]): Promise<ReadonlyMap<string, KeyUse>>;

  /** All that the store holds, chunk by chunk; the last person id comes first. */
  records(): AsyncIterable<readonly OperationalRecord[]>;
  /**
   * Puts records of another store in as they are; one that is there already is replaced. Throws AssocIdTakenError
   * and EmailTakenError, and then none is in. What a crash leaves half done is completed by doing it again.
   */
  putRecords(records: readonly OperationalRecord[]): Promise<void>;

  /**
   * A consistent copy into a new file, while in use: an operational store on SQLite, whatever this one is on. Throws when
   * the file is there.
   */
  backup(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Another profile of the space bears this association id. */
export class AssocIdTakenError extends Error {
  constructor(
    readonly assocId: string,
    readonly takenBy: number,
  ) {
    super(`assocId ${assocId} is taken by person ${takenBy}`);
    this.name = 'AssocIdTakenError';
  }
}

/** The store cannot be used now; the same again later may succeed. */
export class OperationalUnavailableError extends StoreUnavailableError {}

/** Injection token of the OperationalStore. */
export const OPERATIONAL_STORE = Symbol('OperationalStore');
