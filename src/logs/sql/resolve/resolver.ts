/**
 * The context of every part of the resolution: the scope of names, and the recursive calls. Recursion goes through
 * `resolve` and `subquery`, so the files of the resolution do not import each other in circles.
 */
import { refuse } from '../query-problem.js';
import type { Expression, Query, Span } from '../tree.js';
import type { Value } from '../values/values.js';
import type { CompileContext, TableScope } from './context.js';
import type { LoweredQuery, Role } from './lowered-query.js';
import type { GivenColumn, Scope } from './scope.js';

export interface Resolver {
  readonly context: CompileContext;
  readonly scope: Scope;
  readonly tables: TableScope;
  /** Resolves a nested expression. Throws Refusal. */
  readonly resolve: (expression: Expression) => Value;
  /** Returns a resolver with the same enclosing queries and a scope of its own. */
  readonly beside: () => Resolver;
  /** Lowers a subquery. As a table in FROM, it sees enclosing queries, but not the other items of the FROM. */
  readonly subquery: (query: Query, role: Exclude<Role, 'result'>) => LoweredQuery;
}

/** Returns the single column of a subquery. Throws Refusal when it has more. */
export const oneColumn = (columns: readonly GivenColumn[], span: Span): GivenColumn => {
  const [column, second] = columns;
  if (column === undefined || second !== undefined)
    return refuse(span, `this subquery gives ${columns.length} columns and has to give one`);
  return column;
};

/** One kind of expression of the tree. */
export type Node<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;
