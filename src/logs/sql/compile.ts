/**
 * Compiles the text of a log query for the log store: parses it, confines it to its tables, and resolves names and types.
 * Pure: the same input always gives the same query.
 */
import type { CheckedQuery } from '../../foundation/log-store/checked-query.js';
import type { FieldCatalogue } from '../../foundation/log-store/field-catalogue.js';
import { parseQuery } from './parse/parse-query.js';
import { located } from './query-problem.js';
import { CompileContext, type TableScope } from './resolve/context.js';
import { lowerCtes, lowerResult } from './resolve/resolve-query.js';
import { sourceTables } from './resolve/source-tables.js';
import type { ParameterUse } from './texts/parameters.js';
import type { FromItem, Query, QueryBody } from './tree.js';

export interface StoredQuery {
  /** SQL of the dialect. With sandboxing, a client's query can read only its CTEs. */
  readonly text: string;
  readonly sandboxed: boolean;
}

/** A client's own query. LQL is passed as its lowered tree, with the text to which its spans refer. */
export type ConsumerQuery =
  | { readonly language: 'sql'; readonly text: string }
  | { readonly language: 'lql'; readonly text: string; readonly query: Query };

export interface CompileRequest {
  readonly stored: StoredQuery;
  /** Null: compile the stored query. */
  readonly consumer: ConsumerQuery | null;
  /** The project that the token is tied to; null: none. Every base table is filtered by it before anything else. */
  readonly onlyProject: string | null;
  readonly catalogue: FieldCatalogue;
}

export interface CompiledQuery {
  readonly query: CheckedQuery;
  /** Names of the parameters that the query uses. Their values are bound when it runs. */
  readonly parameters: readonly string[];
  /** How the query uses each parameter, for `checkParameter`. */
  readonly uses: Readonly<Record<string, readonly ParameterUse[]>>;
  /** Bare names with several places in the catalogue of all projects. It is an error when one project has several. */
  readonly ambiguous: readonly string[];
}

/** Throws QueryProblem. */
export type Compile = (request: CompileRequest) => CompiledQuery;

/** The tables that a client's query may read, in the order of the stored query, and the table that the stored query reads. */
export interface StoredTables {
  readonly tables: readonly string[];
  readonly reads: string | null;
}

export const compile: Compile = ({ stored, consumer, onlyProject, catalogue }) => {
  const context = new CompileContext(catalogue, onlyProject);
  const query = parsed(stored.text, 'sql');
  const tables = located(stored.text, 'sql-refused', () =>
    lowerCtes(query.ctes, { context, tables: sourceTables(context) }),
  );
  const printed =
    consumer === null
      ? located(stored.text, 'sql-refused', () => lowerResult({ ...query, ctes: [] }, context, tables))
      : lowerConsumer(consumer, context, stored.sandboxed ? confined(tables) : tables);
  return {
    query: { sql: printed },
    parameters: [...context.uses.keys()],
    uses: Object.fromEntries(context.uses),
    ambiguous: [...(context.ambiguous ?? [])],
  };
};

const lowerConsumer = (consumer: ConsumerQuery, context: CompileContext, tables: TableScope) => {
  const query = consumer.language === 'lql' ? consumer.query : parsed(consumer.text, 'sql');
  context.taken = new Set(tables.tables.keys());
  const code = consumer.language === 'lql' ? 'lql-refused' : 'sql-refused';
  return located(consumer.text, code, () => lowerResult(query, context, tables));
};

/** Returns only the named subqueries, without the tables that they read. */
const confined = ({ tables }: TableScope): TableScope => ({ parent: null, tables });

const parsed = (text: string, language: 'sql'): Query =>
  located(text, `${language}-syntax`, () => parseQuery(text));

/** Returns the tables that a client's query may read, and the default table of LQL. Throws QueryProblem. */
export const storedTables = ({ text }: StoredQuery): StoredTables => {
  const query = parsed(text, 'sql');
  const tables = query.ctes.map(({ name }) => name);
  return { tables, reads: firstTable(query.body) };
};

const firstTable = (body: QueryBody): string | null => {
  switch (body.kind) {
    case 'select':
      return body.from === null ? null : tableOf(body.from);
    case 'set':
      return firstTable(body.left);
    case 'nested':
      return firstTable(body.query.body);
  }
};

const tableOf = (from: FromItem): string | null => {
  switch (from.kind) {
    case 'table':
      return from.name;
    case 'derived':
      return firstTable(from.query.body);
    case 'unnest':
      return null;
    case 'join':
      return tableOf(from.left);
  }
};
