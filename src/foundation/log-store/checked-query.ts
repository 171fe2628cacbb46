/**
 * A query that may run: parsed, limited to its tables, with names and types resolved. Only src/logs/sql makes one, so a
 * log store never gets text that a client wrote.
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

/** Prefix of an error that the query itself raises. The engine's own error messages are never sent to a client. */
export const OWN_ERROR = 'podium: ';
