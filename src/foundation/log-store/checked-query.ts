/**
 * A query that may run: parsed, limited to its tables, with names and types resolved. Only src/logs/sql makes one, so a
 * log store never gets text that a client wrote.
 */
import type { QueryTree } from './query-tree.js';

/**
 * The store prints the tree in the SQL of its engine, and returns `maxRows` rows of it at most. Entries lie in the order of
 * their receipt, which is nearly that of their timestamps: a range on `timestamp` itself, not on an expression of it, skips what
 * lies outside. The same object may run many times.
 */
export interface CheckedQuery {
  readonly tree: QueryTree;
}

/** Prefix of an error that the query itself raises. The engine's own error messages are never sent to a client. */
export const OWN_ERROR = 'podium: ';
