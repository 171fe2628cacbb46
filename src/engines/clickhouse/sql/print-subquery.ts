/**
 * Prints the subqueries of terms in ClickHouse's SQL. One that depends on the query around it becomes a join there, with limits:
 * it may stand in no IN, may have no LIMIT, and gives no row where an aggregate of no rows would be one.
 */
import { type EngineSql, integerLiteral, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import type { QueryNode, SelectNode, Term } from '../../../foundation/log-store/query-tree.js';
import { listOfRows } from './aggregates.js';
import { identifier } from './clickhouse-sql.js';
import { element, itemsOf } from './lists.js';
import type { NamedColumn, Names, PrintedQuery } from './names.js';
import type { FromPrinter } from './print-from.js';
import type { TermPrinter } from './print-term.js';
import { as, type Printed, printed, refuse } from './printed.js';

export class SubqueryPrinter {
  constructor(
    private readonly names: Names,
    private readonly terms: TermPrinter,
    private readonly from: FromPrinter,
    /** Prints a query. */
    private readonly query: (query: QueryNode) => PrintedQuery,
    /** Called with the columns of the query around that a subquery depends on. */
    private readonly need: (columns: readonly Printed[]) => void,
  ) {}

  private dependent(query: QueryNode): { readonly result: PrintedQuery; readonly outer: readonly Printed[] } {
    const printing = this.names.within(() => this.query(query));
    this.need(printing.outer);
    return printing;
  }

  print(gives: 'value' | 'exists' | 'list', query: QueryNode): Printed {
    switch (gives) {
      case 'value':
        return this.value(query);
      case 'exists':
        return this.exists(query);
      case 'list':
        return this.listOfQuery(query);
      default:
        return gives satisfies never;
    }
  }

  private value(query: QueryNode): Printed {
    const { result, outer } = this.dependent(query);
    const { sql: text, columns } = result;
    const first = columnOf(columns[0]);
    const isCorrelated = outer.length > 0;
    if (query.kind === 'select' && isCorrelated && result.isOneRow) {
      // Where the rest of the query meets none of its rows, ClickHouse leaves the whole row out.
      const [item] = query.items;
      const empty = item === undefined ? first : this.terms.overNothing(item.term);
      const found = sql`(SELECT [${element(first)}] FROM (${text}))`;
      return { sql: sql`arrayConcat(${found}, [${element(as(empty, first.type))}])[1]`, type: first.type };
    }
    if (query.kind === 'select' && isCorrelated && isFirstRow(query)) {
      const list = this.listOfQuery(query);
      return { sql: sql`(${list.sql}[1])[1]`, type: itemsOf(list) };
    }
    if (first.type.kind !== 'list') return { sql: sql`(${text})`, type: first.type };
    // A list of no row would be no value of ClickHouse.
    return { sql: sql`(SELECT groupArrayArray(${first.sql}) FROM (${text}))`, type: first.type };
  }

  /** Of elements alone it is a function of the list, which ClickHouse need not join. */
  private exists(given: QueryNode): Printed {
    const query =
      given.kind === 'select' && isFirstRow(given) ? { ...given, orderBy: [], limit: null } : given;
    if (query.kind !== 'select' || query.from?.kind !== 'elements' || !isFilter(query))
      return printed('boolean', sql`EXISTS (${this.dependent(query).result.sql})`);
    const { list, as: table } = query.from;
    const { rows, items } = this.from.elementRows(list);
    const row = identifier(table);
    this.names.introduceElements(table, row, items);
    const conditions = query.where.map((term) => sql`ifNull(${this.terms.condition(term)}, false)`);
    if (conditions.length === 0) return printed('boolean', sql`notEmpty(${rows})`);
    return printed('boolean', sql`arrayExists(${row} -> ${joined(conditions, ' AND ')}, ${rows})`);
  }

  /** In the order of the query, whose keys stand beside the values: ClickHouse collects rows as they come. */
  private listOfQuery(query: QueryNode): Printed {
    if (query.kind !== 'select') {
      const { sql: text, columns } = this.dependent(query).result;
      return listOfColumn(columns[0], [], text);
    }
    const keys = query.orderBy.map(({ term }, at) => ({ term, name: `order ${at}` }));
    const [item, ...others] = query.items;
    if (item === undefined || others.length > 0 || (query.distinct && keys.length > 0))
      return refuse('an array of distinct rows in an order');
    const rows: SelectNode = { ...query, items: [item, ...keys] };
    const { result, outer } = this.dependent(query.limit === null ? { ...rows, orderBy: [] } : rows);
    const isCut = query.limit !== null && outer.length > 0;
    // ClickHouse has no limit in a query that depends on the one around it.
    const { sql: text, columns } = isCut
      ? this.query({ ...rows, orderBy: [], limit: null, offset: null })
      : result;
    const orderBy = query.orderBy.map(({ descending, nullsFirst }, at) => ({
      descending,
      nullsFirst,
      key: columnOf(columns[at + 1]),
    }));
    const list = listOfColumn(columns[0], orderBy, text);
    return isCut ? { ...list, sql: sql`arrayMap(b -> ${sliced(query)}, ${list.sql})` } : list;
  }

  amongRows(of: Term, query: QueryNode): Printed {
    const { result: value, outer: columnsOfValue } = this.names.within(() => this.terms.print(of));
    const { result, outer } = this.dependent(query);
    const { sql: text, columns } = result;
    const isCorrelated = outer.length > 0;
    // It stands in a subquery then.
    if (isCorrelated) this.need(columnsOfValue);
    const column = columnOf(columns[0]);
    const among = isCorrelated
      ? sql`EXISTS (SELECT 1 FROM (${text}) WHERE ${column.sql} = ${value.sql})`
      : sql`(${value.sql} IN (${text}))`;
    const unknown = sql`EXISTS (SELECT 1 FROM (${text}) WHERE isNull(${column.sql})${isCorrelated ? sql` OR isNull(${value.sql})` : sql``})`;
    return printed(
      'boolean',
      sql`multiIf(ifNull(${among}, false), true, ${isCorrelated ? sql`` : sql`isNull(${value.sql}) OR `}${unknown}, NULL, false)`,
    );
  }
}

/** Rows without groups, and of them the first. */
const isFirstRow = ({ limit, offset, distinct, groupBy }: SelectNode): boolean =>
  limit?.kind === 'literal' && limit.value === 1 && offset === null && !distinct && groupBy === null;

/** The elements of an array that the limit of a query says. */
const sliced = ({ limit, offset }: SelectNode): EngineSql => {
  const [most, first] = [limit, offset].map((count) => (count?.kind === 'literal' ? Number(count.value) : 0));
  if (limit?.kind !== 'literal' || (offset !== null && offset.kind !== 'literal'))
    return refuse('a limit that is a parameter, in a subquery that depends on the query around it');
  return sql`arraySlice(b, ${integerLiteral((first ?? 0) + 1)}, ${integerLiteral(most ?? 0)})`;
};

/** Without groups, windows and limits, so that it has a row where its conditions hold for one. */
const isFilter = ({ items, groupBy, having, qualify, limit, offset }: SelectNode): boolean =>
  groupBy === null &&
  having === null &&
  qualify === null &&
  limit === null &&
  offset === null &&
  items.every(({ term }) => term.kind === 'literal');

const columnOf = (column: NamedColumn | undefined): Printed =>
  column === undefined
    ? refuse('a subquery without a column')
    : { sql: identifier(column.name), type: column.type };

const listOfColumn = (
  column: NamedColumn | undefined,
  orderBy: Parameters<typeof listOfRows>[1]['orderBy'],
  text: EngineSql,
): Printed => {
  const value = columnOf(column);
  const list = listOfRows(value, { orderBy, after: sql`` });
  // Without rows it is an empty list.
  const whole = sql`arraySlice(arrayConcat((SELECT ${list.sql} FROM (${text})), ${EMPTY}), 1, 1)`;
  return { ...list, sql: whole };
};

const EMPTY = sql`[[]]`;
