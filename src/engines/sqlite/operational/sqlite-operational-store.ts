/**
 * Profiles, accounts and key use in their own SQLite file. No replay can restore this data, so every profile change is on
 * disk (synchronous=FULL) before it is answered. Ids come from AUTOINCREMENT, which never assigns one twice. Writes wait
 * for the disk and for locks in the thread that asks; a server has them done in another (threaded-operational-store.ts).
 */

import { Worker } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { RequestThread } from '../../../foundation/basics/request-thread.js';
import { threadUrl } from '../../../foundation/basics/threads.js';
import type { Damage, ScrubStep, Verifiable } from '../../../foundation/integrity/damage.js';
import type { DamageListener } from '../../../foundation/integrity/damage-log.js';
import { caseFolded } from '../../../foundation/operational/case-folded.js';
import { KeyUseBuffer } from '../../../foundation/operational/key-use-buffer.js';
import {
  AssocIdTakenError,
  type KeyUse,
  type NewProfile,
  type OperationalRecord,
  type OperationalStore,
  type Profile,
  type ProfileChange,
} from '../../../foundation/operational/operational-store.js';
import { emptyLog, NO_WAIT_MS } from '../locks.js';
import { damageOfFile, opening, openOperationalFile, openSums } from './operational-file.js';
import { PROFILE_COLUMNS, type ProfileRow, rowOf } from './profile-row.js';
import type { ProfileSearch } from './profile-search.js';
import type { RowSums } from './row-sums.js';
import { SqliteAccounts } from './sqlite-accounts.js';
import { SqliteAlerts } from './sqlite-alerts.js';
import { SqliteAudit } from './sqlite-audit.js';
import { SqliteFailures } from './sqlite-failures.js';
import { SqliteLogCounts } from './sqlite-log-counts.js';
import { SqliteRecords } from './sqlite-records.js';
import { SqliteRefusedEntries } from './sqlite-refused-entries.js';
import { SqliteWitnesses } from './sqlite-witnesses.js';

export interface SqliteOperationalOptions {
  /** Starts the thread of searches now, and compares the rows of a small file with their checksums. Default: neither. */
  readonly startsThreads?: boolean;
  /** Called with the damage that a read meets, and at the start with that of a table or of the file. */
  readonly onDamage?: DamageListener;
  /** Called when a scrub finds pages or indexes of the file damaged. */
  readonly onFileDamage?: (damage: Damage) => Promise<void>;
  /** Once it is open: `reader` refuses to write, and neither it nor `writer` stands still for a lock. Default: it does both and waits. */
  readonly role?: 'reader' | 'writer';
}

export class SqliteOperationalStore implements OperationalStore, Verifiable {
  readonly store = 'operational';
  readonly accounts: SqliteAccounts;
  readonly witnesses: SqliteWitnesses;
  readonly failures: SqliteFailures;
  readonly logCounts: SqliteLogCounts;
  readonly refusedEntries: SqliteRefusedEntries;
  readonly audit: SqliteAudit;
  readonly alerts: SqliteAlerts;
  readonly #db: Database.Database;
  readonly #statements: Statements;
  readonly #keyUses: KeyUseBuffer;
  readonly #sums: RowSums;
  readonly #path: string;
  readonly #onFileDamage: SqliteOperationalOptions['onFileDamage'];
  readonly #search: RequestThread<ProfileSearch, readonly Profile[]>;
  readonly #checks: RequestThread<'check', string | null>;

