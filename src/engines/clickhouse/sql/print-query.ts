/**
 * Prints a query tree as one SELECT in ClickHouse's SQL, with `{name:Nullable(String)}` for each parameter and `{now:Int64}`
 * (microseconds since 1970) for the moment of the run. A tail has the bounds of its range as two more: `{after:Int64}` and
 * `{upTo:Int64}`. It runs under QUERY_SETTINGS, and its columns are named for `readRows`.
 *
 * Each source is a table named like it; see source-tables.ts. Its columns that begin with an underscore belong to the store.
 */
import type { CheckedQuery } from '../../../foundation/log-store/checked-query.js';
import { type EngineSql, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import { orderSql } from '../../../foundation/log-store/printing.js';
import type {
  Grouping,
  NamedNode,
  QueryNode,
  SelectNode,
  SetNode,
} from '../../../foundation/log-store/query-tree.js';
import { identifier } from './clickhouse-sql.js';
import { comparedProjects } from './compared-project.js';
import { type NamedColumn, Names, type PrintedQuery } from './names.js';
import { FromPrinter } from './print-from.js';
import { SubqueryPrinter } from './print-subquery.js';
import { TermPrinter } from './print-term.js';
import { as, engineType, type Printed, refuse } from './printed.js';
import { resultName } from './rows.js';

/** What the meaning of a printed query counts on. */
export const QUERY_SETTINGS = {
  join_use_nulls: 1,
  group_by_use_nulls: 1,
  enable_positional_arguments: 0,
  prefer_column_name_to_alias: 1,
  allow_experimental_correlated_subqueries: 1,
  enable_materialized_cte: 1,
  output_format_json_escape_forward_slashes: 0,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 1,
  max_query_size: 4_194_304,
} as const;

/** A query longer than ClickHouse reads: some constructs are printed twice, and those in them as often as they nest. */
const MAX_LENGTH = 4_000_000;

/** Beyond what a query may have: some of its subqueries are printed again, and those in them as often as they nest. */
const MAX_SELECTS = 2_000;

const known = new WeakMap<CheckedQuery, EngineSql>();

/** Returns the text of a query. It is kept as long as the query is. Throws LogQueryFailedError for what ClickHouse cannot do. */
export const printQuery = (query: CheckedQuery): string => {
  const before = known.get(query);
  if (before !== undefined) return before;
  const text = new QueryPrinter().whole(query);
  known.set(query, text);
  return text;
};

const SET_OPERATORS: Readonly<Record<SetNode['operator'], EngineSql>> = {
  'union all': sql`UNION ALL`,
  'union distinct': sql`UNION DISTINCT`,
  'intersect distinct': sql`INTERSECT DISTINCT`,
  'except distinct': sql`EXCEPT DISTINCT`,
};

class QueryPrinter {
  private readonly names = new Names();
  private readonly namedColumns = new Map<string, readonly NamedColumn[]>();
  private selects = 0;
  /** Of the SELECT that is printed: the columns that its subqueries depend on, and whether it has aggregates of its rows. */
  private current: { needed: Printed[]; aggregates: boolean } = { needed: [], aggregates: false };
  private readonly terms: TermPrinter = new TermPrinter({
    column: (of, name) => this.names.of(of, name),
    subquery: (gives, query) => this.subqueries.print(gives, query),
    amongRows: (value, query) => this.subqueries.amongRows(value, query),
    aggregated: () => {
      this.current.aggregates = true;
    },
  });
  private readonly from = new FromPrinter(
    this.names,
    this.terms,
    (query) => this.query(query),
    (name) => this.namedColumns.get(name) ?? [],
  );
  private readonly subqueries = new SubqueryPrinter(
    this.names,
    this.terms,
    this.from,
    (query) => this.query(query),
    (columns) => this.current.needed.push(...columns),
  );

  whole({ tree: { named, body } }: CheckedQuery): EngineSql {
    const ctes = named.map((node) => this.named(node));
    const { sql: text } = this.query(body, resultName);
    return ctes.length === 0 ? text : sql`WITH ${joined(ctes, ', ')} ${text}`;
  }

  private named({ name, query, isCostly }: NamedNode): EngineSql {
    const { sql: text, columns } = this.query(query);
    this.namedColumns.set(name, columns);
    return sql`${identifier(name)} AS ${isCostly ? sql`MATERIALIZED ` : sql``}(${text})`;
  }

  /** `called`: how the columns are named. */
  private query(query: QueryNode, called?: (column: NamedColumn) => string): PrintedQuery {
    const text = query.kind === 'select' ? this.select(query, called) : this.set(query, called);
    if (text.sql.length > MAX_LENGTH) return refuse('a query as large as this one, once it is written out');
    return text;
  }

  private set({ operator, left, right }: SetNode, called?: (column: NamedColumn) => string): PrintedQuery {
    const [one, other] = [this.query(left, called), this.query(right, called)];
    const columns = one.columns.map((column, at) =>
      column.type.kind === 'null' ? { ...column, type: other.columns[at]?.type ?? column.type } : column,
    );
    return { sql: sql`(${one.sql}) ${SET_OPERATORS[operator]} (${other.sql})`, columns, isOneRow: false };
  }

  private select(select: SelectNode, called?: (column: NamedColumn) => string): PrintedQuery {
    if (++this.selects > MAX_SELECTS) return refuse('subqueries as many and as deep as these');
    const around = this.current;
    this.current = { needed: [], aggregates: false };
    const text = this.selectOf(select, called);
    const isOneRow = this.current.aggregates && select.groupBy === null && select.having === null;
    this.current = around;
    return { ...text, isOneRow };
  }

  private selectOf(
    select: SelectNode,
    called?: (column: NamedColumn) => string,
  ): Omit<PrintedQuery, 'isOneRow'> {
    const tables =
      select.from === null
        ? sql``
        : sql` FROM ${this.from.print(select.from, comparedProjects(select.where))}`;
    const { keys, from } = this.keysOf(select, tables);
    return this.terms.withNames(keys, () => {
      const columns: NamedColumn[] = [];
      const items = select.items.map(({ term, name }) => {
        const value = resultValue(this.terms.print(term), called !== undefined);
        const column = { name, type: value.type };
        columns.push(column);
        return sql`${value.sql} AS ${identifier(called ? called(column) : name)}`;
      });
      const { needed, aggregates } = this.current;
      const kept = aggregates ? [] : needed.map((column) => column.sql);
      return { sql: this.clauses(select, { head: sql`${joined(items, ', ')}${from}`, kept }), columns };
    });
  }

  /**
   * The keys of grouping sets are columns of their own, of an array with one element. ClickHouse makes NULLs of keys in the rows of
   * sets without them, and would else do so in whatever is the same: in a column that a key was simplified to, in each `1`
   * of the query where `id = id` is a key.
   */
  private keysOf({ groupBy }: SelectNode, tables: EngineSql) {
    const keys = new Map<EngineSql, EngineSql>();
    if (groupBy?.kind !== 'sets') return { keys, from: tables };
    for (const term of groupBy.sets.flat()) {
      const { sql: key } = this.terms.print(term);
      if (!keys.has(key)) keys.set(key, identifier(`key ${keys.size + 1}`));
    }
    if (keys.size === 0) return { keys, from: tables };
    const arrays = joined(
      [...keys].map(([key, name]) => sql`[${key}] AS ${name}`),
      ', ',
    );
    return { keys, from: sql`${tables === '' ? sql` FROM (SELECT 1)` : tables} ARRAY JOIN ${arrays}` };
  }

  private clauses(
    select: SelectNode,
    { head, kept }: { readonly head: EngineSql; readonly kept: readonly EngineSql[] },
  ): EngineSql {
    const { distinct, where, groupBy, having, qualify, limit, offset } = select;
    const conditions = where.map((term) => this.terms.condition(term));
    return joined(
      [
        sql`SELECT ${distinct ? sql`DISTINCT ` : sql``}${head}`,
        conditions.length === 0 ? sql`` : sql` WHERE ${joined(conditions, ' AND ')}`,
        groupBy === null ? sql`` : sql` GROUP BY ${this.grouping(groupBy)}`,
        having === null ? sql`` : sql` HAVING ${this.terms.condition(having)}`,
        qualify === null ? sql`` : sql` QUALIFY ${this.terms.condition(qualify)}`,
        this.order(select, kept),
        limit === null ? sql`` : sql` LIMIT ${bound(this.terms.print(limit), NO_LIMIT)}`,
        offset === null ? sql`` : sql` OFFSET ${bound(this.terms.print(offset), sql`0`)}`,
      ],
      '',
    );
  }

  /**
   * ClickHouse drops a column after WHERE that only a subquery of the list needs, and then cannot find it. As last keys of the order
   * such columns are kept.
   */
  private order({ orderBy, groupBy, distinct, where }: SelectNode, kept: readonly EngineSql[]): EngineSql {
    const order = orderSql(orderBy, (term) => this.terms.print(term).sql);
    if (kept.length === 0 || groupBy !== null || distinct || where.length === 0) return order;
    const more = joined([...new Set(kept)], ', ');
    return order === '' ? sql` ORDER BY ${more}` : sql`${order}, ${more}`;
  }

  private grouping(grouping: Grouping): EngineSql {
    if (grouping.kind === 'terms') return this.terms.listed(grouping.terms);
    const sets = grouping.sets.map((set) => sql`(${this.terms.listed(set)})`);
    return sql`GROUPING SETS (${joined(sets, ', ')})`;
  }
}

const NO_LIMIT = sql`9000000000000000`;

const bound = (count: Printed, ofNull: EngineSql): EngineSql =>
  typeof count.literal === 'number' ? count.sql : sql`toUInt64(ifNull(greatest(${count.sql}, 0), ${ofNull}))`;

/** NULL has the type of a text, as the resolver reads it. */
const resultValue = (value: Printed, isResult: boolean): Printed => {
  const typed = value.type.kind === 'null' ? as(value, { kind: 'string' }) : value;
  return isResult && typed.type.kind === 'boolean'
    ? { ...typed, sql: sql`CAST(${typed.sql} AS ${engineType(typed.type)})` }
    : typed;
};
