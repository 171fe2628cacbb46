/** Whether a stored query could run, asked when it is saved: a caller must not be the first to learn that it cannot. */
import type { StoredQuery } from '../sql/compile.js';

/** Throws QueryProblem. */
export type CheckStoredQuery = (stored: StoredQuery) => void;

/** Injection token of the CheckStoredQuery. */
export const CHECK_STORED_QUERY = Symbol('CheckStoredQuery');
