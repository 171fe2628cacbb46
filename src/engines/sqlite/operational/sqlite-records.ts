/** Reads and writes whole records of the operational file, for a copy to or from another store. */
import type Database from 'better-sqlite3';
import type {
  KeyUse,
  OperationalRecord,
  Profile,
} from '../../../foundation/operational/operational-store.js';
import { PROFILE_COLUMNS, type ProfileRow, rowOf } from './profile-row.js';
import type { RowSums } from './row-sums.js';
import type { SqliteAccounts } from './sqlite-accounts.js';
import type { SqliteAlerts } from './sqlite-alerts.js';
import type { SqliteAudit } from './sqlite-audit.js';
import { wholeTable } from './whole-table.js';

export class SqliteRecords {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(
    db: Database.Database,
    private readonly parts: {
      readonly accounts: SqliteAccounts;
      readonly audit: SqliteAudit;
      readonly alerts: SqliteAlerts;
      readonly sums: Pick<RowSums, 'complete' | 'stampLastId'>;
    },
  ) {
    this.#statements = prepare(db);
  }

  /** Throws StoreDamagedError when one of the tables is known to be damaged: a copy would lack its rows. */
  async *read(): AsyncGenerator<readonly OperationalRecord[]> {
    const { accounts, audit, alerts, sums } = this.parts;
    const { lastPersonId, profiles, keyUses } = this.#statements;
    yield [{ kind: 'last-person-id', personId: lastPersonId.get() ?? 0 }];
    const profilesAfter = (after: number, limit: number) => profiles.all(after, limit);
    for (const page of wholeTable(sums, 'profiles', profilesAfter, ({ personId }) => personId, 0))
      yield page.map((profile) => ({ kind: 'profile', profile }));
    const keyUsesAfter = (after: string, limit: number) => keyUses.all(after, limit);
    for (const page of wholeTable(sums, 'key_uses', keyUsesAfter, ({ keyId }) => keyId, ''))
      yield page.map((use) => ({ kind: 'key-use', use }));
    for (const page of accounts.accounts()) yield page.map((account) => ({ kind: 'account', account }));
    for (const page of accounts.sessions()) yield page.map((session) => ({ kind: 'session', session }));
    const secret = sums.complete('audit_secret', audit.storedSecret());
    if (secret !== null) yield [{ kind: 'audit-secret', secret }];
    for (const page of audit.entries()) yield page.map((entry) => ({ kind: 'audit', entry }));
    for (const page of alerts.rows()) yield page.map((row) => ({ kind: 'alert', row }));
  }

  /** The caller runs the transaction and checks that association ids and emails are free. */
  put(record: OperationalRecord): void {
    switch (record.kind) {
      case 'last-person-id':
        this.#raiseLastPersonId(record.personId);
        break;
      case 'profile':
        this.#statements.putProfile.run({ ...rowOf(record.profile), personId: record.profile.personId });
        break;
      case 'key-use':
        this.#statements.putKeyUse.run(record.use);
        break;
      case 'account':
        this.parts.accounts.put(record.account);
        break;
      case 'session':
        this.parts.accounts.putSession(record.session);
        break;
      case 'audit':
        this.parts.audit.put(record.entry);
        break;
      case 'audit-secret':
        this.parts.audit.putSecret(record.secret);
        break;
      case 'alert':
        this.parts.alerts.put(record.row);
        break;
      default:
        record satisfies never;
    }
  }

  /** SQLite keeps it in a table of its own, whose row exists after the first id. */
  #raiseLastPersonId(personId: number): void {
    const known = this.#statements.lastPersonId.get() ?? null;
    if (known === null) this.#statements.addLastPersonId.run(personId);
    else if (known < personId) this.#statements.setLastPersonId.run(personId);
    this.parts.sums.stampLastId('profiles');
  }
}

const prepare = (db: Database.Database) => ({
  lastPersonId: db.prepare<[], number | null>('SELECT id FROM last_id_of_profiles').pluck(),
  addLastPersonId: db.prepare<[number]>("INSERT INTO sqlite_sequence (name, seq) VALUES ('profiles', ?)"),
  setLastPersonId: db.prepare<[number]>("UPDATE sqlite_sequence SET seq = ? WHERE name = 'profiles'"),
  profiles: db.prepare<[number, number], Profile>(
    `SELECT ${PROFILE_COLUMNS} FROM checked_profiles WHERE person_id > ? ORDER BY person_id LIMIT ?`,
  ),
  keyUses: db.prepare<[string, number], KeyUse>(
    `SELECT key_id AS keyId, last_used_at AS lastUsedAt, accepted, refused FROM checked_key_uses
     WHERE key_id > ? ORDER BY key_id LIMIT ?`,
  ),
  putProfile: db.prepare<[ProfileRow & { readonly personId: number }]>(
    `INSERT OR REPLACE INTO profiles (person_id, space_id, name, localized_name, assoc_id, assoc_key, search)
     VALUES (@personId, @spaceId, @name, @localizedName, @assocId, @assocKey, @search)`,
  ),
  putKeyUse: db.prepare<[KeyUse]>(
    'INSERT OR REPLACE INTO key_uses VALUES (@keyId, @lastUsedAt, @accepted, @refused)',
  ),
});
