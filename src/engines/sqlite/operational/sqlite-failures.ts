/** The failed credentials of the nodes in the operational file: one row for each node, its counts as JSON. */
import type Database from 'better-sqlite3';
import type { FailureStore, NodeFailures } from '../../../foundation/operational/failure-store.js';

export const FAILURES_SCHEMA = `
  CREATE TABLE IF NOT EXISTS node_failures (
    node_id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    failures TEXT NOT NULL
  );
`;

type FailuresRow = Omit<NodeFailures, 'failures'> & { readonly failures: string };

export class SqliteFailures implements FailureStore {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  async exchange({ nodeId, at, failures }: NodeFailures, since: number): Promise<readonly NodeFailures[]> {
    if (failures.length > 0) this.#write({ nodeId, at, failures: JSON.stringify(failures) }, since);
    return this.#db
      .prepare<[string, number], FailuresRow>(
        'SELECT node_id AS nodeId, at, failures FROM checked_node_failures WHERE node_id <> ? AND at >= ? ORDER BY node_id',
      )
      .all(nodeId, since)
      .map((row) => ({ ...row, failures: JSON.parse(row.failures) }));
  }

  #write(row: FailuresRow, since: number): void {
    this.#db
      .transaction(() => {
        this.#db.prepare('DELETE FROM node_failures WHERE at < ?').run(since);
        this.#db.prepare('INSERT OR REPLACE INTO node_failures VALUES (@nodeId, @at, @failures)').run(row);
      })
      .immediate();
  }
}
