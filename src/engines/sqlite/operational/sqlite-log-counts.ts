/** The counts of log entries in the operational file: one row for each day, source and project. */
import type Database from 'better-sqlite3';
import {
  type LogCount,
  type LogCountStore,
  logCountKeys,
} from '../../../foundation/operational/log-count-store.js';

/** `count_key` is as `logCountKeys` makes it. */
export const LOG_COUNTS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS log_counts (
    count_key TEXT PRIMARY KEY,
    entries INTEGER NOT NULL
  );
`;

interface CountRow {
  readonly key: string;
  readonly entries: number;
}

export class SqliteLogCounts implements LogCountStore {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  async add(counts: readonly LogCount[]): Promise<number> {
    const add = this.#db.prepare<[CountRow]>(
      `INSERT INTO log_counts VALUES (@key, @entries)
       ON CONFLICT (count_key) DO UPDATE SET entries = entries + excluded.entries`,
    );
    this.#db
      .transaction(() => {
        for (const count of counts) add.run({ key: logCountKeys.of(count), entries: count.entries });
      })
      .immediate();
    return counts.length;
  }

  async ofDay(day: string): Promise<readonly LogCount[]> {
    return this.#db
      .prepare<[string, string], CountRow>(
        'SELECT count_key AS key, entries FROM checked_log_counts WHERE count_key >= ? AND count_key < ? ORDER BY count_key',
      )
      .all(...logCountKeys.ofDay(day))
      .map(({ key, entries }) => logCountKeys.read(key, entries));
  }

  async removeBefore(day: string): Promise<void> {
    const [from] = logCountKeys.ofDay(day);
    this.#db.prepare('DELETE FROM log_counts WHERE count_key < ?').run(from);
  }
}
