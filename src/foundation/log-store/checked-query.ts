/**
 * A query that may run: parsed, confined to its tables, names and types resolved. Only src/logs/sql makes one, so a log
 * store never sees text that a consumer wrote.
 */

/**
 * `sql` is one SELECT in DuckDB's dialect, without a semicolon, with `$name` for each parameter (VARCHAR or NULL) and
 * `$now` (BIGINT, microseconds since 1970) for the moment of the run. The store runs it as
 * `SELECT * FROM (sql) LIMIT maxRows + 1`.
 *
 * Each source is a table named like it: `id UUID, "timestamp" TIMESTAMP, event_message VARCHAR, metadata JSON,
 * project VARCHAR`; times are UTC. Its other columns begin with an underscore and belong to the store, so a query names
 * the columns it wants and never says `*` to a base table. Entries lie in the order of their receipt, which is nearly
 * that of their timestamps: a range on `"timestamp"` itself, not on an expression of it, skips what lies outside.
 */
export interface CheckedQuery {
  readonly sql: string;
}

/** Before the words of an error that a query raises by itself: what the engine says by itself reaches no caller. */
export const OWN_ERROR = 'podium: ';
