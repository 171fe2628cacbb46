/** The operational store's SQLite file: its tables, and how it is opened. */
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { messageOf } from '../../../foundation/basics/error-message.js';
import { makeFolder } from '../../../foundation/basics/folders.js';
import type { Damage } from '../../../foundation/integrity/damage.js';
import type { DamageListener } from '../../../foundation/integrity/damage-log.js';
import { OperationalUnavailableError } from '../../../foundation/operational/operational-store.js';
import { faultIn, isForeignDatabase, isSmall } from '../database-file.js';
import { OPENING_WAIT_MS } from '../locks.js';
import { SqliteDatabase } from '../sqlite.js';
import { RowSums } from './row-sums.js';
import { ACCOUNTS_SCHEMA } from './sqlite-accounts.js';
import { ALERTS_SCHEMA } from './sqlite-alerts.js';
import { AUDIT_SCHEMA } from './sqlite-audit.js';
import { FAILURES_SCHEMA } from './sqlite-failures.js';
import { LOG_COUNTS_SCHEMA } from './sqlite-log-counts.js';
import { REFUSED_ENTRIES_SCHEMA } from './sqlite-refused-entries.js';
import { WITNESSES_SCHEMA } from './sqlite-witnesses.js';

/**
 * `search` holds the case-folded text that searchProfiles scans. It is part of the index that gives the order, so a
 * search reads only the rows that it finds. `assoc_key` keeps an association id unique.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS profiles (
    person_id INTEGER PRIMARY KEY AUTOINCREMENT,
    space_id TEXT NOT NULL,
    name TEXT NOT NULL,
    localized_name TEXT,
    assoc_id TEXT,
    assoc_key TEXT,
    search TEXT NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS profile_assoc_id ON profiles (space_id, assoc_key)
    WHERE assoc_key IS NOT NULL;
  CREATE INDEX IF NOT EXISTS profile_search ON profiles (space_id, name, person_id, search);
  DROP INDEX IF EXISTS profile_name;
  CREATE TABLE IF NOT EXISTS key_uses (
    key_id TEXT PRIMARY KEY,
    last_used_at INTEGER,
    accepted INTEGER NOT NULL,
    refused INTEGER NOT NULL
  );
`;

const SCHEMAS = [
  SCHEMA,
  ACCOUNTS_SCHEMA,
  WITNESSES_SCHEMA,
  FAILURES_SCHEMA,
  LOG_COUNTS_SCHEMA,
  REFUSED_ENTRIES_SCHEMA,
  AUDIT_SCHEMA,
  ALERTS_SCHEMA,
];

/**
 * Reports what of the file is damaged; `everyRow`: in each row of a small file, too. Gives rows of older code their checksums: but
 * not in a file whose pages are damaged, where rows may be, too.
 */
export const openSums = (
  db: Database.Database,
  path: string,
  { everyRow, onDamage }: { readonly everyRow: boolean; readonly onDamage: DamageListener | undefined },
): RowSums => {
  const fault = faultIn(path);
  const fileDamage = fault === null ? null : damageOfFile(path, fault);
  if (fileDamage) onDamage?.(fileDamage);
  const sums = new RowSums(db, { mode: fileDamage ? 'leave' : 'keep', fileDamage, onDamage });
  for (const damage of sums.lacks({ everyRow: everyRow && isSmall(path) })) onDamage?.(damage);
  return sums;
};

export const damageOfFile = (path: string, reason: string): Damage => ({
  store: 'operational',
  place: `file ${path}`,
  reason,
});

/** Makes what is missing. Throws when the file cannot be opened or belongs to another program. */
export const openOperationalFile = (path: string): Database.Database => {
  makeFolder(dirname(path));
  const db = openOwn(path, { timeout: OPENING_WAIT_MS });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('secure_delete = ON');
  db.transaction(() => db.exec(SCHEMAS.join(''))).immediate();
  return db;
};

/** Makes nothing. Throws OperationalUnavailableError, also when there is no file. */
export const openToExamine = (path: string): Database.Database =>
  opening(path, () => openOwn(path, { timeout: 5_000, fileMustExist: true }));

const openOwn = (path: string, options: Database.Options): Database.Database => {
  const db = new SqliteDatabase(path, options);
  if (isForeignDatabase(db, 'profiles')) throw new Error('it holds other data than profiles of Podium');
  return db;
};

/** Throws OperationalUnavailableError, with the path, when `open` fails. */
export const opening = <T>(path: string, open: () => T): T => {
  try {
    return open();
  } catch (error) {
    const reason = messageOf(error);
    throw new OperationalUnavailableError(`cannot open the operational store ${path}: ${reason}`, {
      cause: error,
    });
  }
};
