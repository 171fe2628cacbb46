/** The audit trail in the operational file. Its secret is beside it, so a copy of the file can add to the trail. */
import { randomBytes } from 'node:crypto';
import type Database from 'better-sqlite3';
import {
  type AuditEntry,
  type AuditQuery,
  type AuditStore,
  auditTime,
  isFailure,
} from '../../../foundation/operational/audit-store.js';
import type { RowSums } from './row-sums.js';
import { wholeTable } from './whole-table.js';

/** `details` is JSON. `audit_secret` has one row. */
export const AUDIT_SCHEMA = `
  CREATE TABLE IF NOT EXISTS audit (
    entry_id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    space_id TEXT,
    action TEXT NOT NULL,
    account_id TEXT,
    subject TEXT,
    network TEXT,
    count INTEGER NOT NULL,
    details TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS audit_account ON audit (account_id);
  CREATE INDEX IF NOT EXISTS audit_subject ON audit (subject);
  CREATE INDEX IF NOT EXISTS audit_network ON audit (network);
  CREATE TABLE IF NOT EXISTS audit_secret (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    secret TEXT NOT NULL
  );
`;

type AuditRow = Omit<AuditEntry, 'details'> & { readonly details: string };

const COLUMNS = `entry_id AS entryId, at, space_id AS spaceId, action, account_id AS accountId, subject, network, count,
  details`;

export class SqliteAudit implements AuditStore {
  readonly #db: Database.Database;
  readonly #sums: Pick<RowSums, 'complete'>;

  constructor(db: Database.Database, sums: Pick<RowSums, 'complete'>) {
    this.#db = db;
    this.#sums = sums;
  }

  async secret(): Promise<string> {
    return this.#db
      .transaction(() => {
        const known = this.storedSecret() ?? this.#sums.complete('audit_secret', null);
        if (known !== null) return known;
        const secret = randomBytes(32).toString('hex');
        this.putSecret(secret);
        return secret;
      })
      .immediate();
  }

  async append(entries: readonly AuditEntry[]): Promise<void> {
    const add = this.#db.prepare<[AuditRow & { readonly grows: number }]>(
      `INSERT INTO audit VALUES (@entryId, @at, @spaceId, @action, @accountId, @subject, @network, @count, @details)
       ON CONFLICT (entry_id) DO UPDATE SET count = count + excluded.count WHERE @grows`,
    );
    this.#db
      .transaction(() => {
        for (const entry of entries) add.run({ ...rowOf(entry), grows: Number(isFailure(entry)) });
      })
      .immediate();
  }

  async page(query: AuditQuery): Promise<readonly AuditEntry[]> {
    const { action, accountId, network, after } = query;
    const conditions = [
      '(space_id = @spaceId OR space_id IS NULL)',
      ...(action === undefined ? [] : ['action = @action']),
      ...(accountId === undefined ? [] : ['(account_id = @accountId OR subject = @accountId)']),
      ...(network === undefined ? [] : ['network = @network']),
      ...(after === undefined ? [] : ['entry_id < @after']),
    ];
    const rows = this.#db
      .prepare<[AuditQuery], AuditRow>(
        `SELECT ${COLUMNS} FROM checked_audit WHERE entry_id IN (SELECT entry_id FROM audit
           WHERE ${conditions.join(' AND ')} ORDER BY entry_id DESC LIMIT @limit) ORDER BY entry_id DESC`,
      )
      .all(query);
    return this.#sums.complete('audit', rows.map(entryIn));
  }

  async removeBefore(at: number): Promise<void> {
    this.#db.prepare('DELETE FROM audit WHERE entry_id < ?').run(auditTime(at));
  }

  /** All entries, the oldest first. */
  *entries(): Generator<readonly AuditEntry[]> {
    const next = this.#db.prepare<[string, number], AuditRow>(
      `SELECT ${COLUMNS} FROM checked_audit WHERE entry_id > ? ORDER BY entry_id LIMIT ?`,
    );
    const pages = wholeTable(
      this.#sums,
      'audit',
      (after: string, limit) => next.all(after, limit),
      ({ entryId }) => entryId,
      '',
    );
    for (const page of pages) yield page.map(entryIn);
  }

  /** Inserts or replaces the entry. */
  put(entry: AuditEntry): void {
    this.#db
      .prepare<[AuditRow]>(
        `INSERT OR REPLACE INTO audit
         VALUES (@entryId, @at, @spaceId, @action, @accountId, @subject, @network, @count, @details)`,
      )
      .run(rowOf(entry));
  }

  storedSecret(): string | null {
    return this.#db.prepare<[], string>('SELECT secret FROM checked_audit_secret').pluck().get() ?? null;
  }

  putSecret(secret: string): void {
    this.#db.prepare('INSERT OR REPLACE INTO audit_secret VALUES (1, ?)').run(secret);
  }
}

const rowOf = (entry: AuditEntry): AuditRow => ({ ...entry, details: JSON.stringify(entry.details) });

/** Codec: only this file writes these rows. */
const entryIn = (row: AuditRow): AuditEntry => ({ ...row, details: JSON.parse(row.details) });
