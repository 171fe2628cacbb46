/**
 * From the text of a log query to a checked one that a log store runs: parse, sandbox check, resolution of names and
 * types. Pure: the same input gives the same query.
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
  /** SQL of the dialect. With sandboxing, its CTEs are the only tables of a consumer's query. */
  readonly text: string;
  readonly sandboxed: boolean;
}

/** A consumer's own query. LQL comes as its lowered tree, with the text that its spans are into. */
export type ConsumerQuery =
  | { readonly language: 'sql'; readonly text: string }
  | { readonly language: 'lql'; readonly text: string; readonly query: Query };

export interface CompileRequest {
  readonly stored: StoredQuery;
  /** Null runs the stored one. */
  readonly consumer: ConsumerQuery | null;
  /** The project that the token is tied to: every base table is filtered by it, beneath everything else. */
  readonly onlyProject: string | null;
  readonly catalogue: FieldCatalogue;
}

export interface CompiledQuery {
  readonly query: CheckedQuery;
  /** Names of the parameters that the query uses, each a value bound at the run. */
  readonly parameters: readonly string[];
  /** What the query uses each of them as: see `checkParameter`. */
  readonly uses: Readonly<Record<string, readonly ParameterUse[]>>;
}

/** Throws QueryProblem. */
export type Compile = (request: CompileRequest) => CompiledQuery;

/** Tables that a consumer's query may name, in the order of the stored one, and the one it reads itself from. */
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
  };
};

const lowerConsumer = (consumer: ConsumerQuery, context: CompileContext, tables: TableScope) => {
  const query = consumer.language === 'lql' ? consumer.query : parsed(consumer.text, 'sql');
  context.taken = new Set(tables.tables.keys());
  const code = consumer.language === 'lql' ? 'lql-refused' : 'sql-refused';
  return located(consumer.text, code, () => lowerResult(query, context, tables));
};

/** The named subqueries alone: what they read from is out of sight. */
const confined = ({ tables }: TableScope): TableScope => ({ parent: null, tables });

const parsed = (text: string, language: 'sql'): Query =>
  located(text, `${language}-syntax`, () => parseQuery(text));

/** What a consumer's query may read, and what it reads where it does not say. Throws QueryProblem. */
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
