/**
 * Lowers an LQL query to the query tree: one SELECT from one table. The result does not depend on the time, so the same
 * text always gives the same query.
 */

import { located } from '../sql/query-problem.js';
import type { Query, Span } from '../sql/tree.js';
import { aggregated } from './lower-aggregates.js';
import { chosenColumns, type Output, selected } from './lower-columns.js';
import { lowerFilter } from './lower-filter.js';
import { all, column, ordered, queryOf } from './lowered.js';
import { anyOf, LqlFault } from './lql-fault.js';
import type { LqlQuery, LqlTable } from './lql-tree.js';

export interface LqlTables {
  /** The tables that a query may read. */
  readonly tables: readonly string[];
  /** The names of their columns; null, and missing: not known. */
  readonly columns?: Readonly<Record<string, readonly string[] | null>>;
  /** The table of a query that names none; null: the query has to name one. */
  readonly defaultTable: string | null;
}

/** Throws QueryProblem (`lql-syntax`). */
export const lowerLql = (query: LqlQuery, tables: LqlTables): Query =>
  located({ text: query.text, code: 'lql-syntax' }, () => {
    const whole = { start: 0, end: query.text.length };
    const table = tableOf(query, tables);
    const { columns = {} } = tables;
    const known = Object.hasOwn(columns, table.name) ? (columns[table.name] ?? null) : null;
    const { outputs, groupBy, orderBy } =
      query.aggregates.length > 0 || query.grouping ? aggregated(query, whole) : plain(query, known, whole);
    return queryOf({
      items: selected(outputs),
      from: { kind: 'table', ...table, alias: null },
      where: all(query.filters.map(lowerFilter)),
      groupBy,
      orderBy,
      span: whole,
    });
  });

/** Throws LqlFault. */
export const tableOf = ({ table, text }: LqlQuery, { tables, defaultTable }: LqlTables): LqlTable => {
  if (table && tables.includes(table.name)) return table;
  if (table) throw new LqlFault(table.span.start, `expected ${anyOf(tables)}, but found ${table.name}`);
  if (defaultTable !== null) return { name: defaultTable, span: { start: 0, end: text.length } };
  throw new LqlFault(text.length, `expected f: with the table to read from: ${anyOf(tables)}`);
};

/** The columns of entries. */
export const COLUMNS = ['id', 'timestamp', 'event_message', 'metadata'];

/** Entries, newest first. Of a table that has other columns, a query that chooses none gets all. `known`: its columns. */
const plain = ({ columns }: LqlQuery, known: readonly string[] | null, whole: Span) => {
  const has = (name: string) => known === null || known.some((one) => one.toLowerCase() === name);
  const outputs: readonly Output[] = COLUMNS.every(has)
    ? COLUMNS.map((name) => ({ name, expression: column(name, whole), span: whole }))
    : [{ name: null, expression: null, span: whole }];
  return {
    outputs: columns.length > 0 ? chosenColumns(columns) : outputs,
    groupBy: [],
    orderBy: has('timestamp') ? [ordered(column('timestamp', whole), true)] : [],
  };
};
