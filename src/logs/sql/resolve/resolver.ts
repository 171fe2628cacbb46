/**
 * What every part of the resolution is given: where names are looked for, and the way back to what stands within. The
 * recursion goes through `resolve` and `subquery`, so that no part has to import the one that calls it.
 */
import { refuse } from '../query-problem.js';
import type { Expression, Query, Span } from '../tree.js';
import type { Shape, Value } from '../values/values.js';
import type { CompileContext, TableScope } from './context.js';
import type { LoweredQuery, Role } from './lowered-query.js';
import type { Scope } from './scope.js';

export interface Resolver {
  readonly context: CompileContext;
  readonly scope: Scope;
  readonly tables: TableScope;
  /** An expression one level further in. Throws Refusal. */
  readonly resolve: (expression: Expression) => Value;
  /** A query within this one. As a table, in FROM, it sees the queries around this one, and not its neighbours. */
  readonly subquery: (query: Query, role: Exclude<Role, 'result'>) => LoweredQuery;
}

/** The column of a subquery that has to have one. Throws Refusal. */
export const oneColumn = (columns: readonly Shape[], span: Span): Shape => {
  const [column, second] = columns;
  if (column === undefined || second !== undefined)
    return refuse(span, `this subquery gives ${columns.length} columns and has to give one`);
  return column;
};

/** One kind of expression of the tree. */
export type Node<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;
