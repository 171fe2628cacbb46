/**
 * A query that may run: parsed, confined to its tables, names and types resolved. Only src/logs/sql makes one, so a log
 * store never sees text that a consumer wrote.
 */

/** `sql` is in the engine's own dialect, with `$name` for each parameter, `$now` for the moment of the run. */
export interface CheckedQuery {
  readonly sql: string;
}
