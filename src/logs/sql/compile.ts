/**
 * From the text of a log query to a checked one that a log store runs: parse, sandbox check, resolution of names and
 * types. Pure: the same input gives the same query.
 */
import type { CheckedQuery } from '../../logstore/checked-query.js';
import type { FieldCatalogue } from '../../logstore/field-catalogue.js';
import type { Query } from './tree.js';

export interface StoredQuery {
  /** SQL of the dialect. With sandboxing, its CTEs are the only tables of a consumer's query. */
  readonly text: string;
  readonly sandboxed: boolean;
}

export interface CompileRequest {
  readonly stored: StoredQuery;
  /** A consumer's own query; null runs the stored one. LQL comes as its lowered tree. */
  readonly consumer:
    | { readonly language: 'sql'; readonly text: string }
    | { readonly language: 'lql'; readonly query: Query }
    | null;
  /** The project that the token is tied to: every base table is filtered by it, beneath everything else. */
  readonly onlyProject: string | null;
  readonly catalogue: FieldCatalogue;
}

export interface CompiledQuery {
  readonly query: CheckedQuery;
  /** Names of the parameters that the query uses, each a value bound at the run. */
  readonly parameters: readonly string[];
}

/** Throws QueryProblem. */
export type Compile = (request: CompileRequest) => CompiledQuery;

/** Tables that a consumer's query may name, in the order of the stored one, and the one it reads itself from. Throws QueryProblem. */
export interface StoredTables {
  readonly tables: readonly string[];
  readonly reads: string | null;
}
