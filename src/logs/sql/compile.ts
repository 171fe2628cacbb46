/**
 * Compiles the text of a log query for the log store: parses it, confines it to its tables, and resolves names and types.
 * Pure: the same input always gives the same query.
 */
import type { CheckedQuery } from '../../foundation/log-store/checked-query.js';
import type { FieldCatalogue } from '../../foundation/log-store/field-catalogue.js';
import type { FieldPlaces } from '../../foundation/log-store/log-store.js';
import { comparedProject } from './compared-project.js';
import { parseQuery } from './parse/parse-query.js';
import { located, type Origin, problemOf, type QueryProblem } from './query-problem.js';
import { baseTables, type ReadEndpoint } from './resolve/base-tables.js';
import { CompileContext, type TableScope } from './resolve/context.js';
import { lowerCtes, lowerResult } from './resolve/resolve-query.js';
import { ambiguous, type Doubt } from './resolve/scope.js';
import type { ParameterUse } from './texts/parameters.js';
import type { FromItem, Query, QueryBody, SelectItem } from './tree.js';
import type { ValueType } from './values/values.js';

export interface StoredQuery {
  /** SQL of the dialect. With sandboxing, a client's query can read only its CTEs. */
  readonly text: string;
  readonly sandboxed: boolean;
  /**
   * The endpoints that it reads as tables, each after those that it reads itself. Missing: none. A source, and a named subquery, hide an
   * endpoint of the same name.
   */
  readonly endpoints?: readonly ReadEndpoint[];
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

export interface ResultColumn {
  readonly name: string;
  readonly type: ValueType['kind'];
}

export interface CompiledQuery {
  readonly query: CheckedQuery;
  /** Of the result, in their order. */
  readonly columns: readonly ResultColumn[];
  /** Names of the parameters that the query uses. Their values are bound when it runs. */
  readonly parameters: readonly string[];
  /** How the query uses each parameter, for `checkParameter`. */
  readonly uses: Readonly<Record<string, readonly ParameterUse[]>>;
  /** Bare names with several places in the catalogue of all projects. */
  readonly doubtful: readonly DoubtfulName[];
}

/** A name that is refused when one project has so many of its candidates. */
export interface DoubtfulName {
  readonly candidates: readonly FieldPlaces[];
  readonly atLeast: number;
  /** `has`: the indexes of those that the project has. */
  readonly refusal: (has: readonly number[]) => QueryProblem;
}

/** The tables that a client's query may read, in the order of the stored query, and the table that the stored query reads. */
export interface StoredTables {
  readonly tables: readonly string[];
  /** The names of the columns of each table; null: its query does not name them all. */
  readonly columns: Readonly<Record<string, readonly string[] | null>>;
  readonly reads: string | null;
}

/** Throws QueryProblem. */
export const compile = ({ stored, consumer, onlyProject, catalogue }: CompileRequest): CompiledQuery => {
  const texts = [stored.text, ...(stored.endpoints ?? []).map((one) => one.text), textOf(consumer)];
  const isSandbox = consumer !== null && stored.sandboxed;
  const identifier = !texts.some(isWithIdentifier)
    ? null
    : { hasProject: !isSandbox || onlyProject !== null || comparedProject(stored) !== null };
  const context = new CompileContext(catalogue, onlyProject, identifier);
  context.hidesEntries = isSandbox;
  const doubtful: DoubtfulName[] = [];
  const lowered = <T>(origin: Origin, work: () => T): T => {
    const result = located(origin, work);
    for (const doubt of context.doubts?.splice(0) ?? []) doubtful.push(doubtfulName(doubt, origin));
    return result;
  };
  const { text } = stored;
  const query = parseQuery(text);
  const base = baseTables(stored.endpoints, context, lowered);
  const inStored: Origin = { text, code: 'sql-refused' };
  const tables = lowered(inStored, () => lowerCtes(query.ctes, { context, tables: base }));
  const { tree, columns } =
    consumer === null
      ? lowered(inStored, () => lowerResult({ ...query, ctes: [] }, context, tables))
      : lowered({ text: consumer.text, code: `${consumer.language}-refused` }, () =>
          lowerConsumer(consumer, context, stored.sandboxed ? confined(tables) : tables),
        );
  return {
    query: { tree },
    columns: columns.map(({ called, type }) => ({ name: called, type: type.kind })),
    parameters: [...context.uses.keys()],
    uses: Object.fromEntries(context.uses),
    doubtful,
  };
};

/** A part of what LQL finds may name a field that its text has not. */
const textOf = (consumer: ConsumerQuery | null): string =>
  consumer?.language === 'lql' ? JSON.stringify(consumer.query) : (consumer?.text ?? '');

const isWithIdentifier = (text: string): boolean => /\bidentifier\b/i.test(text);

const lowerConsumer = (consumer: ConsumerQuery, context: CompileContext, tables: TableScope) => {
  const query = consumer.language === 'lql' ? consumer.query : parseQuery(consumer.text);
  context.taken = new Set(tables.tables.keys());
  context.hidesEntries = false;
  return lowerResult(query, context, tables);
};

/** Candidates that every project may have count for each project. */
const doubtfulName = (doubt: Doubt, origin: Origin): DoubtfulName => {
  const certain = doubt.candidates.filter(({ places }) => places === null);
  const others = doubt.candidates.filter(({ places }) => places !== null);
  return {
    candidates: others.map(({ places }) => places ?? []),
    atLeast: 2 - certain.length,
    refusal: (has) =>
      problemOf(ambiguous(doubt, [...certain, ...has.flatMap((at) => others[at] ?? [])]), origin),
  };
};

/** Returns only the named subqueries, without the tables that they read. */
const confined = ({ tables }: TableScope): TableScope => ({ parent: null, tables });

/** Returns the tables that a client's query may read, and the default table of LQL. Throws QueryProblem. */
export const storedTables = ({ text }: StoredQuery): StoredTables => {
  const query = parseQuery(text);
  const tables = query.ctes.map(({ name }) => name);
  const columns = Object.fromEntries(query.ctes.map((cte) => [cte.name, columnsOf(cte.query.body)]));
  return { tables, columns, reads: firstTable(query.body) };
};

/** Null: a star stands for some of them. */
const columnsOf = (body: QueryBody): readonly string[] | null => {
  switch (body.kind) {
    case 'select':
      return body.items.some(({ kind }) => kind === 'all') ? null : body.items.flatMap(nameOf);
    case 'set':
      return columnsOf(body.left);
    case 'nested':
      return columnsOf(body.query.body);
  }
};

const nameOf = (item: SelectItem): readonly string[] => {
  if (item.kind === 'all') return [];
  const { alias, expression } = item;
  if (alias !== null) return [alias];
  return expression.kind === 'path' ? expression.parts.slice(-1) : [];
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
