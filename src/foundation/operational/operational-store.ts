/**
 * The port to data that must not come from events: person profiles (personal data that can be erased), accounts with
 * their sessions, and the use of API keys. It is backed up, and replay never touches it. Guarantees unique person ids in
 * the database, and unique association ids in a space without regard to case. Adapters: SQLite (embedded) and MongoDB;
 * both pass test/contract/foundation/operational/operational-store.contract.ts.
 */
import { StoreUnavailableError } from '../basics/store-unavailable.js';
import type { AccountStore, StoredAccount, StoredSession } from './account-store.js';
import type { AlertRow, AlertStore } from './alert-store.js';
import type { AuditEntry, AuditStore } from './audit-store.js';
import type { FailureStore } from './failure-store.js';
import type { LogCountStore } from './log-count-store.js';
import type { RefusedEntryStore } from './refused-entry-store.js';
import type { WitnessStore } from './witness-store.js';

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
  /** The association's id as it was entered; compared without regard to case. */
  readonly assocId: string | null;
}

export type NewProfile = Omit<Profile, 'personId'>;
export type ProfileChange = Partial<Pick<Profile, 'name' | 'localizedName' | 'assocId'>>;

/** One record of an operational store, for a copy to another store. */
export type OperationalRecord =
  /** The highest person id ever assigned, including erased persons. */
  | { readonly kind: 'last-person-id'; readonly personId: number }
  | { readonly kind: 'profile'; readonly profile: Profile }
  | { readonly kind: 'key-use'; readonly use: KeyUse }
  | { readonly kind: 'account'; readonly account: StoredAccount }
  | { readonly kind: 'session'; readonly session: StoredSession }
  | { readonly kind: 'audit'; readonly entry: AuditEntry }
  /** Of the hashes in the audit trail. */
  | { readonly kind: 'audit-secret'; readonly secret: string }
  | { readonly kind: 'alert'; readonly row: AlertRow };

export interface OperationalStore {
  /** Accounts and their sessions. */
  readonly accounts: AccountStore;
  /** What it remembers of the event stores. No record of `records()`. */
  readonly witnesses: WitnessStore;
  /** What was done with accounts and credentials. */
  readonly audit: AuditStore;
  /** Failed credentials of the last two hours. No record of `records()`. */
  readonly failures: FailureStore;
  /** Entries that projects have written into the logs of a day. No record of `records()`. */
  readonly logCounts: LogCountStore;
  /** Log entries that were refused. No record of `records()`. */
  readonly refusedEntries: RefusedEntryStore;
  /** Alerts on the logs, their runs, and drains. */
  readonly alerts: AlertStore;

  /** Assigns the next person id of the database. An id is never assigned twice, even after an erasure. */
  createProfile(profile: NewProfile): Promise<Profile>;
  /** Creates all profiles or none. Returns them in the same order. */
  createProfiles(profiles: readonly NewProfile[]): Promise<readonly Profile[]>;
  /** Null when there is no such profile. */
  updateProfile(personId: number, change: ProfileChange): Promise<Profile | null>;
  /**
   * Moves the association id of `from` to `into` atomically; both are in one space, and `into` has none. Returns false
   * when `from` has no association id, or `into` cannot take it.
   */
  handOverAssocId(from: number, into: number): Promise<boolean>;
  /** Removes every trace of the profile. */
  eraseProfile(personId: number): Promise<void>;
  /** Returns the profiles that exist, by id. */
  profiles(personIds: readonly number[]): Promise<ReadonlyMap<number, Profile>>;
  /** Returns the profiles that exist, by association id in lower case. */
  profilesByAssocId(spaceId: string, assocIds: readonly string[]): Promise<ReadonlyMap<string, Profile>>;
  /** Returns the profiles with exactly this name. */
  profilesByName(spaceId: string, name: string): Promise<readonly Profile[]>;
  /**
   * Returns profiles whose name, localized name or association id contains the text, by name then id. Empty text: all.
   * `page.after`: the last person id of the page before.
   */
  searchProfiles(
    spaceId: string,
    text: string,
    page: { readonly after?: number; readonly limit: number },
  ): Promise<readonly Profile[]>;

  /** Adds to a key's counters. Best effort: flushed within a second; a crash may lose it. */
  recordKeyUse(
    keyId: string,
    use: { readonly at: number; readonly accepted: number; readonly refused: number },
  ): void;
  /** Returns the uses of the keys that were used, by key id. */
  keyUses(keyIds: readonly string[]): Promise<ReadonlyMap<string, KeyUse>>;

  /** Whether it takes writes now. Costs nothing while they succeed; after one that failed it tries one. */
  takesWrites(): Promise<boolean>;

  /** Yields every record in chunks; the last person id is first. */
  records(): AsyncIterable<readonly OperationalRecord[]>;
  /**
   * Puts records of another store unchanged, and replaces existing ones. Throws AssocIdTakenError or EmailTakenError, and
   * then puts none. Idempotent: after a crash, call it again.
   */
  putRecords(records: readonly OperationalRecord[]): Promise<void>;

  /**
   * Writes a consistent copy into a new SQLite operational store, whatever engine this store has, while it is in use.
   * Throws when the file exists.
   */
  backup(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Another profile of the space has this association id. */
/** An operational store that is examined, and not changed. */
export interface ExaminedOperational {
  readonly witnesses: Pick<WitnessStore, 'read'>;
  close(): Promise<void>;
}

export class AssocIdTakenError extends Error {
  constructor(
    readonly assocId: string,
    readonly takenBy: number,
  ) {
    super(`assocId ${assocId} is taken by person ${takenBy}`);
    this.name = 'AssocIdTakenError';
  }
}

/** The store cannot be used now; a later retry may succeed. */
export class OperationalUnavailableError extends StoreUnavailableError {
  override readonly store = 'the operational store';
}

/** Injection token of the OperationalStore. */
export const OPERATIONAL_STORE = Symbol('OperationalStore');
