/** The refused log entries of the last day in the operational file. */
import type Database from 'better-sqlite3';
import { auditTime } from '../../../foundation/operational/audit-store.js';
import type {
  RefusedEntryQuery,
  RefusedEntryStore,
  StoredRefusedEntry,
} from '../../../foundation/operational/refused-entry-store.js';
import type { RowSums } from './row-sums.js';

export const REFUSED_ENTRIES_SCHEMA = `
  CREATE TABLE IF NOT EXISTS refused_entries (
    entry_id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    sender TEXT NOT NULL,
    project TEXT,
    source TEXT NOT NULL,
    place_index INTEGER NOT NULL,
    place TEXT NOT NULL,
    reason TEXT NOT NULL,
    entry TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS refused_entries_sender ON refused_entries (sender, entry_id);
  CREATE INDEX IF NOT EXISTS refused_entries_project ON refused_entries (project, entry_id);
`;

export class SqliteRefusedEntries implements RefusedEntryStore {
  readonly #db: Database.Database;

  constructor(
    db: Database.Database,
    private readonly sums: Pick<RowSums, 'complete'>,
  ) {
    this.#db = db;
  }

  async append(entries: readonly StoredRefusedEntry[], keep: number): Promise<void> {
    const add = this.#db.prepare<[StoredRefusedEntry]>(
      `INSERT OR IGNORE INTO refused_entries
       VALUES (@entryId, @at, @sender, @project, @source, @index, @place, @reason, @entry)`,
    );
    const trim = this.#db.prepare<[{ readonly sender: string; readonly keep: number }]>(
      `DELETE FROM refused_entries WHERE sender = @sender AND entry_id <= (SELECT entry_id FROM refused_entries
         WHERE sender = @sender ORDER BY entry_id DESC LIMIT 1 OFFSET @keep)`,
    );
    this.#db
      .transaction(() => {
        for (const entry of entries) add.run(entry);
        for (const sender of new Set(entries.map((entry) => entry.sender))) trim.run({ sender, keep });
      })
      .immediate();
  }

  async page(query: RefusedEntryQuery): Promise<readonly StoredRefusedEntry[]> {
    const { project, source, after } = query;
    const conditions = [
      'at >= @since',
      ...(project === undefined ? [] : ['project = @project']),
      ...(source === undefined ? [] : ['source = @source']),
      ...(after === undefined ? [] : ['entry_id < @after']),
    ];
    const rows = this.#db
      .prepare<[RefusedEntryQuery], StoredRefusedEntry>(
        `SELECT entry_id AS entryId, at, sender, project, source, place_index AS "index", place, reason, entry
         FROM checked_refused_entries WHERE entry_id IN (SELECT entry_id FROM refused_entries
           WHERE ${conditions.join(' AND ')} ORDER BY entry_id DESC LIMIT @limit) ORDER BY entry_id DESC`,
      )
      .all(query);
    return this.sums.complete('refused_entries', rows);
  }

  async removeBefore(at: number): Promise<void> {
    this.#db.prepare('DELETE FROM refused_entries WHERE entry_id < ?').run(auditTime(at));
  }
}
