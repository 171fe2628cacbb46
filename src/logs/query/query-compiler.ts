/**
 * From what a caller wrote, in either language, to a query that the log store runs. Plans are kept, so that a stored
 * query is compiled once and not with every call.
 */
import type { CompiledQuery, StoredQuery } from '../sql/compile.js';

export interface ConsumerText {
  readonly language: 'sql' | 'lql';
  readonly text: string;
}

export interface QueryCompiler {
  /** Throws QueryProblem. `onlyProject`: the project that the token is tied to. */
  compile(
    stored: StoredQuery,
    consumer: ConsumerText | null,
    onlyProject: string | null,
  ): Promise<CompiledQuery>;
}

/** Injection token of the QueryCompiler. */
export const QUERY_COMPILER = Symbol('QueryCompiler');
