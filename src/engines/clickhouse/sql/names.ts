/**
 * The tables and columns that the terms of a query can name. Their names in the tree are unique in the whole query, but for the
 * columns of its result, which no term names.
 */
import type { EngineSql } from '../../../foundation/log-store/engine-sql.js';
import { sql } from '../../../foundation/log-store/engine-sql.js';
import { identifier } from './clickhouse-sql.js';
import { type Printed, refuse, type Type } from './printed.js';

export interface NamedColumn {
  readonly name: string;
  readonly type: Type;
}

/** A query with its columns in order. */
export interface PrintedQuery {
  readonly sql: EngineSql;
  readonly columns: readonly NamedColumn[];
  /** Whether it aggregates all its rows, so that it has a row even of none. */
  readonly isOneRow: boolean;
}

export class Names {
  private readonly tables = new Map<string, ReadonlyMap<string, Printed>>();
  private readonly columns = new Map<string, Printed>();
  private readonly used: { readonly table: string; readonly column: Printed }[] = [];
  private readonly introduced: string[] = [];

  /** Lets terms name the columns of a table; of null: by their names alone. */
  introduce(table: string | null, columns: readonly NamedColumn[]): void {
    for (const { name, type } of columns) this.columns.set(name, { sql: identifier(name), type });
    if (table === null) return;
    const of = identifier(table);
    this.put(
      table,
      columns.map(({ name, type }) => [name, { sql: sql`${of}.${identifier(name)}`, type }]),
    );
  }

  /** Lets terms name the elements of a list, and their places, which are the two parts of `row`. */
  introduceElements(table: string, row: EngineSql, items: Type): void {
    this.put(table, [
      ['e', { sql: sql`tupleElement(${row}, 1)`, type: items }],
      ['o', { sql: sql`tupleElement(${row}, 2)`, type: { kind: 'integer' } }],
    ]);
  }

  of(table: string | null, name: string): Printed {
    const found = table === null ? this.columns.get(name) : this.tables.get(table)?.get(name);
    if (found === undefined) return refuse('a column that is not in reach');
    if (table !== null) this.used.push({ table, column: found });
    return found;
  }

  /** Any column of a table. */
  firstOf(table: string | null): EngineSql {
    const [first] = table === null ? [] : (this.tables.get(table)?.values() ?? []);
    return first === undefined ? refuse('a table without a column') : first.sql;
  }

  /** Prints a query, and returns the columns of tables around it that it depends on. */
  within<T>(print: () => T): { readonly result: T; readonly outer: readonly Printed[] } {
    const [used, introduced] = [this.used.length, this.introduced.length];
    const result = print();
    const own = new Set(this.introduced.slice(introduced));
    const outer = this.used.slice(used).flatMap(({ table, column }) => (own.has(table) ? [] : [column]));
    return { result, outer };
  }

  private put(table: string, columns: readonly (readonly [string, Printed])[]): void {
    this.introduced.push(table);
    this.tables.set(table, new Map(columns));
  }
}