  /** Throws OperationalUnavailableError when the file cannot be opened or belongs to another program. */
  constructor(
    path: string,
    { startsThreads = false, onDamage, onFileDamage, role }: SqliteOperationalOptions = {},
  ) {
    const { db, sums, statements, accounts } = opened(path, { everyRow: startsThreads, onDamage });
    this.#db = db;
    this.#sums = sums;
    this.#statements = statements;
    this.accounts = accounts;
    this.witnesses = new SqliteWitnesses(this.#db);
    this.failures = new SqliteFailures(this.#db);
    this.logCounts = new SqliteLogCounts(this.#db);
    this.refusedEntries = new SqliteRefusedEntries(this.#db, this.#sums);
    this.audit = new SqliteAudit(this.#db, this.#sums);
    this.alerts = new SqliteAlerts(this.#db, this.#sums);
    this.#keyUses = new KeyUseBuffer((uses) => this.addKeyUses(uses));
    this.#search = new RequestThread(
      () => new Worker(threadUrl('profile-search.worker.js', import.meta.url), { workerData: { path } }),
    );
    this.#path = path;
    this.#onFileDamage = onFileDamage;
    this.#checks = new RequestThread(
      () => new Worker(threadUrl('operational-check.worker.js', import.meta.url), { workerData: { path } }),
    );
    if (startsThreads) void this.#search.start();
    if (role === 'reader') this.#db.pragma('query_only = ON');
    if (role !== undefined) this.#db.pragma(`busy_timeout = ${NO_WAIT_MS}`);
  }

  async createProfile(profile: NewProfile): Promise<Profile> {
    return this.#db.transaction(() => this.#create(profile)).immediate();
  }

  async createProfiles(profiles: readonly NewProfile[]): Promise<readonly Profile[]> {
    return this.#db.transaction(() => profiles.map((profile) => this.#create(profile))).immediate();
  }

  async updateProfile(personId: number, change: ProfileChange): Promise<Profile | null> {
    return this.#db
      .transaction(() => {
        const current = this.#statements.byId.get(personId);
        if (!current) return null;
        const changed: Profile = { ...current, ...change };
        this.#refuseTaken(changed, personId);
        this.#statements.update.run({ ...rowOf(changed), personId });
        return changed;
      })
      .immediate();
  }

  async handOverAssocId(from: number, into: number): Promise<boolean> {
    return this.#db
      .transaction(() => {
        const [giver, taker] = [this.#statements.byId.get(from), this.#statements.byId.get(into)];
        if (!giver || !taker || giver.assocId === null || taker.assocId !== null) return false;
        if (giver.spaceId !== taker.spaceId) return false;
        this.#statements.update.run({ ...rowOf({ ...giver, assocId: null }), personId: from });
        this.#statements.update.run({ ...rowOf({ ...taker, assocId: giver.assocId }), personId: into });
        return true;
      })
      .immediate();
  }

  /** Overwrites the row's bytes (secure_delete), and empties the WAL, which may still hold them. */
  async eraseProfile(personId: number): Promise<void> {
    this.#statements.erase.run(personId);
    emptyLog(this.#db);
  }

  async profiles(personIds: readonly number[]): Promise<ReadonlyMap<number, Profile>> {
    const found = this.#statements.byIds.all(JSON.stringify(personIds));
    const byId = new Map(found.map((profile) => [profile.personId, profile]));
    return personIds.every((personId) => byId.has(personId)) ? byId : this.#sums.complete('profiles', byId);
  }

  async profilesByAssocId(
    spaceId: string,
    assocIds: readonly string[],
  ): Promise<ReadonlyMap<string, Profile>> {
    const found = new Map<string, Profile>();
    for (const assocKey of new Set(assocIds.map(caseFolded))) {
      const profile = this.#statements.byAssocKey.get(spaceId, assocKey);
      if (profile) found.set(assocKey, profile);
      else this.#sums.complete('profiles', null);
    }
    return found;
  }

  async profilesByName(spaceId: string, name: string): Promise<readonly Profile[]> {
    return this.#sums.complete('profiles', this.#statements.byName.all(spaceId, name));
  }

  async searchProfiles(
    spaceId: string,
    text: string,
    page: { readonly after?: number; readonly limit: number },
  ): Promise<readonly Profile[]> {
    return this.#sums.complete('profiles', await this.#search.request({ spaceId, text, ...page }));
  }

  recordKeyUse(
    keyId: string,
    { at, accepted, refused }: { readonly at: number; readonly accepted: number; readonly refused: number },
  ): void {
    this.#keyUses.add({ keyId, lastUsedAt: at, accepted, refused });
  }

  /** Adds to what is stored. */
  async addKeyUses(uses: readonly KeyUse[]): Promise<void> {
    this.#db
      .transaction(() => {
        for (const use of uses) this.#statements.addKeyUse.run(use);
      })
      .immediate();
  }

  /** Flushes the buffered counts of this process first. */
  async keyUses(keyIds: readonly string[]): Promise<ReadonlyMap<string, KeyUse>> {
    await this.#keyUses.flush();
    const uses = new Map(this.#statements.keyUses.all(JSON.stringify(keyIds)).map((use) => [use.keyId, use]));
    return keyIds.every((keyId) => uses.has(keyId)) ? uses : this.#sums.complete('key_uses', uses);
  }

  async *records(): AsyncIterable<readonly OperationalRecord[]> {
    await this.#keyUses.flush();
    yield* this.#records().read();
  }

  async putRecords(records: readonly OperationalRecord[]): Promise<void> {
    const target = this.#records();
    this.#db
      .transaction(() => {
        for (const record of records) {
          if (record.kind === 'profile') this.#refuseTaken(record.profile, record.profile.personId);
          if (record.kind === 'account') this.accounts.refuseTaken(record.account);
          target.put(record);
        }
      })
      .immediate();
  }

  async takesWrites(): Promise<boolean> {
    return this.tryToWrite().then(
      () => true,
      () => false,
    );
  }

  /** Writes what is there already. */
  async tryToWrite(): Promise<void> {
    this.#db.transaction(() => this.#db.pragma('user_version = 0')).immediate();
  }

  /** An index that does not lead to a row hides it from searches, and lets its key be taken again. */
  async *scrub(): AsyncIterable<ScrubStep> {
    const fault = await this.#checks.request('check');
    const damages = fault === null ? [] : [damageOfFile(this.#path, fault)];
    for (const damage of damages) {
      await this.noteFileDamage(damage);
      await this.#onFileDamage?.(damage);
    }
    yield { checked: 0, unverified: 0, damages, progress: 0 };
    yield* this.#sums.scrub();
  }

  /** From now on, no answer counts that may lack a row. */
  async noteFileDamage(damage: Damage): Promise<void> {
    this.#sums.noteFile(damage);
  }

  async backup(path: string): Promise<void> {
    await this.#keyUses.flush();
    await this.#db.backup(path);
  }

  async close(): Promise<void> {
    if (!this.#db.open) return;
    await this.#search.close();
    await this.#checks.close();
    await this.#keyUses.close();
    this.#db.close();
  }

  #records(): SqliteRecords {
    const { accounts, audit, alerts } = this;
    return new SqliteRecords(this.#db, { accounts, audit, alerts, sums: this.#sums });
  }

  #create(profile: NewProfile): Profile {
    this.#refuseTaken(profile, null);
    const { lastInsertRowid } = this.#statements.insert.run(rowOf(profile));
    const { spaceId, name, localizedName, assocId } = profile;
    return { personId: Number(lastInsertRowid), spaceId, name, localizedName, assocId };
  }

  #refuseTaken({ spaceId, assocId }: NewProfile, by: number | null): void {
    if (assocId === null) return;
    const found = this.#statements.byAssocKey.get(spaceId, caseFolded(assocId));
    const holder = found ?? this.#sums.complete('profiles', null);
    if (holder && holder.personId !== by) throw new AssocIdTakenError(assocId, holder.personId);
  }
}

/** Damage of what describes the tables shows here. Throws OperationalUnavailableError. */
const opened = (path: string, options: Parameters<typeof openSums>[2]) =>
  opening(path, () => {
    const db = openOperationalFile(path);
    try {
      const sums = openSums(db, path, options);
      return { db, sums, statements: prepareStatements(db), accounts: new SqliteAccounts(db, sums) };
    } catch (error) {
      db.close();
      throw error;
    }
  });

type Statements = ReturnType<typeof prepareStatements>;

const prepareStatements = (db: Database.Database) => {
  const profiles = `SELECT ${PROFILE_COLUMNS} FROM checked_profiles WHERE`;
  return {
    insert: db.prepare<[ProfileRow]>(
      `INSERT INTO profiles (space_id, name, localized_name, assoc_id, assoc_key, search)
       VALUES (@spaceId, @name, @localizedName, @assocId, @assocKey, @search)`,
    ),
    update: db.prepare<[ProfileRow & { readonly personId: number }]>(
      `UPDATE profiles SET name = @name, localized_name = @localizedName, assoc_id = @assocId,
       assoc_key = @assocKey, search = @search WHERE person_id = @personId`,
    ),
    erase: db.prepare<[number]>('DELETE FROM profiles WHERE person_id = ?'),
    byId: db.prepare<[number], Profile>(`${profiles} person_id = ?`),
    byIds: db.prepare<[string], Profile>(`${profiles} person_id IN (SELECT value FROM json_each(?))`),
    byAssocKey: db.prepare<[string, string], Profile>(`${profiles} space_id = ? AND assoc_key = ?`),
    byName: db.prepare<[string, string], Profile>(`${profiles} space_id = ? AND name = ? ORDER BY person_id`),
    addKeyUse: db.prepare<[KeyUse]>(
      `INSERT INTO key_uses VALUES (@keyId, @lastUsedAt, @accepted, @refused)
       ON CONFLICT (key_id) DO UPDATE SET
         last_used_at = max(ifnull(last_used_at, 0), excluded.last_used_at),
         accepted = accepted + excluded.accepted, refused = refused + excluded.refused`,
    ),
    keyUses: db.prepare<[string], KeyUse>(
      `SELECT key_id AS keyId, last_used_at AS lastUsedAt, accepted, refused FROM checked_key_uses
       WHERE key_id IN (SELECT value FROM json_each(?))`,
    ),
  };
};
