/** A query of the query tree, with what the enclosing query needs to know of it. */
import type { QueryNode } from '../../../foundation/log-store/query-tree.js';
import type { Value } from '../values/values.js';
import type { CompileContext, TableScope } from './context.js';
import type { GivenColumn, Scope } from './scope.js';

export interface LoweredQuery {
  readonly node: QueryNode;
  readonly columns: readonly GivenColumn[];
  /** The column that orders its rows newest first; null: its rows have no time. */
  readonly time: string | null;
  /** The column with the identifier of its rows; missing: they have none. */
  readonly identifier?: string;
  /** Columns of enclosing queries that it depends on. */
  readonly references: Value['references'];
  /** Whether it costs no more than a scan of one table. */
  readonly simple: boolean;
}

/**
 * The role of a query in the enclosing one. Columns of the result have the author's names, made unique; the other roles
 * have generated names. A table also has its time as a column, for the order of the result. A value and a list have only
 * columns, and a list keeps its order.
 */
export type Role = 'result' | 'table' | 'value' | 'list';

export interface Place {
  readonly context: CompileContext;
  readonly tables: TableScope;
  /** Scope of the enclosing query; null at the top and in named subqueries, which cannot refer to one. */
  readonly outer: Scope | null;
  readonly role: Role;
}
