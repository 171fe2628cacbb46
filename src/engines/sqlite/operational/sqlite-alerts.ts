/** Alerts and their runs in the operational file. */
import type Database from 'better-sqlite3';
import type { AlertRow, AlertStore, KeyRange } from '../../../foundation/operational/alert-store.js';
import type { RowSums } from './row-sums.js';
import { wholeTable } from './whole-table.js';

export const ALERTS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS alerts (
    key TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    wakes_at INTEGER,
    data TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS alerts_waking ON alerts (wakes_at) WHERE wakes_at IS NOT NULL;
`;

const READ = 'SELECT key, revision, wakes_at AS wakesAt, data FROM checked_alerts WHERE';

export class SqliteAlerts implements AlertStore {
  readonly #db: Database.Database;
  readonly #sums: Pick<RowSums, 'complete'>;

  constructor(db: Database.Database, sums: Pick<RowSums, 'complete'>) {
    this.#db = db;
    this.#sums = sums;
  }

  async insert(rows: readonly AlertRow[]): Promise<boolean> {
    const add = this.#db.prepare<[AlertRow]>(
      'INSERT OR IGNORE INTO alerts VALUES (@key, @revision, @wakesAt, @data)',
    );
    return this.#db.transaction(() => rows.every((row) => add.run(row).changes > 0)).immediate();
  }

  async replace(row: AlertRow): Promise<boolean> {
    const { changes } = this.#db
      .prepare<[AlertRow]>(
        `UPDATE alerts SET revision = @revision, wakes_at = @wakesAt, data = @data
         WHERE key = @key AND revision = @revision - 1`,
      )
      .run(row);
    return changes > 0;
  }

  async read(key: string): Promise<AlertRow | null> {
    const row = this.#db.prepare<[string], AlertRow>(`${READ} key = ?`).get(key);
    return row ?? this.#sums.complete('alerts', null);
  }

  async range([from, to]: KeyRange, limit: number): Promise<readonly AlertRow[]> {
    const rows = this.#db
      .prepare<[string, string, number], AlertRow>(`${READ} key >= ? AND key < ? ORDER BY key DESC LIMIT ?`)
      .all(from, to, limit);
    return this.#sums.complete('alerts', rows);
  }

  async waking(now: number, limit: number): Promise<readonly AlertRow[]> {
    return this.#db
      .prepare<[number, number], AlertRow>(`${READ} wakes_at <= ? ORDER BY wakes_at LIMIT ?`)
      .all(now, limit);
  }

  async remove([from, to]: KeyRange): Promise<void> {
    this.#db.prepare('DELETE FROM alerts WHERE key >= ? AND key < ?').run(from, to);
  }

  /** All rows, by key. */
  *rows(): Generator<readonly AlertRow[]> {
    const next = this.#db.prepare<[string, number], AlertRow>(`${READ} key > ? ORDER BY key LIMIT ?`);
    yield* wholeTable(
      this.#sums,
      'alerts',
      (after: string, limit) => next.all(after, limit),
      ({ key }) => key,
      '',
    );
  }

  /** Inserts or replaces the row. */
  put(row: AlertRow): void {
    this.#db
      .prepare<[AlertRow]>('INSERT OR REPLACE INTO alerts VALUES (@key, @revision, @wakesAt, @data)')
      .run(row);
  }
}
