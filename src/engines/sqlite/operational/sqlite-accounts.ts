/**
 * Accounts and sessions in the operational store's SQLite file. An account is one JSON text beside its indexed columns. The
 * device of a session has a table of its own, so that an older version of Podium can still write the sessions.
 */

import type Database from 'better-sqlite3';
import {
  type AccountChange,
  type AccountStore,
  LastAdminError,
  refuseOtherHolder,
  type StoredAccount,
  type StoredSession,
} from '../../../foundation/operational/account-store.js';
import { caseFolded } from '../../../foundation/operational/case-folded.js';
import type { StoredChallenge, StoredFactors } from '../../../foundation/operational/factors.js';
import { emptyLog } from '../locks.js';
import type { RowSums } from './row-sums.js';
import { wholeTable } from './whole-table.js';

export const ACCOUNTS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS accounts (
    account_id TEXT PRIMARY KEY,
    space_id TEXT NOT NULL,
    role TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS sessions (
    key TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    password_id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS session_account ON sessions (account_id);
  CREATE TABLE IF NOT EXISTS session_devices (
    key TEXT PRIMARY KEY,
    device TEXT NOT NULL,
    network TEXT NOT NULL
  );
  CREATE TRIGGER IF NOT EXISTS session_device_ends AFTER DELETE ON sessions BEGIN
    DELETE FROM session_devices WHERE key = OLD.key;
  END;
  CREATE TABLE IF NOT EXISTS challenges (
    key TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    ends_at INTEGER NOT NULL
  );
`;

export class SqliteAccounts implements AccountStore {
  readonly #db: Database.Database;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #sums: Pick<RowSums, 'complete'>;

  constructor(db: Database.Database, sums: Pick<RowSums, 'complete'>) {
    this.#db = db;
    this.#sums = sums;
    this.#statements = prepare(db);
  }

  async create(account: StoredAccount): Promise<void> {
    this.#db
      .transaction(() => {
        this.refuseTaken(account);
        this.put(account);
      })
      .immediate();
  }

  async byId(accountId: string): Promise<StoredAccount | null> {
    return this.#byId(accountId);
  }

  async byEmail(email: string): Promise<StoredAccount | null> {
    return this.#byEmail(email);
  }

  async ofSpace(spaceId: string): Promise<readonly StoredAccount[]> {
    return this.#sums.complete('accounts', this.#statements.ofSpace.all(spaceId).map(parsed));
  }

  async update(accountId: string, change: AccountChange, passwordId?: string): Promise<StoredAccount | null> {
    return this.#db
      .transaction(() => {
        const current = this.#byId(accountId);
        if (!current) return null;
        if (passwordId !== undefined && current.passwordId !== passwordId) return null;
        const changed = { ...current, ...change };
        this.refuseTaken(changed);
        const isDemotion = current.role === 'admin' && changed.role !== 'admin';
        if (isDemotion && this.#sums.complete('accounts', this.#statements.admins.get(current.spaceId)) === 1)
          throw new LastAdminError(accountId);
        this.put(changed);
        return changed;
      })
      .immediate();
  }

  async replaceHash(accountId: string, from: string, to: string): Promise<void> {
    this.#db
      .transaction(() => {
        const current = this.#byId(accountId);
        if (current?.passwordHash === from) this.put({ ...current, passwordHash: to });
      })
      .immediate();
  }

  async replaceFactors(
    { accountId, passwordId: known, factors: before }: StoredAccount,
    factors: StoredFactors,
    passwordId = known,
  ): Promise<StoredAccount | null> {
    return this.#db
      .transaction(() => {
        const current = this.#byId(accountId);
        if (current?.passwordId !== known || current.factors?.revision !== before?.revision) return null;
        const changed = { ...current, factors, passwordId };
        this.put(changed);
        return changed;
      })
      .immediate();
  }

  /** As with profiles: overwrites the bytes, and empties the WAL, which may hold them. */
  async erase(accountId: string): Promise<void> {
    this.#db
      .transaction(() => {
        this.#statements.endSessionsOf.run(accountId);
        this.#statements.erase.run(accountId);
      })
      .immediate();
    emptyLog(this.#db);
  }

  async startSession(session: StoredSession): Promise<void> {
    this.putSession(session);
  }

  async session(key: string): Promise<StoredSession | null> {
    const row = this.#statements.session.get(key);
    return row ? sessionOf(row) : this.#sums.complete('sessions', null);
  }

  async sessionsOf(accountId: string): Promise<readonly StoredSession[]> {
    const rows = this.#statements.sessionsOf.all(accountId);
    if (rows.some(({ device }) => device === null)) this.#sums.complete('session_devices', null);
    return this.#sums.complete('sessions', rows.map(sessionOf));
  }

  async seen(key: string, at: number): Promise<void> {
    this.#statements.seen.run(at, key);
  }

  async endSession(key: string): Promise<void> {
    this.#statements.endSession.run(key);
  }

  async endSessionsOf(accountId: string): Promise<void> {
    this.#statements.endSessionsOf.run(accountId);
  }

  async endSessionsBefore(times: { readonly startedAt: number; readonly seenAt: number }): Promise<void> {
    this.#statements.endSessionsBefore.run(times);
  }

  async putChallenge(challenge: StoredChallenge, now: number): Promise<void> {
    this.#db
      .transaction(() => {
        this.#statements.endChallengesBefore.run(now);
        this.#statements.putChallenge.run(challenge);
      })
      .immediate();
  }

  async takeChallenge(key: string): Promise<StoredChallenge | null> {
    return this.#db
      .transaction(() => {
        const challenge = this.#statements.challenge.get(key) ?? this.#sums.complete('challenges', null);
        this.#statements.endChallenge.run(key);
        return challenge;
      })
      .immediate();
  }

  /** All accounts, by id. */
  *accounts(): Generator<readonly StoredAccount[]> {
    const { accountsAfter } = this.#statements;
    const next = (after: string, limit: number) => accountsAfter.all(after, limit).map(parsed);
    yield* wholeTable(this.#sums, 'accounts', next, ({ accountId }) => accountId, '');
  }

  /** All sessions, by key. */
  *sessions(): Generator<readonly StoredSession[]> {
    this.#sums.complete('session_devices', null);
    const { sessionsAfter } = this.#statements;
    const next = (after: string, limit: number) => sessionsAfter.all(after, limit).map(sessionOf);
    yield* wholeTable(this.#sums, 'sessions', next, ({ key }) => key, '');
  }

  #byId(accountId: string): StoredAccount | null {
    return this.#found(this.#statements.byId.get(accountId));
  }

  #byEmail(email: string): StoredAccount | null {
    return this.#found(this.#statements.byEmail.get(caseFolded(email)));
  }

  #found(text: string | undefined): StoredAccount | null {
    return text === undefined ? this.#sums.complete('accounts', null) : parsed(text);
  }

  /** Inserts or replaces the account. The caller runs the transaction and checks that the email is free. */
  put(account: StoredAccount): void {
    const { accountId, spaceId, role, email } = account;
    const row = { accountId, spaceId, role, emailKey: caseFolded(email), account: JSON.stringify(account) };
    this.#statements.put.run(row);
  }

  putSession(session: StoredSession): void {
    const { device, network, ...row } = session;
    this.#db
      .transaction(() => {
        this.#statements.putSession.run(row);
        if (device !== undefined && network !== undefined)
          this.#statements.putDevice.run(session.key, device, network);
      })
      .immediate();
  }

  /** Throws EmailTakenError. */
  refuseTaken(account: StoredAccount): void {
    refuseOtherHolder(account, this.#byEmail(account.email));
  }
}

/** Codec: only this file writes the texts in this table. */
const parsed = (text: string): StoredAccount => JSON.parse(text) as StoredAccount;

type SessionRow = Omit<StoredSession, 'device' | 'network'> & {
  readonly device: string | null;
  readonly network: string | null;
};

const sessionOf = ({ device, network, ...session }: SessionRow): StoredSession =>
  device === null || network === null ? session : { ...session, device, network };

interface AccountRow {
  readonly accountId: string;
  readonly spaceId: string;
  readonly role: string;
  readonly emailKey: string;
  readonly account: string;
}

const prepare = (db: Database.Database) => {
  const accounts = 'SELECT account FROM checked_accounts WHERE';
  const sessions = `SELECT key, account_id AS accountId, password_id AS passwordId, started_at AS startedAt,
    seen_at AS seenAt, device, network FROM checked_sessions LEFT JOIN checked_session_devices USING (key) WHERE`;
  return {
    put: db.prepare<[AccountRow]>(
      `INSERT INTO accounts VALUES (@accountId, @spaceId, @role, @emailKey, @account)
       ON CONFLICT (account_id) DO UPDATE SET space_id = excluded.space_id, role = excluded.role,
         email_key = excluded.email_key, account = excluded.account`,
    ),
    byId: db.prepare<[string], string>(`${accounts} account_id = ?`).pluck(),
    byEmail: db.prepare<[string], string>(`${accounts} email_key = ?`).pluck(),
    ofSpace: db.prepare<[string], string>(`${accounts} space_id = ? ORDER BY email_key`).pluck(),
    accountsAfter: db
      .prepare<[string, number], string>(`${accounts} account_id > ? ORDER BY account_id LIMIT ?`)
      .pluck(),
    admins: db
      .prepare<[string], number>(
        "SELECT count(*) FROM checked_accounts WHERE space_id = ? AND role = 'admin'",
      )
      .pluck(),
    erase: db.prepare<[string]>('DELETE FROM accounts WHERE account_id = ?'),
    putSession: db.prepare<[Omit<StoredSession, 'device' | 'network'>]>(
      'INSERT OR REPLACE INTO sessions VALUES (@key, @accountId, @passwordId, @startedAt, @seenAt)',
    ),
    putDevice: db.prepare<[string, string, string]>(
      'INSERT OR REPLACE INTO session_devices VALUES (?, ?, ?)',
    ),
    session: db.prepare<[string], SessionRow>(`${sessions} key = ?`),
    sessionsOf: db.prepare<[string], SessionRow>(`${sessions} account_id = ? ORDER BY seen_at DESC, key`),
    sessionsAfter: db.prepare<[string, number], SessionRow>(`${sessions} key > ? ORDER BY key LIMIT ?`),
    seen: db.prepare<[number, string]>('UPDATE sessions SET seen_at = max(seen_at, ?) WHERE key = ?'),
    endSession: db.prepare<[string]>('DELETE FROM sessions WHERE key = ?'),
    endSessionsOf: db.prepare<[string]>('DELETE FROM sessions WHERE account_id = ?'),
    endSessionsBefore: db.prepare<[{ readonly startedAt: number; readonly seenAt: number }]>(
      'DELETE FROM sessions WHERE started_at < @startedAt OR seen_at < @seenAt',
    ),
    putChallenge: db.prepare<[StoredChallenge]>(
      'INSERT OR REPLACE INTO challenges VALUES (@key, @text, @endsAt)',
    ),
    challenge: db.prepare<[string], StoredChallenge>(
      'SELECT key, text, ends_at AS endsAt FROM checked_challenges WHERE key = ?',
    ),
    endChallenge: db.prepare<[string]>('DELETE FROM challenges WHERE key = ?'),
    endChallengesBefore: db.prepare<[number]>('DELETE FROM challenges WHERE ends_at < ?'),
  };
};
