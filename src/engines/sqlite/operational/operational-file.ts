/** The operational store's SQLite file: its tables, and how it is opened. */
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { messageOf } from '../../../foundation/basics/error-message.js';
import { makeFolder } from '../../../foundation/basics/folders.js';
import type { DamageListener } from '../../../foundation/integrity/damage-log.js';
import { OperationalUnavailableError } from '../../../foundation/operational/operational-store.js';
import { faultIn, isForeignDatabase } from '../database-file.js';
import { OPENING_WAIT_MS } from '../locks.js';
import { SqliteDatabase } from '../sqlite.js';
import { RowSums } from './row-sums.js';
import { ACCOUNTS_SCHEMA } from './sqlite-accounts.js';
import { AUDIT_SCHEMA } from './sqlite-audit.js';
import { FAILURES_SCHEMA } from './sqlite-failures.js';
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

/** Gives rows of older code their checksums. Looks for damage of the file as a whole where there is a listener for it. */
export const openSums = (db: Database.Database, path: string, onDamage?: DamageListener): RowSums => {
  const sums = new RowSums(db, true, onDamage);
  if (!onDamage) return sums;
  for (const damage of sums.lacks()) onDamage(damage);
  const fault = faultIn(path);
  if (fault !== null) onDamage({ store: 'operational', place: `file ${path}`, reason: fault });
  return sums;
};

/** Throws OperationalUnavailableError when the file cannot be opened or belongs to another program. */
export const openOperationalFile = (path: string): Database.Database => {
  try {
    makeFolder(dirname(path));
    const db = new SqliteDatabase(path, { timeout: OPENING_WAIT_MS });
    if (isForeignDatabase(db, 'profiles')) throw new Error('it holds other data than profiles of Podium');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('secure_delete = ON');
    db.transaction(() =>
      db.exec(SCHEMA + ACCOUNTS_SCHEMA + WITNESSES_SCHEMA + FAILURES_SCHEMA + AUDIT_SCHEMA),
    ).immediate();
    return db;
  } catch (error) {
    const reason = messageOf(error);
    throw new OperationalUnavailableError(`cannot open the operational store ${path}: ${reason}`, {
      cause: error,
    });
  }
};
