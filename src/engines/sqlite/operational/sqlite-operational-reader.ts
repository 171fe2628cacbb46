/** The operational store's SQLite file for an examination: it makes and changes nothing, whatever version has written the file. */
import type Database from 'better-sqlite3';
import type { ScrubStep, Verifiable } from '../../../foundation/integrity/damage.js';
import type { ExaminedOperational } from '../../../foundation/operational/operational-store.js';
import type { Remembered } from '../../../foundation/operational/witness-store.js';
import { openToExamine } from './operational-file.js';
import { RowSums } from './row-sums.js';
import { SqliteWitnesses } from './sqlite-witnesses.js';

const NOTHING: Remembered = { installation: null, witnesses: [], backup: null };

export class SqliteOperationalReader implements ExaminedOperational, Verifiable {
  readonly store = 'operational';
  readonly #db: Database.Database;
  readonly #sums: RowSums;

  /** Throws OperationalUnavailableError when there is no file, or when it cannot be opened or belongs to another program. */
  constructor(path: string) {
    this.#db = openToExamine(path);
    this.#sums = new RowSums(this.#db, { mode: 'read' });
    this.#db.pragma('query_only = ON');
  }

  get witnesses(): ExaminedOperational['witnesses'] {
    const hasThem = this.#db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'witnesses'").get();
    return hasThem === undefined ? { read: async () => NOTHING } : new SqliteWitnesses(this.#db);
  }

  scrub(): AsyncIterable<ScrubStep> {
    return this.#sums.scrub();
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}
