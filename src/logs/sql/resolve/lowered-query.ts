/** A query that is printed for the engine: where it stands, and what the query around it learns of it. */
import type { EngineSql } from '../engine-sql.js';
import type { Value } from '../values/values.js';
import type { CompileContext, TableScope } from './context.js';
import type { Column, Scope } from './scope.js';

export interface LoweredQuery {
  readonly sql: EngineSql;
  /** As the query around it reads them: their text is the name that they have here. */
  readonly columns: readonly Column[];
  /** The column by which its rows are newest first; null where they have no time of their own. */
  readonly time: EngineSql | null;
  /** Columns of the queries around it that it depends on. */
  readonly references: Value['references'];
  /** A scan of one table and nothing that costs more. */
  readonly simple: boolean;
}

/**
 * What a query is to the one around it. The result goes by the names of its author, once each; the others by our own. A
 * table has its time beside its columns, to be newest first by. A value is columns alone, and so is a list, which keeps
 * its order.
 */
export type Role = 'result' | 'table' | 'value' | 'list';

export interface Place {
  readonly context: CompileContext;
  readonly tables: TableScope;
  /** The query around; null at the top and in named subqueries, which see none. */
  readonly outer: Scope | null;
  readonly role: Role;
}
