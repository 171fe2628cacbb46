/** What every part of the resolution is given: where names are looked for, and how a query within an expression is resolved. */
import type { CompileContext, TableScope } from './context.js';
import type { EngineSql } from './engine-sql.js';
import type { Scope } from './scope.js';
import type { Expression, Query } from './tree.js';
import type { Shape, Value } from './values.js';

/** A query within an expression. As a list its rows keep their order. */
export interface Subquery {
  readonly sql: EngineSql;
  readonly columns: readonly Shape[];
  /** Columns of the queries around it that it depends on. */
  readonly references: Value['references'];
}

export interface Resolver {
  readonly context: CompileContext;
  readonly scope: Scope;
  readonly tables: TableScope;
  readonly subquery: (query: Query, resolver: Resolver, role: 'value' | 'list') => Subquery;
}

/** One kind of expression of the tree. */
export type Node<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;
